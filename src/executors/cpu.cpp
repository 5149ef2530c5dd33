#include "gyre/executors/cpu.hpp"

#include "cpu_kernel.hpp"
#include "gyre/base/host_memory.hpp"
#include "host_arena.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace gyre::executors {
namespace {

using namespace cpu;

std::size_t bytes_of(const ir::BufferView& view) {
  return static_cast<std::size_t>(view.element_count()) * ir::size_of(view.type);
}

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(std::shared_ptr<const plan::Plan> plan, CpuOptions options)
      : plan_(std::move(plan)),
        pool_(options.threads),
        counts_(*plan_),
        shares_arena_(options.arena != nullptr),
        arena_(shares_arena_ ? options.arena->part<HostArena>() : std::make_shared<HostArena>()) {
    const std::size_t symbols = plan_->symbols.size();
    shared_.symbols = plan_->symbols;
    shared_.buffers.resize(symbols);
    shared_.current.resize(symbols);
    cells_.home.resize(symbols);
    cells_.shadow.resize(symbols);
    for (const plan::Reduction& reduction : plan_->reductions) {
      reductions_.push_back({&fold_table(reduction.op, reduction.type), {}, 0});
    }
    for (const plan::Kernel& kernel : plan_->kernels) {
      kernels_.push_back(std::make_unique<KernelRun>(*plan_, kernel, shared_, cells_, reductions_,
                                                     counts_, pool_));
    }
  }

  std::string_view name() const override { return "cpu"; }

  void prepare(const ir::Bound& bound, const ir::RunOptions&) override {
    views_ = bound.buffers;
    place_temporaries();
  }
  std::size_t held_bytes() const override { return shares_arena_ ? 0 : arena_->held_bytes(); }

  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override {
    GYRE_CHECK(bound.values.size() == plan_->symbols.size(),
               "arguments were resolved for another plan");
    GYRE_CHECK(!options.checked || !plan_->fused, "a fused plan is not for checked runs");
    if (options.checked) check_memory_is_there(bound);
    options_ = &options;
    views_ = bound.buffers;
    ending_.reset();
    counts_.clear();
    shared_.max_trips = options.max_trips;
    bind(bound);
    run(plan_->body);
    return outcome();
  }

 private:
  // What an allocator keeps for itself looks as if it were there.
  void check_memory_is_there(const ir::Bound& bound) const {
    for (std::size_t i = 0; i < plan_->symbols.size(); ++i) {
      const ir::Symbol& symbol = plan_->symbols[i];
      if (symbol.kind != ir::SymbolKind::Buffer || symbol.intent == ir::Intent::Temp) continue;
      const std::size_t bytes = bytes_of(bound.buffers[i]);
      const auto first = reinterpret_cast<std::uintptr_t>(bound.buffers[i].data);
      if (bytes == 0 || (host_can_read(first) && host_can_read(first + bytes - 1))) continue;
      throw UsageError("the memory of buffer '" + symbol.name +
                       "' cannot be read: it was freed since it was bound, or never allocated");
    }
  }

  void bind(const ir::Bound& bound) {
    place_temporaries();
    for (std::size_t i = 0; i < plan_->symbols.size(); ++i) {
      if (plan_->symbols[i].kind == ir::SymbolKind::Buffer) {
        shared_.buffers[i] = {views_[i].type, static_cast<char*>(views_[i].data),
                              views_[i].extents};
      }
      const ir::Value& value = bound.values[i];
      std::uint64_t bytes = 0;
      if (value.type() != ir::ScalarType::Invalid) {
        ir::store_element(value.type(), &bytes, 0, value);
      }
      shared_.current[i] = cells_.home[i] = cells_.shadow[i] = bytes;
    }
  }

  void place_temporaries() {
    std::vector<std::size_t> sizes;
    for (const plan::Temporary& temporary : plan_->temporaries) {
      sizes.push_back(bytes_of(views_[static_cast<std::size_t>(temporary.buffer)]));
    }
    const plan::ArenaLayout layout = plan::layout_arena(*plan_, sizes);
    if (layout.total == 0 && !temporaries_) return;
    // Given back before more is taken. Not cleared: a temp is, where its life begins.
    if (temporaries_ && temporaries_->bytes() < layout.total) temporaries_ = nullptr;
    temporaries_ = arena_->pieces.take(layout.total);
    for (std::size_t i = 0; i < layout.offsets.size(); ++i) {
      views_[static_cast<std::size_t>(plan_->temporaries[i].buffer)].data =
          temporaries_->data() + layout.offsets[i];
    }
  }

  // Each returns whether the run goes on.
  bool run(const plan::Block& block) {
    for (const plan::Node& node : block.nodes) {
      if (!std::visit([&](const auto& kind) { return run(kind); }, node)) return false;
    }
    return true;
  }

  bool end(RunEnding ending) {
    ending_ = std::move(ending);
    return false;
  }

  bool run(const plan::Launch& launch) {
    if (auto ending = kernels_[launch.kernel]->run(options_->checked)) {
      return end(std::move(*ending));
    }
    return true;
  }

  bool run(const plan::Clear& clear) {
    const ir::BufferView& view = views_[static_cast<std::size_t>(clear.buffer)];
    if (bytes_of(view) != 0) std::memset(view.data, 0, bytes_of(view));
    return true;
  }

  bool run(const plan::CopyBuffer& copy) {
    const ir::BufferView& to = views_[static_cast<std::size_t>(copy.to)];
    const ir::BufferView& from = views_[static_cast<std::size_t>(copy.from)];
    if (to.extents != from.extents) {
      throw UsageError("copy: the extents of '" + (*plan_)[copy.to].name + "' and '" +
                       (*plan_)[copy.from].name + "' differ in this run");
    }
    if (bytes_of(to) != 0) std::memmove(to.data, from.data, bytes_of(to));
    return true;
  }

