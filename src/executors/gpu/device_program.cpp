#include "device_program.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/pointer_facts.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/jit/cache.hpp"
#include "gyre/plan/arena.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gyre::executors {
namespace {

/// What the host says before a launch; kernels/launch.cuh has the same.
struct Request {
  std::uint64_t launch;
  std::uint64_t max_trips;
  std::uint32_t first_counter;
  std::uint32_t counters;
  std::uint32_t inputs;
  std::uint32_t outputs;
};

constexpr unsigned block_threads = 256;
constexpr unsigned most_blocks = 1024;

cuda::Module load_module(const jit::EmittedModule& emitted, const std::string& name) {
  const cuda::CurrentContext current(device_context());
  const auto cubin = jit::kernel_cache().get(
      {emitted.source, name, cuda::read_device_facts().architecture(), false});
  return {cubin->bytes, name};
}

std::vector<ir::SymbolId> scalars_with(const plan::Plan& plan, ir::Intent one, ir::Intent other) {
  std::vector<ir::SymbolId> found;
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const ir::Symbol& symbol = plan.symbols[i];
    if (symbol.kind == ir::SymbolKind::Scalar && (symbol.intent == one || symbol.intent == other)) {
      found.push_back(static_cast<ir::SymbolId>(i));
    }
  }
  return found;
}

// A cell holds the bits of its value; those of a narrow one are the low ones.
ir::Value value_from_bits(ir::ScalarType type, std::uint64_t bits) {
  return ir::dispatch(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 1) {
      return ir::Value(bits != 0);
    } else {
      T value;
      std::memcpy(&value, &bits, sizeof(T));
      return ir::Value(value);
    }
  });
}

bool reads_only_sizes(const plan::Plan& plan, const ir::Expr& expr) {
  bool only = true;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    if (const auto* read = ir::as<ir::Read>(node)) {
      only = only && plan[read->symbol].kind == ir::SymbolKind::Size;
    }
    only = only && ir::as<ir::Load>(node) == nullptr && ir::as<ir::Fold>(node) == nullptr;
  });
  return only;
}

// A bound as the kernel will compute it: i64 wraps.
ir::Value evaluate(const ir::Expr& expr, const std::vector<ir::Value>& values) {
  if (const auto* literal = ir::as<ir::Literal>(expr)) return literal->value;
  if (const auto* read = ir::as<ir::Read>(expr)) {
    return values.at(static_cast<std::size_t>(read->symbol));
  }
  if (const auto* cast = ir::as<ir::Cast>(expr)) {
    return ir::convert(evaluate(cast->operand, values), expr->type);
  }
  const auto& apply = std::get<ir::Apply>(expr->kind);
  std::vector<ir::Value> operands;
  for (const ir::Expr& operand : apply.operands) operands.push_back(evaluate(operand, values));
  return ir::eval(apply.op, operands);
}

}  // namespace

const cuda::Context& device_context() {
  // Never destroyed: streams and modules of static executables may outlive any other static.
  static const auto* context = new cuda::Context(0);
  return *context;
}

DeviceProgram::DeviceProgram(std::shared_ptr<const plan::Plan> plan,
                             const jit::EmitOptions& options)
    : plan_(std::move(plan)), emitted_(jit::emit_module(*plan_, options)) {
  module_.emplace(load_module(emitted_, plan_->name));
  inputs_ = scalars_with(*plan_, ir::Intent::In, ir::Intent::Inout);
  outputs_ = scalars_with(*plan_, ir::Intent::Out, ir::Intent::Inout);
  state_ = cuda::DeviceMemory(emitted_.layout.bytes());
  cuda::clear(state_, cancel_stream_);
  cancel_stream_.synchronize();
  using Access = cuda::PinnedMemory::Access;
  request_ = cuda::PinnedMemory(sizeof(Request) + 8 * (2 * inputs_.size() + outputs_.size()),
                                Access::Mapped);
  result_ = cuda::PinnedMemory(
      sizeof(jit::Control) + 8 * (emitted_.layout.counter_count() + outputs_.size()),
      Access::Mapped);
  cancel_word_ = cuda::PinnedMemory(sizeof(std::uint32_t));
}

