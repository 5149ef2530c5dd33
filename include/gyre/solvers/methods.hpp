/// The table of methods: a new one is a file with its program and a row here.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/solvers/variant.hpp"

#include <span>
#include <string_view>

namespace gyre::solvers {

/// A row: a method and how to make its program.
struct Method {
  std::string_view name;
  /// For which matrices, in a few words.
  std::string_view summary;
  /// Whether it takes symmetric matrices only. Others are not refused: the method ends with a true
  /// reason all the same.
  bool wants_symmetric;
  /// Whether it takes any preconditioner. Those that do not have one of their own.
  bool takes_preconditioner;
  ir::Program (*make_program)(const Variant&);
};

/// Every method, in the order in which they are listed to users.
std::span<const Method> methods();

/// The method of that name. UsageError for another name, with those there are.
const Method& method_named(std::string_view name);

}  // namespace gyre::solvers
