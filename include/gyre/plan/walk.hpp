/// Walks over a plan's nodes.
#pragma once

#include "gyre/plan/plan.hpp"

namespace gyre::plan {

/// Calls `visit` on every node, parents first, in the order of the plan: the order in which loops
/// and branches are numbered.
template <class Visit>
void for_each_node(const Block& block, const Visit& visit) {
  for (const Node& node : block.nodes) {
    visit(node);
    if (const auto* choice = std::get_if<IfNode>(&node)) {
      for_each_node(*choice->then, visit);
      for_each_node(*choice->otherwise, visit);
    } else if (const auto* loop = std::get_if<WhileNode>(&node)) {
      for_each_node(*loop->body, visit);
    } else if (const auto* choice_of_many = std::get_if<SwitchNode>(&node)) {
      for (const Block& one : choice_of_many->cases) for_each_node(one, visit);
      for_each_node(*choice_of_many->otherwise, visit);
    } else if (const auto* fork = std::get_if<ForkNode>(&node)) {
      for (const Block& arm : fork->arms) for_each_node(arm, visit);
    }
  }
}

/// Calls `visit` on `block` and on every block within it, outer ones first. It may change their
/// nodes.
template <class Visit>
void for_each_block(Block& block, const Visit& visit) {
  visit(block);
  for (Node& node : block.nodes) {
    if (auto* choice = std::get_if<IfNode>(&node)) {
      for_each_block(*choice->then, visit);
      for_each_block(*choice->otherwise, visit);
    } else if (auto* loop = std::get_if<WhileNode>(&node)) {
      for_each_block(*loop->body, visit);
    } else if (auto* many = std::get_if<SwitchNode>(&node)) {
      for (Block& one : many->cases) for_each_block(one, visit);
      for_each_block(*many->otherwise, visit);
    } else if (auto* fork = std::get_if<ForkNode>(&node)) {
      for (Block& arm : fork->arms) for_each_block(arm, visit);
    }
  }
}

/// Loops and branches: what the plan's order of branches numbers.
inline bool is_branch(const Node& node) {
  return std::holds_alternative<IfNode>(node) || std::holds_alternative<WhileNode>(node) ||
         std::holds_alternative<SwitchNode>(node);
}

}  // namespace gyre::plan