bool DeviceProgram::bind(const ir::Bound& bound) {
  const auto before_memory = std::exchange(memory_, {});
  const auto before_sizes = std::exchange(sizes_, {});
  const auto before_blocks = std::exchange(blocks_, {});
  views_ = bound.buffers;
  memory_.resize(plan_->symbols.size());
  sizes_.resize(plan_->symbols.size());
  std::vector<Mirror> mirrors;
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    const ir::Symbol& symbol = plan_->symbols[i];
    if (symbol.kind == ir::SymbolKind::Size) sizes_[i] = bound.values[i].as_integer();
    if (symbol.kind != ir::SymbolKind::Buffer || symbol.intent == ir::Intent::Temp) continue;
    const ir::BufferView& view = bound.buffers[i];
    const auto address = reinterpret_cast<CUdeviceptr>(view.data);
    const std::size_t bytes =
        static_cast<std::size_t>(view.element_count()) * ir::size_of(symbol.type);
    memory_[i] = {address, bytes};
    if (bytes == 0) continue;
    const auto kind = cuda::pointer_facts(address).kind;
    if (kind == cuda::MemoryKind::Device || kind == cuda::MemoryKind::Managed) continue;
    // A mirror of the right size is kept from run to run, so that addresses stay.
    const auto kept = std::find_if(mirrors_.begin(), mirrors_.end(), [&](const Mirror& mirror) {
      return mirror.buffer == i && mirror.device.bytes() == bytes;
    });
    Mirror mirror{i, view.data,
                  kept == mirrors_.end() ? cuda::DeviceMemory(bytes) : std::move(kept->device),
                  symbol.intent != ir::Intent::Out, symbol.intent != ir::Intent::In};
    memory_[i].address = mirror.device.address();
    mirrors.push_back(std::move(mirror));
  }
  mirrors_ = std::move(mirrors);
  lay_out_temporaries(bound);
  for (const jit::EmittedKernel& kernel : emitted_.kernels) {
    blocks_.push_back(kernel.kernel ? blocks_of(plan_->kernels[*kernel.kernel], bound) : 1);
  }
  const bool same_memory =
      std::equal(memory_.begin(), memory_.end(), before_memory.begin(), before_memory.end(),
                 [](const cuda::DeviceView& a, const cuda::DeviceView& b) {
                   return a.address == b.address && a.bytes == b.bytes;
                 });
  return !same_memory || sizes_ != before_sizes || blocks_ != before_blocks;
}

void DeviceProgram::lay_out_temporaries(const ir::Bound& bound) {
  std::vector<std::size_t> bytes;
  for (const plan::Temporary& temporary : plan_->temporaries) {
    const ir::BufferView& view = bound.buffer(temporary.buffer);
    bytes.push_back(static_cast<std::size_t>(view.element_count()) * ir::size_of(view.type));
  }
  const plan::ArenaLayout layout = plan::layout_arena(*plan_, bytes);
  if (layout.total > arena_.bytes()) arena_ = cuda::DeviceMemory(layout.total);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto buffer = static_cast<std::size_t>(plan_->temporaries[i].buffer);
    memory_[buffer] = {arena_.address() + layout.offsets[i], bytes[i]};
  }
}

// A sweep's grid follows from its extents where those are known here; else the largest grid serves,
// whose blocks past the end have nothing to do.
unsigned DeviceProgram::blocks_of(const plan::Kernel& kernel, const ir::Bound& bound) const {
  if (!kernel.sweep) return 1;
  long long points = 1;
  for (const ir::Range& range : kernel.sweep->ranges) {
    for (const ir::Expr& bound_expr : {range.begin, range.end, range.step}) {
      if (bound_expr && !reads_only_sizes(*plan_, bound_expr)) return most_blocks;
    }
    const auto value = [&](const ir::Expr& expr) {
      return evaluate(expr, bound.values).as_integer();
    };
    points *= static_cast<long long>(ops::range_extent(value(range.begin), value(range.end),
                                                       range.step ? value(range.step) : 1));
  }
  const long long strands = std::min(points, strands::outer(points));
  // At least one block: slots and decisions are stored at extent 0 too.
  return static_cast<unsigned>(std::max(1LL, (strands + block_threads - 1) / block_threads));
}

void DeviceProgram::copy_in(cuda::StreamView stream) const {
  for (const Mirror& mirror : mirrors_) {
    if (mirror.read)
      cuda::copy_to_device(mirror.device, mirror.host, mirror.device.bytes(), stream);
  }
}

void DeviceProgram::copy_out(cuda::StreamView stream) const {
  for (const Mirror& mirror : mirrors_) {
    if (mirror.written)
      cuda::copy_to_host(mirror.host, mirror.device, mirror.device.bytes(), stream);
  }
}

namespace {

// Words move when the vector moves only by their owner: pointers are taken last.
void point_to_words(DeviceProgram::Prepared& prepared) {
  for (std::uint64_t& word : prepared.words) prepared.arguments.push_back(&word);
}

}  // namespace

DeviceProgram::Prepared DeviceProgram::prepare(std::uint32_t kernel,
                                               const std::vector<std::uint64_t>& decisions) const {
  const jit::EmittedKernel& emitted = emitted_.kernels.at(kernel);
  Prepared prepared;
  prepared.function = module_->function(emitted.name);
  prepared.shape.grid_x = blocks_.at(kernel);
  prepared.shape.block_x = emitted.threads;
  prepared.words.push_back(state_.address());
  for (const jit::Parameter& parameter : emitted.parameters) {
    const auto symbol = static_cast<std::size_t>(parameter.symbol);
    switch (parameter.kind) {
      case jit::Parameter::Kind::Buffer: prepared.words.push_back(memory_[symbol].address); break;
      case jit::Parameter::Kind::Size:
        prepared.words.push_back(static_cast<std::uint64_t>(sizes_[symbol]));
        break;
      case jit::Parameter::Kind::Decision:
        prepared.words.push_back(decisions.at(parameter.node));
        break;
    }
  }
  point_to_words(prepared);
  return prepared;
}

