/// What one index of a foreach may do.
#include "rules.hpp"

#include <set>
#include <type_traits>
#include <utility>

namespace gyre::verifier {
namespace {

using ir::SymbolKind;

// A kind that an index cannot do, and what to write instead; nothing for what it can.
struct Refusal {
  std::string_view what;
  std::string_view instead;
};

Refusal refusal(const Survey&, const ir::Call&) {
  return {"a call", "call before or after the foreach, on whole buffers"};
}
Refusal refusal(const Survey&, const ir::Copy&) {
  return {"a copy", "store the element of this index, or copy outside the foreach"};
}
Refusal refusal(const Survey&, const ir::Fill&) {
  return {"a fill", "store the element of this index, or fill outside the foreach"};
}
Refusal refusal(const Survey&, const ir::Primitive&) {
  return {"a device-wide primitive",
          "let it run before or after the foreach, over the whole range"};
}
Refusal refusal(const Survey&, const ir::Switch&) {
  return {"a switch", "write if … else if …"};
}
Refusal refusal(const Survey&, const ir::Fork&) {
  return {"a fork", "the indices of a foreach run at once as they are"};
}
Refusal refusal(const Survey&, const ir::Stop&) {
  return {"a stop", "count with '+=' on a scalar of outside, and stop after the foreach"};
}
Refusal refusal(const Survey& survey, const ir::Declare& op) {
  if (survey.symbol(op.symbol).intent != ir::Intent::Temp) return {};
  return {"a temp", "use a 'var', or a temp outside with a dimension for the index"};
}
template <class Kind>
Refusal refusal(const Survey&, const Kind&) {
  return {};
}

// A scalar that was declared outside that foreach: all its indices share it.
bool is_shared_scalar(const Survey& survey, std::size_t foreach, ir::SymbolId id) {
  return foreach != nowhere && survey.symbol(id).kind == SymbolKind::Scalar &&
         !survey.within(survey.origin(id).region, foreach);
}

// Calls `f(site, assign)` for each assignment of a scalar that the indices of a foreach share.
// Where a foreach within one assigns it, that is the fault.
template <class F>
void each_shared_assign(const Survey& survey, F f) {
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    if (!op.place.index.empty() || at.inner != nowhere) return;
    if (is_shared_scalar(survey, at.foreach, op.place.symbol)) f(at, op);
  });
}

// What keeps a foreach from standing within the one around it.
Refusal refusal_within(const ir::Foreach& outer, const RegionSite& site, const ir::Foreach& op) {
  if (site.inner != nowhere) {
    return {"a foreach stands two deep in another one", "use 'for' inside"};
  }
  if (outer.team == ir::Team::Any) {
    return {
        "a foreach stands inside a foreach whose indices have a thread each",
        "give the outer one a team, 'team warp' or 'team block', or a second range; or use 'for' "
        "inside"};
  }
  if (op.ranges.size() != 1) {
    return {"a foreach inside a foreach has several ranges",
            "use one range, and 'for' inside for the others"};
  }
  if (op.independent || op.team != ir::Team::Any) {
    return {"a foreach inside a foreach has a promise or a team of its own",
            "say it of the outer one alone"};
  }
  return {};
}

}  // namespace

void check_foreach_body(const Survey& survey, Report& report) {
  for (const RegionSite& site : survey.regions()) {
    if (site.foreach == nowhere) continue;
    const Refusal refused =
        std::visit([&](const auto& kind) { return refusal(survey, kind); }, site.node->kind);
    if (refused.what.empty()) continue;
    report.error(site, site.node->loc,
                 std::string(refused.what) +
                     " stands inside a foreach, whose indices run in "
                     "parallel",
                 std::string(refused.instead));
  }
}

void check_inner_foreach(const Survey& survey, Report& report) {
  survey.each<ir::Foreach>([&](const RegionSite& at, const ir::Foreach& op) {
    if (at.foreach == nowhere) return;
    const auto& outer = std::get<ir::Foreach>(survey.region(at.foreach).node->kind);
    const Refusal refused = refusal_within(outer, at, op);
    if (refused.what.empty()) return;
    report.error(at, at.node->loc, std::string(refused.what), std::string(refused.instead));
  });
  survey.each<ir::Scatter>([&](const RegionSite& at, const ir::Scatter&) {
    if (at.inner == nowhere) return;
    report.error(at, at.node->loc, "a scatter stands in a foreach inside a foreach",
                 "store to the place of both indices, or scatter outside the inner foreach");
  });
}

void check_inner_assign(const Survey& survey, Report& report) {
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    if (!op.place.index.empty() || !is_shared_scalar(survey, at.inner, op.place.symbol)) return;
    const std::string& name = survey.symbol(op.place.symbol).name;
    report.error(
        at, op.place.loc,
        quoted(name) + " belongs to all indices of the inner foreach and is assigned by each",
        "compute it by a fold behind the inner foreach");
  });
}

void check_outer_assign(const Survey& survey, Report& report) {
  each_shared_assign(survey, [&](const RegionSite& at, const ir::Assign& op) {
    if (op.op == ir::Op::Add || survey.symbol(op.place.symbol).intent == ir::Intent::In) return;
    const std::string& name = survey.symbol(op.place.symbol).name;
    report.error(at, op.place.loc,
                 quoted(name) + " belongs to all indices of the foreach and is assigned by each",
                 op.op == ir::Op::Sub
                     ? "add the negative: " + name + " += -(…)"
                     : "sum with " + name + " += …, or compute it by a fold outside the foreach");
  });
}

void check_accumulated_read(const Survey& survey, Report& report) {
  std::set<std::pair<std::size_t, ir::SymbolId>> accumulated;
  each_shared_assign(survey, [&](const RegionSite& at, const ir::Assign& op) {
    accumulated.emplace(at.foreach, op.place.symbol);
  });
  if (accumulated.empty()) return;
  for (const Access& read : survey.reads()) {
    const RegionSite& at = survey.region(read.region);
    if (!accumulated.contains({at.foreach, read.symbol})) continue;
    report.error(
        at, read.loc,
        quoted(survey.symbol(read.symbol).name) + " is read in the foreach that accumulates it",
        "its sum is known after the foreach; name its old value with 'let' before");
  }
}

void check_accumulate_in_loop(const Survey& survey, Report& report) {
  each_shared_assign(survey, [&](const RegionSite& at, const ir::Assign& op) {
    if (op.op != ir::Op::Add || at.loop == nowhere) return;
    const std::string& name = survey.symbol(op.place.symbol).name;
    report.error(at, op.place.loc,
                 quoted(name) + " is accumulated inside a loop of the foreach's body",
                 "sum in a 'var' of this index, and accumulate that once after the loop");
  });
}

}  // namespace gyre::verifier
