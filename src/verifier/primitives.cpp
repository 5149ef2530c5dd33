/// Scans, sorts and the other device-wide primitives: what they take and what they write.
#include "gyre/ir/range_bound.hpp"
#include "mismatch.hpp"
#include "rules.hpp"
#include "stored_values.hpp"

#include <algorithm>

namespace gyre::verifier {
namespace {

using ir::Primitive;
using ir::PrimitiveOp;
using ir::ScalarType;
using ir::SymbolKind;

std::string word(const Primitive& op) {
  return quoted(info(op.op).name);
}

// How many buffers it writes; a scalar may stand behind them.
std::size_t buffers_of(const Primitive& op) {
  return op.outputs.size() - (info(op.op).counts ? 1 : 0);
}

// "1 value", "2 values".
std::string count_of(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// What it takes and writes, where that is not what it is given; else nothing.
std::string_view miscount(const Primitive& op) {
  const std::size_t takes = op.operands.size();
  const std::size_t writes = op.outputs.size();
  switch (op.op) {
    case PrimitiveOp::Scan:
      return takes == 1 && writes == 1 ? "" : "takes one term and writes one buffer";
    case PrimitiveOp::Sort:
      return takes >= 1 && takes == writes ? "" : "writes a buffer for each value that it takes";
    case PrimitiveOp::Compact:
      return takes >= 2 && takes == writes
                 ? ""
                 : "writes a buffer for each value that it takes, and a scalar that tells how many";
    case PrimitiveOp::Topk:
      return takes == 1 && (writes == 1 || writes == 2)
                 ? ""
                 : "takes one value and writes a buffer, and maybe one for the indices";
    case PrimitiveOp::Histogram:
      return takes == 1 && writes == 1 ? "" : "takes one number and writes one buffer";
    case PrimitiveOp::ReduceByKey:
      return takes == 2 && writes == 3 ? ""
                                       : "takes a key and a term and writes two buffers, and a "
                                         "scalar that tells how many";
  }
  return "";
}

// Calls `f(site, primitive)` for each that takes and writes as many as it should.
template <class F>
void each_whole(const Survey& survey, F f) {
  survey.each<Primitive>([&](const RegionSite& at, const Primitive& op) {
    if (miscount(op).empty()) f(at, op);
  });
}

void judge_integer(const Survey& survey, const RegionSite& at, ir::SymbolId id,
                   std::string_view what, Report& report) {
  const ir::Symbol& symbol = survey.symbol(id);
  if (symbol.type == ScalarType::Invalid || ir::is_integer(symbol.type)) return;
  report.error(at, at.node->loc,
               quoted(symbol.name) + " is of type " + std::string(name_of(symbol.type)) +
                   " and is given " + std::string(what),
               "declare it i32 or i64");
}

}  // namespace

void check_primitive_outputs(const Survey& survey, Report& report) {
  survey.each<Primitive>([&](const RegionSite& at, const Primitive& op) {
    const std::string_view wrong = miscount(op);
    const bool has_condition = op.op == PrimitiveOp::Compact && !op.operands.empty();
    if (!wrong.empty()) {
      report.error(at, at.node->loc, word(op) + " " + std::string(wrong),
                   "it is given " +
                       count_of(op.operands.size() - (has_condition ? 1 : 0), "value") + " and " +
                       count_of(op.outputs.size(), "output"));
      return;
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      const ir::Symbol& symbol = survey.symbol(op.outputs[i]);
      const bool is_buffer = symbol.kind == SymbolKind::Buffer;
      if (i >= buffers_of(op)) {
        if (is_buffer) {
          report.error(
              at, at.node->loc,
              word(op) + " tells by " + quoted(symbol.name) + " how many, and that is a buffer",
              "name an integer scalar last");
        }
      } else if (!is_buffer || symbol.extents.size() != 1) {
        report.error(at, at.node->loc,
                     word(op) + " writes " + quoted(symbol.name) + ", which is " +
                         (is_buffer ? "a buffer of several dimensions" : "no buffer"),
                     "write to a buffer of one dimension");
      }
    }
  });
}

void check_primitive_operand(const Survey& survey, Report& report) {
  const auto judge = [&](const RegionSite& at, const Primitive& op, std::size_t number, bool fits,
                         std::string_view wants) {
    const ir::Expr& operand = op.operands[number];
    if (fits || operand->type == ScalarType::Invalid) return;
    report.error(at, operand->loc,
                 word(op) + " takes " + std::string(wants) + ", and this is of type " +
                     std::string(name_of(operand->type)));
  };
  each_whole(survey, [&](const RegionSite& at, const Primitive& op) {
    const auto type = [&](std::size_t number) { return op.operands[number]->type; };
    if (op.op == PrimitiveOp::Sort || op.op == PrimitiveOp::Topk) {
      judge(at, op, 0, ir::is_number(type(0)), "numbers to order");
    } else if (op.op == PrimitiveOp::Compact) {
      judge(at, op, 0, type(0) == ScalarType::Bool, "a bool behind 'where'");
    } else if (op.op == PrimitiveOp::Histogram) {
      judge(at, op, 0, ir::is_integer(type(0)), "integers to count");
    } else if (ir::folds_to_index(op.fold)) {
      report.error(at, at.node->loc, word(op) + " does not fold by " + quoted(name_of(op.fold)),
                   "there are sum, prod, min, max, any, all and count");
    } else {
      const std::size_t term = op.operands.size() - 1;
      judge(
          at, op, term, ir::fold_type(op.fold, type(term)) != ScalarType::Invalid,
          ir::folds_conditions(op.fold) ? "conditions for such a fold" : "numbers for such a fold");
    }
  });
}

void check_primitive_type(const Survey& survey, Report& report) {
  each_stored_value(survey, [&](const RegionSite& at, const auto& kind, const ir::Expr& value,
                                ScalarType wanted, ir::SymbolId symbol) {
    if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, Primitive>) {
      if (!is_mismatch(value, wanted)) return;
      report.error(at, value->loc,
                   quoted(survey.symbol(symbol).name) + " is of type " +
                       std::string(name_of(survey.symbol(symbol).type)) + " and receives values" +
                       " of type " + std::string(name_of(value->type)),
                   conversion_hint(survey, value, wanted));
    }
  });
  each_whole(survey, [&](const RegionSite& at, const Primitive& op) {
    if (info(op.op).counts) judge_integer(survey, at, op.outputs.back(), "a count", report);
    if (op.op == PrimitiveOp::Histogram) {
      judge_integer(survey, at, op.outputs[0], "counts", report);
    } else if (op.op == PrimitiveOp::Topk && op.outputs.size() == 2) {
      judge_integer(survey, at, op.outputs[1], "indices", report);
    } else if (info(op.op).folds && ir::folds_conditions(op.fold)) {
      const ir::Symbol& symbol = survey.symbol(op.outputs[op.operands.size() - 1]);
      const ScalarType result = ir::fold_type(op.fold, ScalarType::Bool);
      if (symbol.type == result || symbol.type == ScalarType::Invalid) return;
      report.error(at, at.node->loc,
                   quoted(symbol.name) + " is of type " + std::string(name_of(symbol.type)) +
                       " and receives values of type " + std::string(name_of(result)),
                   "declare it " + std::string(name_of(result)));
    }
  });
}

void check_primitive_overlap(const Survey& survey, Report& report) {
  survey.each<Primitive>([&](const RegionSite& at, const Primitive& op) {
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      const auto behind = op.outputs.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      if (std::find(behind, op.outputs.end(), op.outputs[i]) == op.outputs.end()) continue;
      report.error(at, at.node->loc,
                   word(op) + " writes " + quoted(survey.symbol(op.outputs[i]).name) + " twice",
                   "name an output for each of what it gives");
    }
    // Both store while they still evaluate.
    if (op.op != PrimitiveOp::Compact && op.op != PrimitiveOp::ReduceByKey) return;
    const Origin& operands = survey.origin(op.range.index);
    survey.each_expr<ir::Load>([&](const ExprSite& expr, const ir::Load& load) {
      if (expr.id < operands.first || expr.id >= operands.end) return;
      if (std::find(op.outputs.begin(), op.outputs.end(), load.buffer) == op.outputs.end()) return;
      report.error(
          expr,
          word(op) + " reads " + quoted(survey.symbol(load.buffer).name) + ", which it writes",
          "write to another buffer, and copy it back");
    });
  });
}

void check_topk_bound(const Survey& survey, Report& report) {
  each_whole(survey, [&](const RegionSite& at, const Primitive& op) {
    if (op.op != PrimitiveOp::Topk) return;
    if (ir::bound_of(survey.program(), op.range, op.operands[0])) return;
    report.error(at, at.node->loc, "nothing bounds how many values 'topk' looks at",
                 "let it load a buffer at the range's index, or make the range's end of sizes: "
                 "that says how much room it needs");
  });
}

}  // namespace gyre::verifier
