#include "gyre/executors/gpu.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "support/model_way.hpp"

#include <functional>
#include <utility>

namespace gyre::bench {
namespace {

using executors::HostBranchOptions;
using MakeExecutor =
    std::function<std::unique_ptr<executors::Executor>(std::shared_ptr<const plan::Plan>)>;

/// An executor, with a choice where it has one.
struct Choice {
  const char* executor;
  const char* name;
  plan::PlanSteps steps;
  MakeExecutor make;
};

plan::PlanSteps steps_without_select_arms() {
  plan::PlanSteps steps = plan::all_steps;
  steps.select_arms = false;
  return steps;
}

Choice automatic() {
  return {"auto", "", plan::all_steps,
          [](auto plan) { return executors::make_executor(std::move(plan), {.name = "auto"}); }};
}
Choice by_cost() {
  return {"device_graph", "", plan::all_steps,
          [](auto plan) { return executors::make_device_graph_executor(std::move(plan)); }};
}
// Each branch and each loop as it stands.
Choice nodes_only() {
  return {"device_graph", ", nodes only", steps_without_select_arms(), [](auto plan) {
            return executors::make_device_graph_executor(
                std::move(plan), {.predication = false, .trips_per_body = 1, .trips_ahead = 0});
          }};
}
// No conditional node where one can do without. Eight copies of a trip are all that a model has.
Choice guards_only() {
  return {"device_graph", ", guards only", steps_without_select_arms(), [](auto plan) {
            return executors::make_device_graph_executor(
                std::move(plan), {.predication = true, .trips_per_body = 1, .trips_ahead = 8});
          }};
}
Choice segment_graphs() {
  return {"host_branch", ", segment graphs", plan::all_steps, [](auto plan) {
            return executors::make_host_branch_executor(std::move(plan),
                                                        {HostBranchOptions::Flag::Polled, true, 1});
          }};
}
Choice eager() {
  return {"host_branch", ", eager", steps_without_select_arms(), [](auto plan) {
            return executors::make_host_branch_executor(
                std::move(plan), {HostBranchOptions::Flag::Pageable, false, 1});
          }};
}

class GyreModel : public ModelWay {
 public:
  GyreModel(const ModelForward& model, Layers layers, Choice choice)
      : model_(model), layers_(layers), choice_(std::move(choice)) {}

  std::string name() const override {
    return std::string(choice_.executor) + ", " + name_of(layers_) + choice_.name;
  }
  bool is_gyre() const override { return true; }
  bool is_exact() const override {
    return layers_ == Layers::Language || layers_ == Layers::Indexed;
  }

  void prepare() override {
    if (!executor_) {
      plan_ = std::make_shared<plan::Plan>(
          plan::make_plan(passes::run_passes(model_.program(layers_)), choice_.steps));
      executor_ = choice_.make(plan_);
    }
    bound_ = ir::resolve(plan_->symbols, model_.memory().arguments());
    executor_->prepare(bound_, {});
  }
  void run() override { static_cast<void>(executor_->run(bound_, {})); }

 private:
  const ModelForward& model_;
  Layers layers_;
  Choice choice_;
  std::shared_ptr<const plan::Plan> plan_;
  std::unique_ptr<executors::Executor> executor_;
  ir::Bound bound_;
};

}  // namespace

ModelWays make_gyre_models(const ModelForward& model) {
  ModelWays ways;
  const auto add = [&](Layers layers, std::vector<Choice> choices) {
    if (!model.has(layers)) return;
    for (Choice& choice : choices) {
      ways.push_back(std::make_unique<GyreModel>(model, layers, std::move(choice)));
    }
  };
  add(Layers::Language,
      {automatic(), by_cost(), nodes_only(), guards_only(), segment_graphs(), eager()});
  add(Layers::Indexed, {by_cost()});
  add(Layers::GuardedKernel, {by_cost()});
  add(Layers::Library, {by_cost(), segment_graphs(), eager()});
  return ways;
}

}  // namespace gyre::bench
