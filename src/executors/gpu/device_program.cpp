#include "device_program.hpp"

#include "check_memory.hpp"
#include "grid.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/pointer_facts.hpp"
#include "gyre/plan/arena.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace gyre::executors {
namespace {

bool is_callers_buffer(const ir::Symbol& symbol) {
  return symbol.kind == ir::SymbolKind::Buffer && symbol.intent != ir::Intent::Temp;
}

constexpr std::size_t head_words = sizeof(jit::Control) / sizeof(std::uint64_t);

std::size_t bytes_of(const ir::Symbol& symbol, const ir::BufferView& view) {
  return static_cast<std::size_t>(view.element_count()) * ir::size_of(symbol.type);
}

// By SymbolId: which buffers lie on the host.
std::vector<bool> find_mirrored(const plan::Plan& plan, const ir::Bound& bound,
                                const std::vector<cuda::PointerFacts>& facts) {
  std::vector<bool> mirrored(bound.buffers.size());
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    const ir::Symbol& symbol = plan.symbols[i];
    if (!is_callers_buffer(symbol) || bytes_of(symbol, bound.buffers[i]) == 0) continue;
    mirrored[i] =
        facts[i].kind != cuda::MemoryKind::Device && facts[i].kind != cuda::MemoryKind::Managed;
  }
  return mirrored;
}

// Words move when the vector moves only by their owner: pointers are taken last.
void point_to_words(DeviceProgram::Prepared& prepared) {
  for (std::uint64_t& word : prepared.words) prepared.arguments.push_back(&word);
}

// Which buffer a step's kernel is given for one of its own.
std::size_t given_for(ir::SymbolId buffer, const jit::Step& step) {
  const plan::WhileNode::Swap* swapped = step.swapped;
  if (swapped == nullptr) return static_cast<std::size_t>(buffer);
  return static_cast<std::size_t>(buffer == swapped->to     ? swapped->from
                                  : buffer == swapped->from ? swapped->to
                                                            : buffer);
}

}  // namespace

DeviceProgram::DeviceProgram(std::shared_ptr<const DeviceModule> module, std::uint32_t places,
                             std::shared_ptr<DeviceArena> arena)
    : module_(std::move(module)),
      mailbox_(8 * (1 + module_->emitted().inputs.size()),
               head_words + module_->emitted().layout.counter_count() + outputs().size(),
               offsetof(jit::Control, launch) / sizeof(std::uint64_t), places),
      state_(module_->emitted().layout.bytes()),
      guard_(16),
      watch_(module_->emitted().watched),
      shares_arena_(arena != nullptr),
      arena_(shares_arena_ ? std::move(arena) : std::make_shared<DeviceArena>()),
      calls_(std::make_unique<CallResources>()),
      side_words_(sizeof(jit::Control) + 8 * module_->emitted().layout.counter_count() + 8),
      most_shared_(cuda::read_device_facts().max_shared_per_block),
      views_(std::make_shared<const std::vector<ir::BufferView>>()) {
  GYRE_CHECK(places <= jit::queue_places, "more launches may wait than kernels know places for");
  GYRE_CHECK(std::has_single_bit(places), "kernels count places by their bits");
  for (std::uint32_t arm = 0; arm <= module_->emitted().layout.arms(); ++arm) {
    calls_->scratch.emplace_back(arena_->chunks(arm));
  }
  cuda::release_dropped();
  cuda::clear(state_, side_stream());
  const std::uint32_t guard[4] = {1, 0, 0, 0};
  cuda::copy_to_device(guard_, guard, sizeof(guard), side_stream());
  side_stream().synchronize();
}

// By SymbolId: what the caller's buffers are, each checked.
std::vector<cuda::PointerFacts> DeviceProgram::facts_of(const ir::Bound& bound) const {
  std::vector<cuda::PointerFacts> facts(bound.buffers.size());
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    const ir::Symbol& symbol = plan().symbols[i];
    const ir::BufferView& view = bound.buffers[i];
    if (!is_callers_buffer(symbol) || bytes_of(symbol, view) == 0) continue;
    facts[i] = cuda::pointer_facts(reinterpret_cast<CUdeviceptr>(view.data));
    check_memory(symbol, view, facts[i], device_context().ordinal());
  }
  return facts;
}

void DeviceProgram::check_memory_is_there(const ir::Bound& bound) const {
  const std::vector<cuda::PointerFacts> now = facts_of(bound);
  for (std::size_t i = 0; i < now.size(); ++i) {
    check_allocation(plan().symbols[i], facts_.at(i), now[i]);
  }
}

// Whether sizes change, or a mirror comes, goes or takes other memory.
bool DeviceProgram::changes_layout(const ir::Bound& bound,
                                   const std::vector<bool>& mirrored) const {
  if (sizes_.empty() || has_mirrors()) return true;
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    const bool is_size = plan().symbols[i].kind == ir::SymbolKind::Size;
    if (mirrored[i] || (is_size && sizes_[i] != bound.values[i].as_integer())) return true;
  }
  return false;
}

