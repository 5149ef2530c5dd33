/// The passes in their order: what happens to a program between the front end and the plan.
#pragma once

#include "gyre/ir/program.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace gyre::passes {

/// A pass under the one name that its file, its `explain` heading and its golden folder bear.
struct PassInfo {
  std::string_view name;
  /// What it does, in one line.
  std::string_view summary;
  ir::Program (*run)(ir::Program);
};

/// Every pass, first to last.
std::span<const PassInfo> pipeline();

/// Called after each pass with the program before and after it.
using PassObserver =
    std::function<void(const PassInfo&, const ir::Program& before, const ir::Program& after)>;

/// Runs the whole pipeline on a verified program.
ir::Program run_passes(ir::Program program, const PassObserver& observe = {});

}  // namespace gyre::passes
