#include "gyre/ir/interpret.hpp"

#include "gyre/ir/bind.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/visitor.hpp"
#include "interpret_bulk.hpp"
#include "interpret_expr.hpp"
#include "interpret_foreach.hpp"
#include "interpret_memory.hpp"
#include "interpret_primitive.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gyre::ir {
namespace {

/// Where a statement leads: to the next one, or out of the innermost loop's trip.
enum class Flow { Next, Break, Continue };

class Interpreter {
 public:
  Interpreter(const Program& program, const Arguments& arguments, const RunOptions& options)
      : program_(program),
        options_(options),
        memory_(program, resolve(program.symbols, arguments)),
        evaluator_(memory_) {}

  Outcome run_program() {
    prepare_counts(program_.body);
    evaluator_.region = &program_.name;
    try {
      run(program_.body);
    } catch (const Ending& ending) {
      outcome_.status = ending.status;
      outcome_.label = ending.label;
      outcome_.code = ending.code;
      outcome_.region = ending.region;
      outcome_.fault = ending.fault;
      outcome_.detail = ending.detail;
    }
    outcome_.scalars = memory_.results();
    return std::move(outcome_);
  }

 private:
  // Regions that never run count zeros. Not counted: what is inside a foreach, and what a pass made
  // and gave no path.
  bool is_counted(const RegionNode& self) const { return frame_ == nullptr && !self.path.empty(); }

  void prepare_counts(const Region& region) {
    if (as<Foreach>(region) != nullptr) return;
    if (!region->path.empty()) {
      const bool has_trips = as<While>(region) != nullptr || as<For>(region) != nullptr ||
                             as<CountTrips>(region) != nullptr;
      if (has_trips) outcome_.trips[region->path];
      if (as<If>(region) != nullptr) arms(*region, 2);
      if (const auto* op = as<Switch>(region)) arms(*region, op->cases.size() + 1);
    }
    for (const Region& child : children(region)) prepare_counts(child);
  }

  std::vector<std::uint64_t>& arms(const RegionNode& self, std::size_t count) {
    auto& counts = outcome_.arms[self.path];
    if (counts.size() < count) counts.resize(count);
    return counts;
  }

  Flow run(const Region& region) {
    const std::string* outside = evaluator_.region;
    if (!region->path.empty()) evaluator_.region = &region->path;
    const Flow flow = std::visit([&](const auto& op) { return run(*region, op); }, region->kind);
    evaluator_.region = outside;
    return flow;
  }

  Flow run_child(const Region& child, std::size_t number) {
    if (frame_ != nullptr) frame_->enter_child(static_cast<std::uint32_t>(number));
    const Flow flow = run(child);
    if (frame_ != nullptr) frame_->leave_child();
    return flow;
  }