  bool run(const plan::RunCall& call) {
    const ir::Callee& callee = *call.callee;
    if (!callee.host) {
      throw UsageError("call '" + callee.name + "' has no host function, so it cannot run here");
    }
    // Scalars travel as copies, and only those that the call may write come back.
    std::vector<std::uint64_t> scalars(call.arguments.size());
    ir::HostCallContext context;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto id = static_cast<std::size_t>(call.arguments[i]);
      if (plan_->symbols[id].kind == ir::SymbolKind::Buffer) {
        context.arguments.push_back(views_[id]);
        continue;
      }
      scalars[i] = shared_.current[id];
      context.arguments.push_back({plan_->symbols[id].type, {}, &scalars[i]});
    }
    callee.host(context);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto id = static_cast<std::size_t>(call.arguments[i]);
      if (plan_->symbols[id].kind == ir::SymbolKind::Buffer) continue;
      if (callee.accesses[i] == ir::Access::Read) continue;
      shared_.current[id] = cells_.home[id] = scalars[i];
    }
    return true;
  }

  bool run(const plan::IfNode& node) {
    const bool holds = home(node.predicate).as<bool>();
    counts_.count_arm(node.region, holds ? 0 : 1);
    const auto& arm = holds ? node.then : node.otherwise;
    return arm == nullptr || run(*arm);
  }

  bool run(const plan::SwitchNode& node) {
    const std::int64_t selector = home(node.selector).as_integer();
    const auto found =
        std::find_if(node.labels.begin(), node.labels.end(), [&](const auto& labels) {
          return std::any_of(labels.begin(), labels.end(), [&](const ir::Case::Label& label) {
            return label.first <= selector && selector < label.last;
          });
        });
    const auto arm = static_cast<std::size_t>(found - node.labels.begin());
    counts_.count_arm(node.region, arm);
    if (found != node.labels.end()) return run(node.cases[arm]);
    return node.otherwise == nullptr || run(*node.otherwise);
  }

  bool run(const plan::WhileNode& node) {
    const std::uint64_t limit = limit_of(node);
    std::uint64_t* count = counts_.trips(node.region);
    for (std::uint64_t trips = 0; home(node.predicate).as<bool>(); ++trips) {
      // What holds now holds for ever: on to the limit at once.
      if (trips != 0 && trips < limit && node.steady) {
        if (count != nullptr) *count += limit - trips;
        trips = limit;
      }
      if (trips >= limit) {
        return end({ir::Status::TripLimit, "", 0, node.region, ir::FaultKind::None, ""});
      }
      if (options_->cancel != nullptr && options_->cancel->load()) {
        return end({ir::Status::Cancelled, "", 0, "", ir::FaultKind::None, ""});
      }
      if (count != nullptr) {
        const std::uint64_t trip = (*count)++;
        if (options_->progress != nullptr) {
          options_->progress->fetch_add(1, std::memory_order_relaxed);
        }
        if (options_->on_trip) options_->on_trip(node.region, trip, {});
      }
      if (!run(*node.body)) return false;
    }
    return true;
  }

  // One arm after the other, on all threads each.
  bool run(const plan::ForkNode& node) {
    std::optional<RunEnding> first;
    for (const plan::Block& arm : node.arms) {
      if (!run(arm) && !first) first = std::move(ending_);
      ending_.reset();
    }
    ending_ = std::move(first);
    return !ending_;
  }

  std::uint64_t limit_of(const plan::WhileNode& node) const {
    const auto from = [](std::int64_t limit) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(limit, 0));
    };
    if (node.limit) return from(home(*node.limit).as_integer());
    return node.constant_limit ? from(*node.constant_limit) : options_->max_trips;
  }

  ir::Value home(ir::SymbolId id) const { return value_of(id, cells_.home); }
  ir::Value value_of(ir::SymbolId id, const std::vector<std::uint64_t>& cells) const {
    return ir::load_element((*plan_)[id].type, &cells[static_cast<std::size_t>(id)], 0);
  }

  ir::Outcome outcome() const {
    ir::Outcome outcome;
    if (ending_) {
      outcome.status = ending_->status;
      outcome.label = ending_->label;
      outcome.code = ending_->code;
      outcome.region = ending_->region;
      outcome.fault = ending_->fault;
      outcome.detail = ending_->detail;
    }
    counts_.write(outcome);
    for (std::size_t i = 0; i < plan_->symbols.size(); ++i) {
      const ir::Symbol& symbol = plan_->symbols[i];
      if (symbol.kind != ir::SymbolKind::Scalar) continue;
      if (symbol.intent != ir::Intent::Out && symbol.intent != ir::Intent::Inout) continue;
      // What an ended kernel had computed counts, though it reached no cell.
      outcome.scalars.emplace(symbol.name, value_of(static_cast<ir::SymbolId>(i), shared_.current));
    }
    return outcome;
  }

  std::shared_ptr<const plan::Plan> plan_;
  ThreadPool pool_;
  Shared shared_;
  Cells cells_;
  RegionCounts counts_;
  std::vector<ReductionState> reductions_;
  std::vector<std::unique_ptr<KernelRun>> kernels_;

  const ir::RunOptions* options_ = nullptr;
  std::vector<ir::BufferView> views_;
  bool shares_arena_;
  std::shared_ptr<HostArena> arena_;
  std::shared_ptr<const HostPiece> temporaries_;
  std::optional<RunEnding> ending_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(std::shared_ptr<const plan::Plan> plan,
                                            CpuOptions options) {
  return std::make_unique<CpuExecutor>(std::move(plan), options);
}

}  // namespace gyre::executors
