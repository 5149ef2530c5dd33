/// Stores whose targets are distinct by promise.
#include "rules.hpp"

#include <map>
#include <utility>

namespace gyre::verifier {
namespace {

using ir::SymbolKind;

// Calls `f(site, scatter)` for each scatter that stands where it may.
template <class F>
void each_placed_scatter(const Survey& survey, F f) {
  survey.each<ir::Scatter>([&](const RegionSite& at, const ir::Scatter& op) {
    if (at.foreach != nowhere && survey.symbol(op.place.symbol).kind == SymbolKind::Buffer) {
      f(at, op);
    }
  });
}

}  // namespace

void check_scatter_place(const Survey& survey, Report& report) {
  survey.each<ir::Scatter>([&](const RegionSite& at, const ir::Scatter& op) {
    const ir::Symbol& symbol = survey.symbol(op.place.symbol);
    if (at.foreach == nowhere) {
      report.error(at, at.node->loc, "'scatter' stands outside a foreach",
                   "one store needs no promise: leave out 'scatter'");
    } else if (symbol.kind == SymbolKind::Scalar) {
      report.error(at, op.place.loc, quoted(symbol.name) + " is scattered to and is no buffer",
                   "sum to a scalar with '+=', without 'scatter'");
    }
  });
}

void check_scatter_type(const Survey& survey, Report& report) {
  each_placed_scatter(survey, [&](const RegionSite& at, const ir::Scatter& op) {
    const ir::Symbol& buffer = survey.symbol(op.place.symbol);
    if (!op.accumulate || ir::is_integer(buffer.type)) return;
    report.error(at, op.place.loc,
                 "'scatter +=' adds to " + quoted(buffer.name) + ", whose elements are " +
                     std::string(name_of(buffer.type)),
                 "only integers add up to the same bits in any order: gather with a fold over what "
                 "belongs to each index, or count in integers");
  });
}

void check_scattered_access(const Survey& survey, Report& report) {
  // Each buffer that a foreach scatters to, and whether it does so by adding.
  std::map<std::pair<std::size_t, ir::SymbolId>, bool> scattered;
  each_placed_scatter(survey, [&](const RegionSite& at, const ir::Scatter& op) {
    const auto [entry, is_first] =
        scattered.emplace(std::pair(at.foreach, op.place.symbol), op.accumulate);
    if (is_first || entry->second == op.accumulate) return;
    report.error(at, op.place.loc,
                 quoted(survey.symbol(op.place.symbol).name) +
                     " is scattered to by '=' and by '+=' in one foreach",
                 "use two foreach: their order is then known");
  });
  if (scattered.empty()) return;
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    if (!scattered.contains({at.foreach, op.place.symbol})) return;
    report.error(at, op.place.loc,
                 quoted(survey.symbol(op.place.symbol).name) +
                     " is stored to in the foreach that scatters to it",
                 "use two foreach: their order is then known");
  });
  for (const Access& read : survey.reads()) {
    const RegionSite& at = survey.region(read.region);
    const auto found = scattered.find({at.foreach, read.symbol});
    if (found == scattered.end()) continue;
    const auto& foreach = std::get<ir::Foreach>(survey.region(at.foreach).node->kind);
    const bool is_promised = foreach.independent && !found->second;
    if (is_promised) continue;
    report.error(
        at, read.loc,
        quoted(survey.symbol(read.symbol).name) + " is read in the foreach that scatters to it",
        found->second ? "read it after the foreach"
                      : "read from a second buffer; where no index reads what another "
                        "writes, promise it with 'independent'");
  }
}

}  // namespace gyre::verifier
