/// A kernel's insides as lines of text, for both forms of a printed plan.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>
#include <vector>

namespace gyre::plan {

class PrintKernel {
 public:
  explicit PrintKernel(const Plan& plan);

  /// The prologue, the sweep, and what is read, kept and written; indented by two spaces a level.
  std::vector<std::string> lines(const Kernel& kernel) const;

 private:
  std::string step(const ScalarStep& step) const;
  std::string expr(const ir::Expr& expr) const;
  std::string range(const ir::Range& range) const;
  void statements(const std::vector<Statement>& body, const std::string& indent,
                  std::vector<std::string>& out) const;

  const Plan& plan_;
  /// The plan's symbols in the form that the printer of expressions takes.
  ir::Program symbols_;
};

}  // namespace gyre::plan
