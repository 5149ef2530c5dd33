/// Where symbols live: names, blocks, and what is read without ever having been written.
#include "rules.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace gyre::verifier {
namespace {

using ir::Intent;
using ir::SymbolKind;

// A caller binds these by name.
bool is_bound_by_name(const ir::Symbol& symbol) {
  return symbol.kind == SymbolKind::Size || symbol.intent == Intent::In ||
         symbol.intent == Intent::Out || symbol.intent == Intent::Inout;
}

bool is_identifier(std::string_view name) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && letter(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return letter(c) || std::isdigit(c) != 0; });
}

// Whether `symbol` may be used by region `user`, at expression `expr` where it is one.
bool is_visible(const Survey& survey, ir::SymbolId symbol, std::size_t user, std::size_t expr) {
  if (survey.symbol(symbol).kind == SymbolKind::Size) return true;
  const Origin& origin = survey.origin(symbol);
  if (origin.count == 0) return false;
  if (origin.first != nowhere) {
    return expr != nowhere && origin.first <= expr && expr < origin.end;
  }
  if (survey.symbol(symbol).kind == SymbolKind::Index) {
    return origin.region < user && survey.within(user, origin.region);
  }
  const std::size_t block = survey.region(origin.region).parent;
  return origin.region < user && (block == nowhere || survey.within(user, block));
}

}  // namespace

void check_object_name(const Survey& survey, Report& report) {
  std::set<std::string_view> taken;
  for (const ir::Symbol& symbol : survey.program().symbols) {
    if (!is_identifier(symbol.name)) {
      report.error_outside(symbol.loc, quoted(symbol.name) + " is not a name",
                           "names are letters, digits and _, and start with no digit");
    } else if (is_bound_by_name(symbol) && !taken.insert(symbol.name).second) {
      report.error_outside(symbol.loc,
                           "two objects of the caller's are called " + quoted(symbol.name),
                           "give each a name of its own: they are bound by name");
    }
  }
}

void check_declared_once(const Survey& survey, Report& report) {
  const ir::Program& program = survey.program();
  for (std::size_t i = 0; i < program.symbols.size(); ++i) {
    const Origin& origin = survey.origin(static_cast<ir::SymbolId>(i));
    const bool is_size = program.symbols[i].kind == SymbolKind::Size;
    if (origin.count <= (is_size ? 0 : 1)) continue;
    const RegionSite& at = survey.region(origin.region);
    report.error(at, program.symbols[i].loc,
                 quoted(program.symbols[i].name) + " is declared more than once",
                 is_size ? "a size is a parameter of the program and needs no declaration"
                         : "add a symbol for each declaration");
  }
}

void check_symbol_kind(const Survey& survey, Report& report) {
  const auto judge = [&](const RegionSite& at, ir::SymbolId id, bool fits, std::string_view what) {
    const ir::Symbol& symbol = survey.symbol(id);
    if (fits) return;
    report.error(at, at.node->loc, quoted(symbol.name) + " is not " + std::string(what),
                 "give the symbol the kind that fits where it comes into being");
  };
  survey.each<ir::Declare>([&](const RegionSite& at, const ir::Declare& op) {
    const ir::Symbol& symbol = survey.symbol(op.symbol);
    const bool is_object = symbol.kind == SymbolKind::Scalar || symbol.kind == SymbolKind::Buffer;
    judge(at, op.symbol, is_object && symbol.intent != Intent::None,
          "a scalar or a buffer with an intent, so nothing can declare it");
  });
  survey.each<ir::Let>([&](const RegionSite& at, const ir::Let& op) {
    judge(at, op.symbol, survey.symbol(op.symbol).kind == SymbolKind::Let, "the name of a let");
  });
  survey.each_range([&](const RegionSite& at, const ir::Range& range) {
    judge(at, range.index, survey.symbol(range.index).kind == SymbolKind::Index,
          "the index of a loop");
  });
}

void check_scope(const Survey& survey, Report& report) {
  std::set<std::pair<std::size_t, ir::SymbolId>> told;
  const auto judge = [&](std::size_t region, std::size_t expr, ir::SymbolId id,
                         const SourceLoc& loc) {
    if (is_visible(survey, id, region, expr) || !told.emplace(region, id).second) return;
    const ir::Symbol& symbol = survey.symbol(id);
    const bool is_declared = survey.origin(id).count != 0;
    report.error(
        survey.region(region), loc,
        quoted(symbol.name) +
            (is_declared ? " is used outside the block or the loop that brings it into being"
                         : " is used and never declared"),
        is_declared ? "declare it before its use, in a block around both"
                    : "declare it first, at the top level of the program");
  };
  survey.each_expr<ir::Read>([&](const ExprSite& at, const ir::Read& read) {
    judge(at.region, at.id, read.symbol, at.node->loc);
  });
  survey.each_expr<ir::Load>([&](const ExprSite& at, const ir::Load& load) {
    judge(at.region, at.id, load.buffer, at.node->loc);
  });
  for (const Access& write : survey.writes()) {
    judge(write.region, nowhere, write.symbol, write.loc);
  }
  survey.each<ir::Call>([&](const RegionSite& at, const ir::Call& call) {
    for (const ir::SymbolId id : call.arguments) judge(at.id, nowhere, id, at.node->loc);
  });
  survey.each<ir::Copy>([&](const RegionSite& at, const ir::Copy& copy) {
    judge(at.id, nowhere, copy.from, at.node->loc);
  });
}

void check_unwritten_read(const Survey& survey, Report& report) {
  std::set<ir::SymbolId> settled;
  for (const Access& write : survey.writes()) settled.insert(write.symbol);
  for (const Access& read : survey.reads()) {
    const ir::Symbol& symbol = survey.symbol(read.symbol);
    const bool starts_at_zero = symbol.kind == SymbolKind::Scalar && !symbol.initial &&
                                (symbol.intent == Intent::Out || symbol.intent == Intent::Var);
    if (!starts_at_zero || !settled.insert(read.symbol).second) continue;
    report.warning(survey.region(read.region), read.loc,
                   quoted(symbol.name) + " is read, but nothing ever writes it: it is 0",
                   "assign it first, or give it an initial value where it is declared");
  }
}

}  // namespace gyre::verifier
