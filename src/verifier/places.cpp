/// Elements and scalars, read and written.
#include "mismatch.hpp"
#include "rules.hpp"

namespace gyre::verifier {
namespace {

using ir::ScalarType;
using ir::SymbolKind;

// Calls `f(region site, symbol, index, loc)` for each element that is read or written.
template <class F>
void each_element(const Survey& survey, F f) {
  survey.each_expr<ir::Load>([&](const ExprSite& at, const ir::Load& load) {
    f(survey.region(at.region), survey.symbol(load.buffer), load.index, at.node->loc);
  });
  survey.each_place([&](const RegionSite& at, const ir::Place& place) {
    if (!place.index.empty()) f(at, survey.symbol(place.symbol), place.index, place.loc);
  });
}

std::string_view kind_name(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Size: return "a size";
    case SymbolKind::Scalar: return "a scalar";
    case SymbolKind::Buffer: return "a buffer";
    case SymbolKind::Let: return "a let";
    case SymbolKind::Index: return "a loop index";
  }
  return "a symbol";
}

std::string element_hint(const ir::Symbol& buffer) {
  std::string text = "name one element: " + buffer.name + "[i";
  for (std::size_t i = 1; i < buffer.extents.size(); ++i) text += ", j";
  return text + "]";
}

}  // namespace

void check_element_access(const Survey& survey, Report& report) {
  each_element(survey, [&](const RegionSite& at, const ir::Symbol& symbol, const auto&,
                           const SourceLoc& loc) {
    if (is_buffer(symbol)) return;
    report.error(
        at, loc,
        quoted(symbol.name) + " is " + std::string(kind_name(symbol.kind)) + " and has no elements",
        "leave out the index, or declare it with extents");
  });
  const auto whole = [&](const RegionSite& at, ir::SymbolId id, const SourceLoc& loc) {
    const ir::Symbol& symbol = survey.symbol(id);
    if (!is_buffer(symbol)) return;
    report.error(at, loc, quoted(symbol.name) + " is a buffer and not one value",
                 element_hint(symbol));
  };
  survey.each_expr<ir::Read>([&](const ExprSite& at, const ir::Read& read) {
    whole(survey.region(at.region), read.symbol, at.node->loc);
  });
  survey.each_place([&](const RegionSite& at, const ir::Place& place) {
    if (place.index.empty()) whole(at, place.symbol, place.loc);
  });
}

void check_index_count(const Survey& survey, Report& report) {
  each_element(survey, [&](const RegionSite& at, const ir::Symbol& symbol, const auto& index,
                           const SourceLoc& loc) {
    if (!is_buffer(symbol) || index.size() == symbol.extents.size()) return;
    report.error(at, loc,
                 quoted(symbol.name) + " has " + std::to_string(symbol.extents.size()) +
                     (symbol.extents.size() == 1 ? " dimension" : " dimensions") +
                     " and is given " + std::to_string(index.size()) +
                     (index.size() == 1 ? " index" : " indices"),
                 element_hint(symbol));
  });
}

void check_index_type(const Survey& survey, Report& report) {
  each_element(survey, [&](const RegionSite& at, const ir::Symbol& symbol, const auto& index,
                           const SourceLoc&) {
    for (const ir::Expr& one : index) {
      if (one->type == ScalarType::Invalid || ir::is_integer(one->type)) continue;
      report.error(
          at, one->loc,
          "an index of " + quoted(symbol.name) + " is of type " + std::string(name_of(one->type)),
          "an index is an integer: " + conversion_hint(survey, one, ScalarType::I64));
    }
  });
}

void check_read_only(const Survey& survey, Report& report) {
  for (const Access& write : survey.writes()) {
    const ir::Symbol& symbol = survey.symbol(write.symbol);
    const bool is_object = symbol.kind == SymbolKind::Scalar || is_buffer(symbol);
    if (is_object && symbol.intent != ir::Intent::In) continue;
    report.error(survey.region(write.region), write.loc,
                 quoted(symbol.name) + " is " +
                     (is_object ? "an input" : std::string(kind_name(symbol.kind))) +
                     " and cannot be written",
                 is_object ? "declare it 'inout', or write to an 'out' or 'temp' of your own"
                           : "declare a 'var' for a value that changes");
  }
}

void check_read_type(const Survey& survey, Report& report) {
  const auto judge = [&](const ExprSite& at, const ir::Symbol& symbol) {
    const ScalarType type = ir::loaded_type(symbol.type);
    if (at.node->type == type) return;
    report.error(at,
                 quoted(symbol.name) + " is of type " + std::string(name_of(type)) +
                     " and is read as " + std::string(name_of(at.node->type)),
                 "pass the symbol's own type to make_read and make_load");
  };
  survey.each_expr<ir::Read>([&](const ExprSite& at, const ir::Read& read) {
    if (!is_buffer(survey.symbol(read.symbol))) judge(at, survey.symbol(read.symbol));
  });
  survey.each_expr<ir::Load>([&](const ExprSite& at, const ir::Load& load) {
    if (is_buffer(survey.symbol(load.buffer))) judge(at, survey.symbol(load.buffer));
  });
}

}  // namespace gyre::verifier
