#include "gyre/plan/waits.hpp"

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/touches.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gyre::plan {
namespace {

/// As many terms a thread loads before it adds the first of them.
constexpr double terms_at_once = 3;

class CountWaits {
 public:
  CountWaits(const Sweep& sweep, double terms, const Symbols& near)
      : sweep_(sweep), rounds_(std::ceil(std::max(1.0, terms) / terms_at_once)), near_(near) {}

  double run() {
    double most = 0;
    for_each_statement(sweep_.body, [&](const Statement& statement) {
      double here = 0;
      for (const ir::Expr& expr : exprs_of(statement)) here = std::max(here, waits(expr));
      if (const auto* define = std::get_if<Define>(&statement.kind)) locals_[define->local] = here;
      if (const auto* set = std::get_if<Set>(&statement.kind)) {
        double& local = locals_[set->local];
        local = std::max(local, here);
      }
      most = std::max(most, here);
    });
    return most;
  }

 private:
  double waits(const ir::Expr& expr) const {
    if (!expr) return 0;
    if (const auto* read = ir::as<ir::Read>(expr)) {
      const auto found = locals_.find(read->symbol);
      return found == locals_.end() ? 0 : found->second;
    }
    if (const auto* load = ir::as<ir::Load>(expr)) {
      const bool is_ready = near_.contains(load->buffer) || is_own_place(sweep_, load->index);
      return most_of(load->index) + (is_ready ? 0 : 1);
    }
    if (const auto* apply = ir::as<ir::Apply>(expr)) return most_of(apply->operands);
    if (const auto* cast = ir::as<ir::Cast>(expr)) return waits(cast->operand);
    if (const auto* fold = ir::as<ir::Fold>(expr)) {
      double bounds = 0;
      for (const ir::Range& range : fold->ranges) {
        bounds = std::max(bounds, most_of({range.begin, range.end, range.step}));
      }
      return bounds + rounds_ * waits(fold->operand);
    }
    return 0;
  }

  double most_of(const std::vector<ir::Expr>& exprs) const {
    double most = 0;
    for (const ir::Expr& expr : exprs) most = std::max(most, waits(expr));
    return most;
  }

  const Sweep& sweep_;
  double rounds_;
  const Symbols& near_;
  std::map<ir::SymbolId, double> locals_;
};

}  // namespace

double waits_of(const Sweep& sweep, double terms, const Symbols& near) {
  return CountWaits(sweep, terms, near).run();
}

}  // namespace gyre::plan
