#include "support/gyre_cg.hpp"

#include "gyre/ir/bind.hpp"
#include "gyre/text/parser.hpp"
#include "support/cg_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gyre::bench {
namespace {

SolveOutcome outcome_of(const ir::Outcome& outcome) {
  return {outcome.scalars.at("trips").as<std::int32_t>(),
          static_cast<std::int64_t>(outcome.host_syncs)};
}

class DeviceCg : public SolveWay {
 public:
  explicit DeviceCg(std::string executor) : name_(std::move(executor)) {}

  std::string name() const override { return name_; }
  std::string executor() const override { return cg_ ? std::string(cg_->executor()) : name_; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    if (!cg_) cg_.emplace(compile_cg(name_));
    bind_cg(*cg_, system, limits);
    cg_->prepare();
  }

  SolveOutcome solve() override { return outcome_of(cg_->run().outcome()); }

 private:
  std::string name_;
  /// Compiled where it is first used: not every executor takes the program on every machine.
  std::optional<Executable> cg_;
};

class HostCg : public SolveWay {
 public:
  explicit HostCg(std::string executor) : name_(std::move(executor)), cg_(compile_cg(name_)) {}

  std::string name() const override { return name_; }
  std::string executor() const override { return std::string(cg_.executor()); }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    row_ = system.row.to_host();
    col_ = system.col.to_host();
    val_ = system.val.to_host();
    b_ = system.b.to_host();
    x_.resize(b_.size());
    cg_.bind("row", row_);
    cg_.bind("col", col_);
    cg_.bind("val", val_);
    cg_.bind("b", b_);
    cg_.bind("x", x_);
    cg_.set("rtol", limits.rtol);
    cg_.set("max_trips", limits.max_trips);
    cg_.prepare();
  }

  void reset(DeviceSystem&) override { std::fill(x_.begin(), x_.end(), 0.0); }
  SolveOutcome solve() override { return outcome_of(cg_.run().outcome()); }
  void deliver(DeviceSystem& system) override { system.x.fill_from(x_); }

 private:
  std::string name_;
  Executable cg_;
  std::vector<std::int32_t> row_, col_;
  std::vector<double> val_, b_, x_;
};

class PlanCg : public SolveWay {
 public:
  PlanCg(std::string name, const std::string& executor, const MakeExecutor& make)
      : name_(std::move(name)),
        compiled_(std::make_shared<Executable>(compile_cg(executor))),
        plan_(compiled_, &compiled_->plan()),
        executor_(make(plan_)) {}

  std::string name() const override { return name_; }
  std::string executor() const override { return std::string(executor_->name()); }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    ir::Arguments arguments;
    const auto give = [&](const char* buffer, const auto& array) {
      const auto type = ir::type_of<std::remove_pointer_t<decltype(array.data())>>;
      arguments.buffers[buffer] = {type, {static_cast<std::int64_t>(array.size())}, array.data()};
    };
    give("row", system.row);
    give("col", system.col);
    give("val", system.val);
    give("b", system.b);
    give("x", system.x);
    arguments.scalars["rtol"] = ir::Value(limits.rtol);
    arguments.scalars["max_trips"] = ir::Value(std::int32_t{limits.max_trips});
    bound_ = ir::resolve(plan_->symbols, arguments);
    executor_->prepare(bound_, {});
  }

  SolveOutcome solve() override { return outcome_of(executor_->run(bound_, {})); }

 private:
  std::string name_;
  std::shared_ptr<Executable> compiled_;
  std::shared_ptr<const plan::Plan> plan_;
  std::unique_ptr<executors::Executor> executor_;
  ir::Bound bound_;
};

}  // namespace

Executable compile_cg(const std::string& executor) {
  return compile(text::parse_program("cg", cg_text),
                 {.executor = executor, .overlap = Overlap::Queue});
}

void bind_cg(Executable& cg, const DeviceSystem& system, const SolveLimits& limits) {
  cg.bind("row", system.row.data(), {system.rows() + 1});
  cg.bind("col", system.col.data(), {system.entries()});
  cg.bind("val", system.val.data(), {system.entries()});
  cg.bind("b", system.b.data(), {system.rows()});
  cg.bind("x", system.x.data(), {system.rows()});
  cg.set("rtol", limits.rtol);
  cg.set("max_trips", limits.max_trips);
}

SolveWays make_gyre_cgs(const std::vector<std::string>& executors) {
  SolveWays ways;
  for (const std::string& executor : executors) {
    if (executor == "cpu") {
      ways.push_back(std::make_unique<HostCg>(executor));
    } else {
      ways.push_back(std::make_unique<DeviceCg>(executor));
    }
  }
  return ways;
}

std::unique_ptr<SolveWay> make_gyre_cg_on(const std::string& name, const std::string& executor,
                                          const MakeExecutor& make) {
  return std::make_unique<PlanCg>(name, executor, make);
}

}  // namespace gyre::bench
