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
  const std::string architecture = cuda::read_device_facts().architecture();
  {
    const std::lock_guard lock(mutex);
    std::erase_if(*loaded, [](const auto& entry) { return entry.second.expired(); });
    const auto found = loaded->find(source);
    if (found != loaded->end()) {
      if (auto module = found->second.lock()) return module;
    }
  }
  const auto cubin = jit::kernel_cache().get({source, name, architecture, false});
  auto module = std::make_shared<const cuda::Module>(cubin->bytes, name);
  const std::lock_guard lock(mutex);
  (*loaded)[source] = module;
  return module;
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
  module_ = shared_module(emitted_.source, plan_->name);
  for (const jit::EmittedKernel& kernel : emitted_.kernels) {
    using jit::FoldForm;
    auto& forms = functions_.emplace_back();
    const auto load = [&](FoldForm form) -> cuda::Function& {
      return forms.emplace(form, module_->function(kernel.name_of(form))).first->second;
    };
    // Whatever the sizes of a run: a launch asks for what it needs.
    const auto allow_shared = [](cuda::Function& function) {
      function.allow_shared(cuda::read_device_facts().max_shared_per_block -
                            function.facts().static_shared_bytes);
    };
    cuda::Function& first = load(FoldForm::Short);
    if (kernel.resident && !kernel.resident->shared.empty()) allow_shared(first);
    if (kernel.has_long_form) load(FoldForm::Long);
    if (kernel.stage_bytes != 0) allow_shared(load(FoldForm::Staged));
  }
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
