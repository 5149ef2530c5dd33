#include "gyre/plan/choices.hpp"

#include "gyre/plan/cost_model.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace gyre::plan {
namespace {

/// Why a node cannot stand under a guard; empty where it can.
std::string why_not_guarded(const Plan& plan, const Node& node) {
  if (const auto* call = std::get_if<RunCall>(&node)) {
    const ir::Callee& callee = *call->callee;
    if (callee.placement == ir::Placement::Host)
      return "call '" + callee.name + "' runs on the host";
    return callee.guarded
               ? ""
               : "call '" + callee.name + "' cannot be switched off; .guarded() says that it can";
  }
  if (const auto* copy = std::get_if<CopyBuffer>(&node)) {
    return "the copy to " + plan[copy->to].name + " cannot be switched off";
  }
  if (const auto* clear = std::get_if<Clear>(&node)) {
    const bool is_temp = plan[clear->buffer].intent == ir::Intent::Temp;
    return is_temp ? "" : "clearing " + plan[clear->buffer].name + " cannot be switched off";
  }
  if (std::holds_alternative<WhileNode>(node)) return "it holds a loop";
  if (std::holds_alternative<ForkNode>(node)) return "it holds a fork";
  return "";
}

class MakeChoices {
 public:
  MakeChoices(const Plan& plan, const CostTable& costs, const ChoicePolicy& policy)
      : plan_(plan), costs_(costs), policy_(policy) {
    std::uint32_t count = 0;
    for_each_node(plan.body, [&](const Node& node) {
      if (is_branch(node)) numbers_.emplace(&node, count++);
    });
    choices_.predicated.resize(count);
    choices_.copies.assign(count, 1);
    choices_.ahead.assign(count, 0);
    lines_.resize(count);
  }

  MakeChoices& run() {
    block(plan_.body);
    return *this;
  }
  Choices take_choices() { return std::move(choices_); }
  std::vector<std::string> take_lines() { return std::move(lines_); }

 private:
  /// A block that may or may not be put under a guard.
  struct Guardable {
    std::string why_not;
    /// Launches of kernels, those of arms in line included.
    std::size_t kernels = 0;

    void add(const Guardable& other) {
      if (why_not.empty()) why_not = other.why_not;
      kernels += other.kernels;
    }
  };

  static bool is_branch(const Node& node) {
    return std::holds_alternative<WhileNode>(node) || std::holds_alternative<IfNode>(node) ||
           std::holds_alternative<SwitchNode>(node);
  }

  Guardable block(const Block& nodes) {
    Guardable all;
    for (const Node& node : nodes.nodes) {
      Guardable one{why_not_guarded(plan_, node), 0};
      if (std::holds_alternative<Launch>(node) || std::holds_alternative<RunCall>(node)) {
        one.kernels = 1;
      } else if (const auto* loop = std::get_if<WhileNode>(&node)) {
        choose(*loop, numbers_.at(&node));
      } else if (const auto* fork = std::get_if<ForkNode>(&node)) {
        for (const Block& arm : fork->arms) block(arm);
      } else if (is_branch(node)) {
        one = choose(node, numbers_.at(&node));
      }
      all.add(one);
    }
    return all;
  }

  bool is_hosts(std::uint32_t number) const {
    return number < policy_.host_decides.size() && policy_.host_decides[number];
  }

  void choose(const WhileNode& loop, std::uint32_t number) {
    const Guardable body = block(*loop.body);
    const std::string title = "while " + plan_[loop.predicate].name + name_of(loop.region) + ": ";
    if (!body.why_not.empty()) {
      lines_[number] = title + "one trip a body, since " + body.why_not;
      return;
    }
    const TripEstimate trips = estimate_trips(loop);
    const FixedForm fixed{is_hosts(number) ? 0 : policy_.ahead, policy_.copies,
                          loop.swap.has_value() && !policy_.copies && !policy_.ahead};
    const LoopForm form = choose_loop_form(costs_, body.kernels, trips, fixed);
    choices_.copies[number] = form.copies;
    choices_.ahead[number] = form.ahead;
    lines_[number] = title + std::to_string(form.copies) +
                     (form.copies == 1 ? " trip a body" : " trips a body") + ahead(form) + ", " +
                     part(loop_loss(costs_, body.kernels, trips, form)) + " for " + count(trips) +
                     "; with 1 " + part(loop_loss(costs_, body.kernels, trips, {}));
  }

  Guardable choose(const Node& node, std::uint32_t number) {
    std::vector<Guardable> arms;
    std::string title;
    if (const auto* choice = std::get_if<IfNode>(&node)) {
      title = "if " + plan_[choice->predicate].name + name_of(choice->region) + ": ";
      arms = {block(*choice->then), block(*choice->otherwise)};
    } else {
      const auto& many = std::get<SwitchNode>(node);
      title = "switch " + plan_[many.selector].name + name_of(many.region) + ": ";
      for (const Block& one : many.cases) arms.push_back(block(one));
      arms.push_back(block(*many.otherwise));
    }
    Guardable all;
    std::vector<std::size_t> kernels;
    for (const Guardable& arm : arms) {
      all.add(arm);
      kernels.push_back(arm.kernels);
    }
    if (!all.why_not.empty() || is_hosts(number)) {
      if (all.why_not.empty())
        all.why_not = "the host decides " + title.substr(0, title.size() - 2);
      lines_[number] = title + "a conditional node, since " + all.why_not;
      return {all.why_not, 0};
    }
    const BranchPrice prices = branch_price(costs_, kernels);
    const bool predicated = policy_.predication.value_or(prices.prefers_predication());
    choices_.predicated[number] = predicated;
    lines_[number] = title + (predicated ? "guarded kernels in line, " : "a conditional node, ") +
                     price_text(predicated ? prices.predicated : prices.node) + "; " +
                     (predicated ? "a conditional node " : "guarded kernels ") +
                     price_text(predicated ? prices.node : prices.predicated);
    return predicated ? all
                      : Guardable{title.substr(0, title.size() - 2) + " is a conditional node", 0};
  }

  static std::string name_of(const std::string& region) {
    return region.empty() ? "" : " (" + region + ")";
  }
  static std::string ahead(LoopForm form) {
    return form.ahead == 0 ? "" : " and " + std::to_string(form.ahead) + " ahead of it";
  }
  static std::string part(double loss) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.0f %% longer", 100 * loss);
    return text;
  }
  static std::string count(const TripEstimate& trips) {
    const char* kind = trips.kind == TripEstimate::Kind::AtMost  ? "up to "
                       : trips.kind == TripEstimate::Kind::About ? "about "
                                                                 : "";
    char text[32];
    std::snprintf(text, sizeof(text), "%s%.0f trips", kind, trips.trips);
    return text;
  }

  const Plan& plan_;
  const CostTable& costs_;
  const ChoicePolicy& policy_;
  std::map<const Node*, std::uint32_t> numbers_;
  Choices choices_;
  std::vector<std::string> lines_;
};

}  // namespace

Choices make_choices(const Plan& plan, const CostTable& costs, const ChoicePolicy& policy) {
  return MakeChoices(plan, costs, policy).run().take_choices();
}

std::vector<std::string> explain_choices(const Plan& plan, const CostTable& costs) {
  return MakeChoices(plan, costs, {}).run().take_lines();
}

}  // namespace gyre::plan
