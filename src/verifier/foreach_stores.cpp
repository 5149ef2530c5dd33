/// Where one index of a foreach may store, and what others may read of it.
///
/// A store names each index of the foreach as one whole coordinate, plus or minus a constant: no
/// two indices then store to one place. Where all accesses of the buffer name the indices at the
/// same coordinates with the same constants, no index reads what another stores either.
#include "rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gyre::verifier {
namespace {

// The coordinate that holds an index, and the constant added to it there.
struct Coordinate {
  std::size_t dimension;
  std::int64_t offset;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};
// One for each index of the foreach, in the order of its ranges.
using Footprint = std::vector<Coordinate>;

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// What `expr` adds to `index`, where it is the index plus or minus constants.
std::optional<std::int64_t> offset_from(const ir::Expr& expr, ir::SymbolId index) {
  if (const auto* read = ir::as<ir::Read>(expr)) {
    return read->symbol == index ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  if (const auto* cast = ir::as<ir::Cast>(expr)) {
    return ir::widens(cast->operand->type, expr->type) ? offset_from(cast->operand, index)
                                                       : std::nullopt;
  }
  const auto* apply = ir::as<ir::Apply>(expr);
  if (apply == nullptr || apply->operands.size() != 2) return std::nullopt;
  const auto constant = [](const ir::Expr& e) -> std::optional<std::int64_t> {
    const auto* literal = ir::as<ir::Literal>(e);
    if (literal == nullptr || !ir::is_integer(e->type)) return std::nullopt;
    return literal->value.as_integer();
  };
  const ir::Expr& left = apply->operands[0];
  const ir::Expr& right = apply->operands[1];
  const bool is_sum = apply->op == ir::Op::Add;
  if (is_sum && constant(left)) {
    const auto rest = offset_from(right, index);
    return rest ? std::optional(wrapping_add(*rest, *constant(left))) : std::nullopt;
  }
  if ((is_sum || apply->op == ir::Op::Sub) && constant(right)) {
    const auto rest = offset_from(left, index);
    const auto sign = is_sum ? std::uint64_t{1} : ~std::uint64_t{0};
    const auto added =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(*constant(right)) * sign);
    return rest ? std::optional(wrapping_add(*rest, added)) : std::nullopt;
  }
  return std::nullopt;
}

// The footprint of an access, or the range whose index is no coordinate of it.
struct Located {
  Footprint footprint;
  const ir::Range* missing = nullptr;
};

using Ranges = std::vector<const ir::Range*>;

Located locate(const Ranges& ranges, const std::vector<ir::Expr>& index) {
  Located located;
  for (const ir::Range* range : ranges) {
    const std::size_t found = located.footprint.size();
    for (std::size_t d = 0; d < index.size() && located.footprint.size() == found; ++d) {
      if (const auto offset = offset_from(index[d], range->index)) {
        located.footprint.push_back({d, *offset});
      }
    }
    if (located.footprint.size() == found) {
      located.missing = range;
      return located;
    }
  }
  return located;
}

// A foreach around a place, with its indices and those of the foreach around it.
struct Level {
  std::size_t foreach;
  Ranges ranges;
  bool independent;
};

// From the outermost in.
std::vector<Level> levels_of(const Survey& survey, const RegionSite& at) {
  std::vector<Level> levels;
  for (const std::size_t id : {at.foreach, at.inner}) {
    if (id == nowhere) continue;
    const auto& foreach = std::get<ir::Foreach>(survey.region(id).node->kind);
    Level level{id, levels.empty() ? Ranges() : levels.back().ranges, foreach.independent};
    for (const ir::Range& range : foreach.ranges) level.ranges.push_back(&range);
    levels.push_back(std::move(level));
  }
  return levels;
}

// An index without a type may be anything, and its own rule speaks of it.
bool is_typed(const std::vector<ir::Expr>& index) {
  return std::all_of(index.begin(), index.end(),
                     [](const ir::Expr& e) { return e->type != ir::ScalarType::Invalid; });
}

// Calls `f(site, place, levels)` for each store to an element inside a foreach, promised ones
// excluded.
template <class F>
void each_store(const Survey& survey, F f) {
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    if (at.foreach == nowhere || op.place.index.empty() || !is_typed(op.place.index)) return;
    f(at, op.place, levels_of(survey, at));
  });
}

using BufferInForeach = std::pair<std::size_t, ir::SymbolId>;

// The first well-placed footprint of each buffer that a foreach stores to.
std::map<BufferInForeach, Footprint> stored_footprints(const Survey& survey) {
  std::map<BufferInForeach, Footprint> stored;
  each_store(survey, [&](const RegionSite&, const ir::Place& place, const auto& levels) {
    if (locate(levels.back().ranges, place.index).missing != nullptr) return;
    for (const Level& level : levels) {
      stored.emplace(BufferInForeach{level.foreach, place.symbol},
                     locate(level.ranges, place.index).footprint);
    }
  });
  return stored;
}

}  // namespace

void check_store_place(const Survey& survey, Report& report) {
  each_store(survey, [&](const RegionSite& at, const ir::Place& place, const auto& levels) {
    const Located located = locate(levels.back().ranges, place.index);
    if (located.missing == nullptr) return;
    const std::string& index = survey.symbol(located.missing->index).name;
    const std::string& buffer = survey.symbol(place.symbol).name;
    report.error(at, place.loc,
                 "the store to " + quoted(buffer) + " has no coordinate that is the loop index " +
                     quoted(index) + ", so two indices may store to one place",
                 "store to " + buffer + "[… " + index + " …], plus or minus a constant" +
                     (at.inner != nowhere ? ""
                                          : "; where the targets are distinct, promise it with "
                                            "'scatter'"));
  });
}

void check_store_overlap(const Survey& survey, Report& report) {
  const auto stored = stored_footprints(survey);
  each_store(survey, [&](const RegionSite& at, const ir::Place& place, const auto& levels) {
    if (locate(levels.back().ranges, place.index).missing != nullptr) return;
    const bool alike = std::all_of(levels.begin(), levels.end(), [&](const Level& level) {
      return locate(level.ranges, place.index).footprint ==
             stored.at({level.foreach, place.symbol});
    });
    if (alike) return;
    report.error(at, place.loc,
                 "two stores to " + quoted(survey.symbol(place.symbol).name) +
                     " in one foreach name its indices in different places, so two indices may "
                     "store to one",
                 at.inner != nowhere
                     ? "use two foreach"
                     : "use two foreach, or promise distinct targets with 'scatter'");
  });
}

void check_stored_read(const Survey& survey, Report& report) {
  const auto stored = stored_footprints(survey);
  if (stored.empty()) return;
  survey.each_expr<ir::Load>([&](const ExprSite& at, const ir::Load& load) {
    if (!is_typed(load.index)) return;
    for (const Level& level : levels_of(survey, survey.region(at.region))) {
      const auto found = stored.find({level.foreach, load.buffer});
      if (found == stored.end() || level.independent) continue;
      const Located located = locate(level.ranges, load.index);
      if (located.missing == nullptr && located.footprint == found->second) continue;
      const bool is_inner = survey.region(level.foreach).foreach != nowhere;
      report.error(at,
                   quoted(survey.symbol(load.buffer).name) +
                       " is read at another place than this foreach stores it at, so an index may "
                       "read what another writes",
                   is_inner
                       ? "read it in a foreach of its own, or from a second buffer"
                       : "read from a second buffer; where no index reads what another writes, "
                         "promise it with 'independent'");
      return;
    }
  });
}

}  // namespace gyre::verifier