DeviceProgram::Change DeviceProgram::bind(const ir::Bound& bound,
                                          const std::function<void()>& let_launches_end) {
  if (bound.memory_version != 0 && bound.memory_version == memory_version_) return Change::Nothing;
  std::vector<cuda::PointerFacts> facts = facts_of(bound);
  const std::vector<bool> mirrored = find_mirrored(plan(), bound, facts);
  if (changes_layout(bound, mirrored)) let_launches_end();
  const auto before_memory = std::exchange(memory_, {});
  // A bind that an exception ends leaves nothing that the next one may rely on.
  const auto shaped_for = std::exchange(shaped_for_, std::nullopt);
  memory_version_ = 0;
  sizes_.clear();
  views_ = std::make_shared<const std::vector<ir::BufferView>>(bound.buffers);
  facts_ = std::move(facts);
  memory_.resize(plan().symbols.size());
  sizes_.resize(plan().symbols.size());
  mirrors_.begin_bind();
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    const ir::Symbol& symbol = plan().symbols[i];
    if (symbol.kind == ir::SymbolKind::Size) sizes_[i] = bound.values[i].as_integer();
    if (!is_callers_buffer(symbol)) continue;
    const ir::BufferView& view = bound.buffers[i];
    const std::size_t bytes = bytes_of(symbol, view);
    memory_[i] = mirrored[i]
                     ? mirrors_.add(static_cast<ir::SymbolId>(i), symbol.intent, view, bytes)
                     : cuda::DeviceView{reinterpret_cast<CUdeviceptr>(view.data), bytes};
  }
  mirrors_.end_bind();
  const bool relaid = lay_out_temporaries(bound, let_launches_end);
  const bool moved = watch_.bind(bound.buffers, side_stream()) || relaid;
  const bool is_resized = shaped_for != sizes_;
  if (is_resized) share_and_shape(bound);
  shaped_for_ = sizes_;
  memory_version_ = bound.memory_version;
  if (moved || is_resized) {
    moved_.assign(memory_.size(), true);
    is_laid_out_anew_ = true;
    return Change::Layout;
  }
  is_laid_out_anew_ = false;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const cuda::DeviceView& now = memory_[i];
    const cuda::DeviceView& before = before_memory[i];
    moved_[i] = now.address != before.address || now.bytes != before.bytes;
  }
  const bool same = std::find(moved_.begin(), moved_.end(), true) == moved_.end();
  return same ? Change::Nothing : Change::Addresses;
}

bool DeviceProgram::has_moved(const jit::Step& step) const {
  const jit::EmittedKernel& emitted = module_->emitted().kernels.at(step.kernel.value());
  const auto touches_moved = [&](const jit::Parameter& parameter) {
    return parameter.kind == jit::Parameter::Kind::Buffer &&
           moved_[static_cast<std::size_t>(given_for(parameter.symbol, step))];
  };
  const auto any = [&](const std::vector<jit::Parameter>& parameters) {
    return std::any_of(parameters.begin(), parameters.end(), touches_moved);
  };
  // Where the layout changed all has moved, what touches no buffer too.
  return is_laid_out_anew_ || any(emitted.parameters_of(sharing_[*step.kernel].form));
}

// Who runs each kernel's points, which sizes alone decide; what that takes is compiled where it is
// not there yet.
void DeviceProgram::share_and_shape(const ir::Bound& bound) {
  const auto kernels = static_cast<std::uint32_t>(module_->emitted().kernels.size());
  std::vector<jit::FoldForm> forms;
  sharing_.clear();
  shapes_.clear();
  row_rooms_.clear();
  for (std::uint32_t i = 0; i < kernels; ++i) {
    sharing_.push_back(sharing_of(i, bound));
    forms.push_back(sharing_.back().form);
  }
  functions_ = module_->functions(forms);
  for (std::uint32_t i = 0; i < kernels; ++i) shapes_.push_back(shape_of(i, bound));
  for (const jit::EmittedKernel& emitted : module_->emitted().kernels) {
    row_rooms_.push_back(
        emitted.resident ? row_rooms(plan(), module_->loop(emitted.loop), *emitted.resident, bound)
                         : RowRooms());
  }
}

Sharing DeviceProgram::sharing_of(std::uint32_t kernel, const ir::Bound& bound) const {
  const jit::EmittedKernel& emitted = module_->emitted().kernels[kernel];
  if (emitted.long_forms.empty()) return {};
  return choose_sharing(plan(), *plan().kernels[*emitted.kernel].sweep, bound,
                        {emitted.stage_bytes(), most_shared_});
}

cuda::LaunchShape DeviceProgram::shape_of(std::uint32_t kernel, const ir::Bound& bound) const {
  const jit::EmittedKernel& emitted = module_->emitted().kernels[kernel];
  if (emitted.resident) {
    return resident_launch(plan(), module_->loop(emitted.loop), *emitted.resident, bound,
                           functions_->at(kernel));
  }
  if (!emitted.kernel) return {.grid_x = 1, .block_x = emitted.threads};
  const plan::Kernel& planned = plan().kernels[*emitted.kernel];
  const Sharing& sharing = sharing_[kernel];
  const unsigned blocks = blocks_of(plan(), planned, bound, sharing.lanes);
  return {.grid_x = blocks + (emitted.has_block_of_epilogue ? 1 : 0),
          .block_x = emitted.threads,
          .shared_bytes = emitted.threads / 32 * sharing.stage_elements * emitted.stage_bytes()};
}