DeviceProgram::Prepared DeviceProgram::prepare_begin() const {
  Prepared prepared{module_->function("gyre_begin"), {}, {}, {}};
  prepared.shape.block_x = block_threads;
  prepared.words = {state_.address(), request_.device_address()};
  point_to_words(prepared);
  return prepared;
}

DeviceProgram::Prepared DeviceProgram::prepare_end() const {
  Prepared prepared{module_->function("gyre_end"), {}, {}, {}};
  prepared.shape.block_x = block_threads;
  prepared.words = {state_.address(), request_.device_address(), result_.device_address()};
  point_to_words(prepared);
  return prepared;
}

cuda::DeviceView DeviceProgram::memory_of(ir::SymbolId buffer) const {
  return memory_.at(static_cast<std::size_t>(buffer));
}

ir::BufferView DeviceProgram::device_view(ir::SymbolId argument) const {
  const ir::Symbol& symbol = (*plan_)[argument];
  if (symbol.kind != ir::SymbolKind::Buffer) {
    const CUdeviceptr cell = state_.address() + emitted_.layout.cell({argument});
    return {symbol.type, {}, reinterpret_cast<void*>(cell)};
  }
  ir::BufferView view = views_.at(static_cast<std::size_t>(argument));
  view.data = reinterpret_cast<void*>(memory_of(argument).address);
  return view;
}

std::uint64_t DeviceProgram::request(const ir::Bound& bound, const ir::RunOptions& options) {
  const Request head{++launches_,
                     options.max_trips,
                     emitted_.layout.first_counter(),
                     emitted_.layout.counter_count(),
                     static_cast<std::uint32_t>(inputs_.size()),
                     static_cast<std::uint32_t>(outputs_.size())};
  auto* words = static_cast<char*>(request_.data());
  std::memcpy(words, &head, sizeof(head));
  words += sizeof(head);
  const auto put = [&](std::uint64_t word) {
    std::memcpy(words, &word, sizeof(word));
    words += sizeof(word);
  };
  for (const ir::SymbolId input : inputs_) {
    put(emitted_.layout.cell({input}));
    put(bound.value(input).bits());
  }
  for (const ir::SymbolId output : outputs_) put(emitted_.layout.cell({output}));
  return head.launch;
}

bool DeviceProgram::has_result(std::uint64_t launch) const {
  const auto* last =
      static_cast<const volatile std::uint64_t*>(result_.data()) + control_words_ - 1;
  return *last == launch;
}

void DeviceProgram::cancel(std::uint64_t launch) const {
  const auto low = static_cast<std::uint32_t>(launch);
  std::memcpy(cancel_word_.data(), &low, sizeof(low));
  cuda::copy_to_device(state_.view().part(offsetof(jit::Control, cancel), sizeof(low)),
                       cancel_word_.data(), sizeof(low), cancel_stream_);
}

void DeviceProgram::describe_fault(const jit::Control& control, ir::Outcome& outcome) const {
  outcome.fault = static_cast<ir::FaultKind>(control.fault);
  if (outcome.fault == ir::FaultKind::ZeroStep) outcome.detail = "the step is 0";
  if (outcome.fault != ir::FaultKind::OutOfBounds) return;
  const ir::Symbol& buffer = plan_->symbols.at(control.fault_buffer);
  const auto& extents = views_.at(control.fault_buffer).extents;
  outcome.detail = buffer.name + "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    outcome.detail += (i == 0 ? "" : ", ") + std::to_string(control.fault_index[i]);
  }
  outcome.detail += "] is outside " + std::string(ir::name_of(buffer.type)) + "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    outcome.detail += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  }
  outcome.detail += "]";
}

ir::Outcome DeviceProgram::read_result() const {
  jit::Control control;
  std::memcpy(static_cast<void*>(&control), result_.data(), sizeof(control));
  const auto* words = static_cast<const std::uint64_t*>(result_.data()) + control_words_;
  ir::Outcome outcome;
  outcome.status = static_cast<ir::Status>(control.status);
  if (outcome.status == ir::Status::Stopped) {
    outcome.label = emitted_.names[control.label];
    outcome.code = control.code;
  }
  if (outcome.status == ir::Status::TripLimit || outcome.status == ir::Status::Fault) {
    outcome.region = emitted_.names[control.region];
  }
  if (outcome.status == ir::Status::Fault) describe_fault(control, outcome);
  for (const plan::Plan::Region& region : plan_->regions) {
    const auto* first =
        words + (emitted_.layout.counter(region.path) - emitted_.layout.first_counter()) / 8;
    if (region.arms == 0) {
      outcome.trips[region.path] = *first;
    } else {
      outcome.arms[region.path].assign(first, first + region.arms);
    }
  }
  words += emitted_.layout.counter_count();
  for (const ir::SymbolId output : outputs_) {
    const ir::Symbol& symbol = (*plan_)[output];
    outcome.scalars.emplace(symbol.name, value_from_bits(symbol.type, *words++));
  }
  return outcome;
}

}  // namespace gyre::executors