  Flow run(const RegionNode&, const Seq& seq) {
    for (std::size_t i = 0; i < seq.items.size(); ++i) {
      const Flow flow = run_child(seq.items[i], i);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Declare& declare) {
    const Symbol& symbol = program_[declare.symbol];
    if (symbol.kind == SymbolKind::Buffer) {
      if (symbol.intent == Intent::Temp) memory_.enter_temp(declare.symbol);
    } else if (symbol.intent != Intent::In && symbol.intent != Intent::Inout) {
      memory_.value(declare.symbol) =
          symbol.initial ? evaluator_.eval(symbol.initial) : Value::zero(symbol.type);
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Let& let) {
    memory_.value(let.symbol) = evaluator_.eval(let.value);
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Assign& assign) {
    const SymbolId target = assign.place.symbol;
    if (SumOverIndices* sum = frame_ != nullptr ? frame_->sum_here() : nullptr) {
      sum->reach(frame_->linear(), evaluator_.eval(assign.value));
      return Flow::Next;
    }
    const bool element = program_[target].kind == SymbolKind::Buffer;
    const auto index = evaluator_.eval_index(assign.place.index);
    std::array<Value, 2> operands;
    if (assign.op) operands[0] = element ? evaluator_.load(target, index) : memory_.value(target);
    operands[1] = evaluator_.eval(assign.value);
    const Value value = assign.op ? eval(*assign.op, operands) : operands[1];
    if (element) {
      evaluator_.store(target, index, value);
    } else {
      memory_.value(target) = value;
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Scatter& scatter) {
    const SymbolId target = scatter.place.symbol;
    const auto index = evaluator_.eval_index(scatter.place.index);
    const Value value = evaluator_.eval(scatter.value);
    if (scatter.accumulate) {
      evaluator_.add_to(target, index, value);
    } else {
      evaluator_.store(target, index, value);
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Foreach& foreach) {
    const IndexSpace space = evaluator_.read_space(foreach.ranges);
    if (frame_ != nullptr) {
      // Within another one, as a loop.
      evaluator_.for_each_point(space, [&](std::int64_t) { run_child(foreach.body, 0); });
      return Flow::Next;
    }
    ForeachFrame frame(program_, foreach.body, static_cast<std::int64_t>(space.count));
    PromiseWatch watch(foreach.independent);
    frame_ = &frame;
    if (options_.checked) evaluator_.watch = &watch;
    const std::string* here = evaluator_.region;
    evaluator_.for_each_point(space, [&](std::int64_t linear) {
      evaluator_.region = here;
      frame.start_index(linear);
      watch.start_index(linear);
      evaluator_.within = true;
      try {
        run(foreach.body);
      } catch (Ending& ending) {
        // The promise is the foreach's own: it comes before all that its indices do.
        if (ending.fault == FaultKind::BrokenPromise) {
          ending.region = *here;
          frame.leave_body();
        }
        frame.end_index(ending);
      }
    });
    frame_ = nullptr;
    evaluator_.watch = nullptr;
    evaluator_.within = false;

    if (frame.least_ending()) throw *frame.least_ending();
    for (auto& [position, sum] : frame.sums()) {
      const Value operands[] = {memory_.value(sum.scalar()), sum.finish()};
      memory_.value(sum.scalar()) = eval(Op::Add, operands);
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Call& call) {
    run_call(memory_, call);
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Copy& copy) {
    run_copy(memory_, copy);
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Fill& fill) {
    run_fill(memory_, fill, evaluator_.eval(fill.value));
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Primitive& op) {
    run_primitive(memory_, evaluator_, op);
    return Flow::Next;
  }

  Flow run_arm(const RegionNode& self, std::size_t arms_in_all, std::size_t arm,
               const Region& body) {
    if (is_counted(self)) ++arms(self, arms_in_all)[arm];
    return body ? run_child(body, arm) : Flow::Next;
  }

  Flow run(const RegionNode& self, const If& op) {
    return evaluator_.holds(op.condition) ? run_arm(self, 2, 0, op.then)
                                          : run_arm(self, 2, 1, op.otherwise);
  }

  Flow run(const RegionNode& self, const Switch& op) {
    const std::int64_t selector = evaluator_.eval(op.selector).as_integer();
    const auto holds = [&](const Case& one) {
      return std::any_of(one.labels.begin(), one.labels.end(), [&](const Case::Label& label) {
        return label.first <= selector && selector < label.last;
      });
    };
    const auto found = std::find_if(op.cases.begin(), op.cases.end(), holds);
    const auto arm = static_cast<std::size_t>(found - op.cases.begin());
    return run_arm(self, op.cases.size() + 1, arm,
                   found == op.cases.end() ? op.otherwise : found->body);
  }

  std::uint64_t limit_of(const While& loop) {
    if (!loop.limit) return options_.max_trips;
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(evaluator_.eval(loop.limit).as_integer(), 0));
  }

  void start_trip(const RegionNode& self) {
    if (frame_ != nullptr) return;
    if (options_.cancel != nullptr && options_.cancel->load()) {
      throw Ending{.status = Status::Cancelled};
    }
    if (!is_counted(self)) return;
    const std::uint64_t trip = outcome_.trips[self.path]++;
    if (options_.progress != nullptr) options_.progress->fetch_add(1, std::memory_order_relaxed);
    if (options_.on_trip) options_.on_trip(self.path, trip, {});
  }

  void skip_trips(const RegionNode& self, std::uint64_t count) {
    if (is_counted(self)) outcome_.trips[self.path] += count;
  }

  Flow run(const RegionNode& self, const While& loop) {
    const std::uint64_t limit = limit_of(loop);
    for (std::uint64_t trips = 0;; ++trips) {
      const bool tested = !loop.test_last || trips != 0;
      if (tested && !evaluator_.holds(loop.condition)) return Flow::Next;
      // Nothing in an empty body changes a condition that holds: on to the limit at once.
      if (tested && trips < limit && is_empty(loop.body)) {
        skip_trips(self, limit - trips);
        trips = limit;
      }
      if (trips >= limit) throw Ending{.status = Status::TripLimit, .region = self.path};
      start_trip(self);
      if (run_child(loop.body, 0) == Flow::Break) return Flow::Next;
    }
  }

  Flow run(const RegionNode& self, const For& loop) {
    const ReadRange range = evaluator_.read_range(loop.range);
    if (is_empty(loop.body)) {
      skip_trips(self, range.count);
      return Flow::Next;
    }
    for (std::uint64_t trip = 0; trip < range.count; ++trip) {
      memory_.value(range.index) = range.at(trip);
      start_trip(self);
      if (run_child(loop.body, 0) == Flow::Break) return Flow::Next;
    }
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Fork& fork) {
    const std::string* here = evaluator_.region;
    std::optional<Ending> first;
    for (const Region& arm : fork.arms) {
      try {
        run(arm);
      } catch (const Ending& ending) {
        // The other arms go on as if it had not been.
        evaluator_.region = here;
        evaluator_.within = false;
        if (!first) first = ending;
      }
    }
    if (first) throw *first;
    return Flow::Next;
  }

  Flow run(const RegionNode&, const Break&) { return Flow::Break; }
  Flow run(const RegionNode&, const Continue&) { return Flow::Continue; }

  Flow run(const RegionNode&, const Stop& stop) {
    Ending ending{.status = Status::Stopped};
    ending.label = stop.label;
    if (stop.code) ending.code = evaluator_.eval(stop.code).as_integer();
    throw ending;
  }

  Flow run(const RegionNode&, const CheckStep& check) {
    if (evaluator_.eval(check.step).as_integer() == 0) evaluator_.fault_zero_step();
    return Flow::Next;
  }

  Flow run(const RegionNode& self, const CountTrips& count) {
    skip_trips(self, static_cast<std::uint64_t>(evaluator_.eval(count.trips).as_integer()));
    return Flow::Next;
  }

  const Program& program_;
  const RunOptions& options_;
  Memory memory_;
  Evaluator evaluator_;
  Outcome outcome_;
  /// The foreach being run, or null at device level.
  ForeachFrame* frame_ = nullptr;
};

}  // namespace

Outcome interpret(const Program& program, const Arguments& arguments, const RunOptions& options) {
  return Interpreter(program, arguments, options).run_program();
}

}  // namespace gyre::ir
