/// Statements on whole objects: copy, fill and call.
#include "rules.hpp"

#include <algorithm>

namespace gyre::verifier {
namespace {

using ir::SymbolKind;

bool same_extents(const ir::Symbol& a, const ir::Symbol& b) {
  return std::equal(a.extents.begin(), a.extents.end(), b.extents.begin(), b.extents.end(),
                    ir::same_expr);
}

}  // namespace

void check_copy_buffers(const Survey& survey, Report& report) {
  survey.each<ir::Copy>([&](const RegionSite& at, const ir::Copy& op) {
    const ir::Symbol& to = survey.symbol(op.to);
    const ir::Symbol& from = survey.symbol(op.from);
    const SourceLoc& loc = at.node->loc;
    const std::string both = quoted(to.name) + " and " + quoted(from.name);
    if (!is_buffer(to) || !is_buffer(from)) {
      report.error(at, loc,
                   "'copy' takes two buffers, and " + quoted(is_buffer(to) ? from.name : to.name) +
                       " is none",
                   "assign a scalar with '='");
    } else if (op.to == op.from) {
      report.error(at, loc, quoted(to.name) + " is copied to itself", "name two buffers");
    } else if (to.type != from.type) {
      report.error(at, loc, both + " hold elements of different types",
                   "convert element by element, in a foreach");
    } else if (!same_extents(to, from)) {
      report.error(at, loc, both + " are not declared with the same extents",
                   "copy the part that both have element by element, in a foreach");
    }
  });
}

void check_fill_buffer(const Survey& survey, Report& report) {
  survey.each<ir::Fill>([&](const RegionSite& at, const ir::Fill& op) {
    const ir::Symbol& symbol = survey.symbol(op.buffer);
    if (is_buffer(symbol)) return;
    report.error(at, at.node->loc, quoted(symbol.name) + " is filled and is no buffer",
                 "assign a scalar with '='");
  });
}

void check_call_arguments(const Survey& survey, Report& report) {
  survey.each<ir::Call>([&](const RegionSite& at, const ir::Call& op) {
    const std::size_t wanted = op.callee->accesses.size();
    const std::string callee = quoted(op.callee->name);
    if (op.arguments.size() != wanted) {
      report.error(at, at.node->loc,
                   callee + " takes " + std::to_string(wanted) +
                       (wanted == 1 ? " argument" : " arguments") + " and is given " +
                       std::to_string(op.arguments.size()));
    }
    for (const ir::SymbolId id : op.arguments) {
      const ir::Symbol& symbol = survey.symbol(id);
      if (is_buffer(symbol) || symbol.kind == SymbolKind::Scalar) continue;
      report.error(at, at.node->loc,
                   callee + " is given " + quoted(symbol.name) +
                       ", which is neither a buffer nor a scalar object",
                   "a call takes objects that have a place in memory: assign it to a 'var' first");
    }
  });
}

void check_call_overlap(const Survey& survey, Report& report) {
  survey.each<ir::Call>([&](const RegionSite& at, const ir::Call& op) {
    const std::size_t count = std::min(op.arguments.size(), op.callee->accesses.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (op.callee->accesses[i] == ir::Access::Read) continue;
      if (std::count(op.arguments.begin(), op.arguments.end(), op.arguments[i]) == 1) continue;
      report.error(at, at.node->loc,
                   quoted(op.callee->name) + " writes " +
                       quoted(survey.symbol(op.arguments[i]).name) +
                       " and is given it as another argument too",
                   "give it a copy, or declare one argument that is read and written");
      return;
    }
  });
}

void check_call_placement(const Survey& survey, Report& report) {
  survey.each<ir::Call>([&](const RegionSite& at, const ir::Call& op) {
    if (op.callee->placement != ir::Placement::Host || !op.callee->guarded) return;
    report.error(at, at.node->loc, quoted(op.callee->name) + " is placed on the host and guarded",
                 "a guard keeps work of the device from running: drop one of the two");
  });
}

}  // namespace gyre::verifier
