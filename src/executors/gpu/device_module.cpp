#include "device_module.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/jit/cache.hpp"
#include "gyre/plan/walk.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace gyre::executors {
namespace {

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
  const auto cubin =
      jit::kernel_cache().get({source, name, cuda::read_device_facts().architecture(), false});
  auto module = std::make_shared<const cuda::Module>(cubin->bytes, name);
  const std::lock_guard lock(mutex);
  (*loaded)[source] = module;
  return module;
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

void try_kernels(const std::string& program) {
  shared_module("extern \"C\" __global__ void gyre_nothing() {}\n", program);
}

DeviceModule::DeviceModule(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options)
    : plan_(std::move(plan)), emitted_(jit::emit_module(*plan_, options)) {
  const cuda::CurrentContext current(device_context());
  functions(std::vector<jit::FoldForm>(emitted_.kernels.size(), jit::FoldForm::Short));
}

std::shared_ptr<const DeviceModule::Loaded> DeviceModule::load(
    const std::vector<jit::FoldForm>& forms) const {
  Loaded loaded{shared_module(emitted_.source_in(forms), plan_->name), {}};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const jit::EmittedKernel& kernel = emitted_.kernels[i];
    const cuda::Function function = loaded.module->function(kernel.name_of(forms[i]));
    const bool keeps_buffers =
        kernel.resident && !(kernel.resident->shared.empty() && kernel.resident->rows.empty());
    if (keeps_buffers || forms[i] == jit::FoldForm::Staged) allow_shared(function);
    loaded.functions.push_back(function);
  }
  return std::make_shared<const Loaded>(std::move(loaded));
}

std::shared_ptr<const std::vector<cuda::Function>> DeviceModule::functions(
    const std::vector<jit::FoldForm>& forms) const {
  const std::lock_guard lock(mutex_);
  auto& loaded = loaded_[forms];
  if (!loaded) loaded = load(forms);
  return {loaded, &loaded->functions};
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
