/// What an object may be: where it is declared, its type, its shape, its initial value.
#include "gyre/ir/visitor.hpp"
#include "rules.hpp"

namespace gyre::verifier {
namespace {

using ir::Intent;
using ir::ScalarType;
using ir::SymbolKind;

constexpr std::size_t max_rank = 4;

// Calls `f(site, symbol)` for each declared object.
template <class F>
void each_object(const Survey& survey, F f) {
  survey.each<ir::Declare>(
      [&](const RegionSite& at, const ir::Declare& op) { f(at, survey.symbol(op.symbol)); });
}

// The first node of `root` that `offends`, or null.
template <class Offends>
ir::Expr find_node(const ir::Expr& root, Offends offends) {
  ir::Expr found;
  ir::for_each_expr(root, [&](const ir::Expr& node) {
    if (!found && offends(node)) found = node;
  });
  return found;
}

bool touches_memory(const ir::Expr& node) {
  return ir::as<ir::Load>(node) != nullptr || ir::as<ir::Fold>(node) != nullptr;
}

bool reads_other_than_sizes(const Survey& survey, const ir::Expr& node) {
  const auto* read = ir::as<ir::Read>(node);
  return read != nullptr && survey.symbol(read->symbol).kind != SymbolKind::Size;
}

}  // namespace

void check_top_level_object(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    const bool is_callers = symbol.intent == Intent::In || symbol.intent == Intent::Out ||
                            symbol.intent == Intent::Inout;
    if (!is_callers || at.parent == 0 || at.parent == nowhere) return;
    report.error(at, symbol.loc,
                 quoted(symbol.name) + " is declared '" + std::string(name_of(symbol.intent)) +
                     "' inside a block",
                 "objects of the caller's stand at the top level of the program; what lives in a "
                 "block is a var or a temp");
  });
}

void check_temp_buffer(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    if (symbol.intent != Intent::Temp || symbol.kind == SymbolKind::Buffer) return;
    report.error(at, symbol.loc, "temp " + quoted(symbol.name) + " is a scalar",
                 "write 'var' for a scalar, or give the buffer its extents");
  });
}

void check_var_scalar(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    if (symbol.intent != Intent::Var || symbol.kind == SymbolKind::Scalar) return;
    report.error(at, symbol.loc, "var " + quoted(symbol.name) + " is a buffer",
                 "write 'temp' for a buffer");
  });
}

void check_storage_type(const Survey& survey, Report& report) {
  const auto judge = [&](const RegionSite& at, const ir::Symbol& symbol) {
    if (symbol.kind == SymbolKind::Buffer || !ir::is_storage_only(symbol.type)) return;
    report.error(at, symbol.loc,
                 quoted(symbol.name) + " is a value of type " + std::string(name_of(symbol.type)) +
                     ", which only buffers hold",
                 "make it an f32: elements of such buffers are f32 once they are read");
  };
  each_object(survey, judge);
  survey.each<ir::Let>(
      [&](const RegionSite& at, const ir::Let& op) { judge(at, survey.symbol(op.symbol)); });
}

void check_buffer_rank(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    const std::size_t rank = symbol.extents.size();
    if (symbol.kind != SymbolKind::Buffer || (rank >= 1 && rank <= max_rank)) return;
    report.error(at, symbol.loc,
                 "buffer " + quoted(symbol.name) + " has " + std::to_string(rank) + " dimensions",
                 "a buffer has 1 to 4; join some of them into one of their product");
  });
}

void check_extent(const Survey& survey, Report& report) {
  constexpr auto hint = "an extent is an integer made of sizes, literals and operators";
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    for (const ir::Expr& extent : symbol.extents) {
      const auto culprit = find_node(extent, [&](const ir::Expr& node) {
        return touches_memory(node) || reads_other_than_sizes(survey, node);
      });
      const auto* literal = ir::as<ir::Literal>(extent);
      const std::string of = "an extent of " + quoted(symbol.name);
      if (culprit) {
        report.error(at, culprit->loc, of + " depends on a value of the run", hint);
      } else if (extent->type != ScalarType::Invalid && !ir::is_integer(extent->type)) {
        report.error(at, extent->loc, of + " is of type " + std::string(name_of(extent->type)),
                     hint);
      } else if (literal != nullptr && literal->value.as_integer() < 0) {
        report.error(at, extent->loc, of + " is negative", "an empty buffer has the extent 0");
      }
    }
  });
}

void check_buffer_initial(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    if (symbol.kind != SymbolKind::Buffer || !symbol.initial) return;
    report.error(at, symbol.initial->loc, "buffer " + quoted(symbol.name) + " has an initial value",
                 "a temp or out buffer starts at zero; 'fill' gives it another value");
  });
}

void check_initial_value(const Survey& survey, Report& report) {
  each_object(survey, [&](const RegionSite& at, const ir::Symbol& symbol) {
    // A var's initial value is computed where it stands, like any assigned value.
    if (symbol.kind != SymbolKind::Scalar || !symbol.initial || symbol.intent == Intent::Var) {
      return;
    }
    const bool is_default = symbol.intent != Intent::Out;
    const auto culprit = find_node(symbol.initial, [&](const ir::Expr& node) {
      return touches_memory(node) || (is_default && reads_other_than_sizes(survey, node));
    });
    if (!culprit) return;
    if (is_default) {
      report.error(at, culprit->loc,
                   "the default of " + quoted(symbol.name) + " depends on a value of the run",
                   "it is known before the run: make it of literals, sizes and operators");
    } else {
      report.error(at, culprit->loc,
                   "the initial value of " + quoted(symbol.name) + " reads a buffer",
                   "make it of literals, sizes and earlier scalars, or assign it in a statement");
    }
  });
}

}  // namespace gyre::verifier