// Whether they have moved. Launches under way keep the memory that they were launched with.
bool DeviceProgram::lay_out_temporaries(const ir::Bound& bound,
                                        const std::function<void()>& let_launches_end) {
  std::vector<std::size_t> bytes;
  for (const plan::Temporary& temporary : plan().temporaries) {
    bytes.push_back(bytes_of(plan()[temporary.buffer], bound.buffer(temporary.buffer)));
  }
  const plan::ArenaLayout layout = plan::layout_arena(plan(), bytes);
  if (layout.total == 0 && !temporaries_) return false;
  const CUdeviceptr before = temporaries_ ? temporaries_->address() : 0;
  if (temporaries_ && temporaries_->bytes() < layout.total) {
    let_launches_end();
    // Given back before more is taken.
    temporaries_ = nullptr;
  }
  auto piece = arena_->pieces.take(layout.total);
  if (temporaries_ && piece != temporaries_) let_launches_end();
  temporaries_ = std::move(piece);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto buffer = static_cast<std::size_t>(plan().temporaries[i].buffer);
    memory_[buffer] = {temporaries_->address() + layout.offsets[i], bytes[i]};
  }
  return temporaries_->address() != before;
}

DeviceProgram::Prepared DeviceProgram::prepare(const jit::Step& step,
                                               const std::vector<std::uint64_t>& decisions) const {
  const std::uint32_t kernel = step.kernel.value();
  const jit::EmittedKernel& emitted = module_->emitted().kernels.at(kernel);
  const Sharing& sharing = sharing_.at(kernel);
  const auto& parameters = emitted.parameters_of(sharing.form);
  Prepared prepared{functions_->at(kernel), shapes_.at(kernel), {}, {}};
  prepared.words.reserve(parameters.size() + 1);
  prepared.words.push_back(head(step.arm));
  const auto word = [&](const jit::Parameter& parameter) -> std::uint64_t {
    using Kind = jit::Parameter::Kind;
    const auto symbol = static_cast<std::size_t>(parameter.symbol);
    switch (parameter.kind) {
      case Kind::Buffer: return memory_[given_for(parameter.symbol, step)].address;
      case Kind::Shadow: return watch_.shadow(parameter.symbol);
      case Kind::Size: return static_cast<std::uint64_t>(sizes_[symbol]);
      case Kind::Decision: return decisions.at(parameter.node);
      case Kind::Guard: return step.guard;
      case Kind::NextGuard: return step.next_guard;
      case Kind::Lanes: return sharing.lanes;
      case Kind::StageElements: return sharing.stage_elements;
      case Kind::RowElements: return row_rooms_.at(kernel).at(parameter.node);
      case Kind::Requests: return mailbox_.requests();
      case Kind::RequestBytes: return mailbox_.request_bytes();
      case Kind::Results: return mailbox_.results();
      case Kind::ResultBytes: return mailbox_.result_bytes();
      case Kind::Places: return mailbox_.places();
    }
    GYRE_CHECK(false, "a kernel's parameter is of a kind that nobody knows");
    return 0;
  };
  for (const jit::Parameter& parameter : parameters) {
    prepared.words.push_back(word(parameter));
  }
  point_to_words(prepared);
  return prepared;
}

cuda::DeviceView DeviceProgram::memory_of(ir::SymbolId buffer) const {
  return memory_.at(static_cast<std::size_t>(buffer));
}

ir::BufferView DeviceProgram::device_view(ir::SymbolId argument) const {
  const ir::Symbol& symbol = plan()[argument];
  if (symbol.kind != ir::SymbolKind::Buffer) {
    const CUdeviceptr cell = head(0) + module_->emitted().layout.cell({argument});
    return {symbol.type, {}, reinterpret_cast<void*>(cell)};
  }
  ir::BufferView view = views_->at(static_cast<std::size_t>(argument));
  view.data = reinterpret_cast<void*>(memory_of(argument).address);
  return view;
}

void DeviceProgram::write_request(std::uint64_t launch, const ir::Bound& bound,
                                  const ir::RunOptions& options) const {
  char* words = mailbox_.request(launch);
  const auto put = [&](std::uint64_t word) {
    std::memcpy(words, &word, sizeof(word));
    words += sizeof(word);
  };
  put(options.max_trips);
  for (const ir::SymbolId input : module_->emitted().inputs) put(bound.value(input).bits());
}

std::uint64_t DeviceProgram::any_result() const {
  const std::uint64_t teller = mailbox_.last_teller(1);
  return teller != 0 && mailbox_.has_result(teller) ? teller : 0;
}

std::size_t DeviceProgram::held_bytes() const {
  std::size_t bytes = state_.bytes() + guard_.bytes() + watch_.bytes();
  if (!shares_arena_) bytes += arena_->held_bytes();
  return bytes + mirrors_.bytes();
}

}  // namespace gyre::executors
