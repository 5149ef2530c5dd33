#include "device_module.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/jit/cache.hpp"
#include "gyre/plan/walk.hpp"

#include <future>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace gyre::executors {
namespace {

jit::CompileRequest request_for(const std::string& source, const std::string& name) {
  return {source, name, cuda::read_device_facts().architecture(), false};
}

// Modules hold no state of a launch, so that one serves every executable of its text. Those that
// nobody uses any more go.
std::shared_ptr<const cuda::Module> shared_module(const std::string& source,
                                                  const std::string& name) {
  static std::mutex mutex;
  static auto* loaded = new std::map<std::string, std::weak_ptr<const cuda::Module>>;
  {
    const std::lock_guard lock(mutex);
    std::erase_if(*loaded, [](const auto& entry) { return entry.second.expired(); });
    const auto found = loaded->find(source);
    if (found != loaded->end()) {
      if (auto module = found->second.lock()) return module;
    }
  }
  const auto cubin = jit::kernel_cache().get(request_for(source, name));
  auto module = std::make_shared<const cuda::Module>(cubin->bytes, name);
  const std::lock_guard lock(mutex);
  (*loaded)[source] = module;
  return module;
}

// Each text by a thread of its own, into the cache. What fails is told when it is asked for.
void compile_side_by_side(const std::set<std::string>& sources, const std::string& name) {
  std::vector<std::future<void>> under_way;
  for (const std::string& source : sources) {
    under_way.push_back(std::async(std::launch::async, [request = request_for(source, name)] {
      jit::kernel_cache().get(request);
    }));
  }
  for (const std::future<void>& one : under_way) one.wait();
}

// Whatever the sizes of a run: a launch asks for what it needs.
void allow_shared(const cuda::Function& function) {
  function.allow_shared(cuda::read_device_facts().max_shared_per_block -
                        function.facts().static_shared_bytes);
}

}  // namespace

const cuda::Context& device_context() {
  // Never destroyed: streams and modules of static executables may outlive any other static.
  static const auto* context = new cuda::Context(0);
  return *context;
}

cuda::StreamView side_stream() {
  static const auto* stream = new cuda::Stream(cuda::Stream::Priority::High);
  return *stream;
}

DeviceModule::DeviceModule(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options)
    : plan_(std::move(plan)), emitted_(jit::emit_module(*plan_, options)) {
  const cuda::CurrentContext current(device_context());
  const auto module = shared_module(emitted_.source, plan_->name);
  for (const jit::EmittedKernel& kernel : emitted_.kernels) {
    const cuda::Function function = module->function(kernel.name);
    if (kernel.resident && !kernel.resident->shared.empty()) allow_shared(function);
    functions_.push_back({{jit::FoldForm::Short, {module, function}}});
  }
}

void DeviceModule::load(const std::vector<jit::FoldForm>& forms) const {
  const std::lock_guard lock(mutex_);
  std::set<std::string> missing;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (functions_[i].contains(forms[i])) continue;
    missing.insert(emitted_.kernels[i].long_forms.at(forms[i]).source);
  }
  if (missing.size() > 1) compile_side_by_side(missing, plan_->name);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (functions_[i].contains(forms[i])) continue;
    const jit::EmittedKernel& kernel = emitted_.kernels[i];
    const jit::LongForm& form = kernel.long_forms.at(forms[i]);
    const auto module = shared_module(form.source, plan_->name);
    const cuda::Function function = module->function(kernel.name_of(forms[i]));
    if (form.stage_bytes != 0) allow_shared(function);
    functions_[i].emplace(forms[i], Loaded{module, function});
  }
}

cuda::Function DeviceModule::function(std::uint32_t kernel, jit::FoldForm form) const {
  const std::lock_guard lock(mutex_);
  return functions_.at(kernel).at(form).function;
}

const plan::WhileNode& DeviceModule::loop(std::uint32_t number) const {
  const plan::WhileNode* found = nullptr;
  std::uint32_t next = 0;
  plan::for_each_node(plan_->body, [&](const plan::Node& node) {
    if (!plan::is_branch(node)) return;
    if (next++ == number) found = std::get_if<plan::WhileNode>(&node);
  });
  GYRE_CHECK(found != nullptr, "a resident kernel of no loop");
  return *found;
}

}  // namespace gyre::executors
