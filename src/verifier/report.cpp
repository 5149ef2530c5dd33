#include "report.hpp"

#include <algorithm>
#include <tuple>

namespace gyre::verifier {

void Report::move_to(Diagnostics& diagnostics) {
  const auto place = [](const Diagnostic& d) {
    return std::tuple(d.loc.source ? std::string_view(d.loc.source->name) : std::string_view(),
                      d.loc.line, d.loc.column);
  };
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  for (Diagnostic& finding : found_) diagnostics.add(std::move(finding));
  found_.clear();
}

}  // namespace gyre::verifier
