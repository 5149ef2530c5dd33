/// A straight line of kernels under construction: scalar work that waits for a sweep, and the rules
/// under which it may join one.
#pragma once

#include "gyre/plan/accesses.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gyre::plan {

/// Gathers scalar steps and turns them and sweeps into the plan's kernels.
class Segment {
 public:
  explicit Segment(Plan& plan) : plan_(plan) {}

  /// Scalar work, to be done before whatever kernel comes next.
  void add(ScalarStep step) { waiting_.push_back(std::move(step)); }

  /// A kernel with this sweep, and with the waiting work as its prologue where that is right.
  /// Returns the kernels to launch, in order.
  std::vector<std::uint32_t> sweep(Sweep sweep, const std::string& region, const std::string& what);

  /// The waiting work as a kernel of its own, if there is any.
  std::optional<std::uint32_t> flush();
  /// As flush, if waiting work reads `buffer`, which is about to change.
  std::optional<std::uint32_t> flush_before_write(ir::SymbolId buffer);

  /// Ends the line: nothing waits, and no shadow is remembered. Work must have been flushed.
  void end();

 private:
  std::uint32_t add_kernel(std::vector<ScalarStep> prologue, std::optional<Sweep> sweep,
                           const std::string& region, const std::string& what);
  bool may_join(const Sweep& sweep) const;
  std::optional<std::uint32_t> kernel_to_shadow(ir::SymbolId slot) const;

  Plan& plan_;
  std::vector<ScalarStep> waiting_;
  /// The kernels of this line so far.
  std::vector<std::uint32_t> line_;
  std::unordered_map<std::string, int> names_;
};

}  // namespace gyre::plan
