#include "gyre/plan/graph_forms.hpp"

#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gyre::plan {
namespace {

std::size_t count_launches(const Block& block) {
  std::size_t count = 0;
  for_each_node(block,
                [&](const Node& node) { count += std::holds_alternative<Launch>(node) ? 1 : 0; });
  return count;
}

const void* address_of(const Node& node) {
  return std::visit([](const auto& one) -> const void* { return &one; }, node);
}

}  // namespace

double usual_trips(const WhileNode& loop) {
  const TripEstimate estimate = estimate_trips(loop);
  const bool is_told = estimate.kind != TripEstimate::Kind::AtMost;
  return std::max(1.0, is_told ? estimate.trips : std::sqrt(estimate.trips));
}

GraphForms::GraphForms(const Plan& plan, const CostTable& table)
    : table_(table), choices_(make_choices(plan, table)) {
  std::uint32_t number = 0;
  for_each_node(plan.body, [&](const Node& node) {
    if (is_branch(node)) numbers_.emplace(address_of(node), number++);
  });
}

LoopForm GraphForms::form_of(const WhileNode& loop) const {
  const std::uint32_t number = numbers_.at(&loop);
  return {choices_.ahead_of(number), choices_.copies_of(number)};
}

bool GraphForms::swaps(const WhileNode& loop) const {
  const LoopForm form = form_of(loop);
  return loop.swap && form.copies % 2 == 0 && form.ahead % 2 == 0;
}

double GraphForms::price_of(const WhileNode& loop) const {
  return loop_price(table_, count_launches(*loop.body), std::llround(usual_trips(loop)),
                    form_of(loop));
}

double GraphForms::price_of(const IfNode& choice) const {
  return branch(&choice, {count_launches(*choice.then), count_launches(*choice.otherwise)});
}

double GraphForms::price_of(const SwitchNode& choice) const {
  std::vector<std::size_t> arms;
  for (const Block& one : choice.cases) arms.push_back(count_launches(one));
  arms.push_back(count_launches(*choice.otherwise));
  return branch(&choice, arms);
}

double GraphForms::branch(const void* node, const std::vector<std::size_t>& arms) const {
  const BranchPrice price = branch_price(table_, arms);
  return choices_.is_predicated(numbers_.at(node)) ? price.predicated : price.node;
}

}  // namespace gyre::plan
