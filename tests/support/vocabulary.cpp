#include "support/vocabulary.hpp"

#include "gyre/ir/visitor.hpp"

#include <variant>

namespace gyre::support {
namespace {

std::string word_of(const ir::RegionKind& kind) {
  return "region " + std::to_string(kind.index());
}

std::string word_of(const ir::OpInfo& op, ir::ScalarType type) {
  return std::string(op.function) + " " + std::string(name_of(type));
}

std::string word_of(ir::FoldOp fold, ir::ScalarType type) {
  return "fold " + std::string(name_of(fold)) + " " + std::string(name_of(type));
}

std::string word_of(const ir::PrimitiveInfo& row, bool option) {
  return std::string(row.name) + (option ? " " + std::string(row.option) : "");
}

constexpr ir::ScalarType value_types[] = {ir::ScalarType::Bool, ir::ScalarType::I32,
                                          ir::ScalarType::I64, ir::ScalarType::F32,
                                          ir::ScalarType::F64};

// The type by which an operator's uses are told apart: that of its operands.
ir::ScalarType operand_type(const ir::Apply& apply) {
  return apply.operands.back()->type;
}

void require_regions(Vocabulary& needed, Calls calls) {
  for (std::size_t kind = 0; kind < std::variant_size_v<ir::RegionKind>; ++kind) {
    needed.insert("region " + std::to_string(kind));
  }
  for (const ir::RegionKind& absent :
       {ir::RegionKind(ir::CheckStep{}), ir::RegionKind(ir::CountTrips{})}) {
    needed.erase(word_of(absent));
  }
  if (calls == Calls::Without) needed.erase(word_of(ir::Call{}));
  needed.insert({"independent", "team", "scatter +="});
  for (const ir::PrimitiveInfo& row : ir::all_primitives()) {
    needed.insert(word_of(row, false));
    if (!row.option.empty()) needed.insert(word_of(row, true));
  }
}

void require_operators(Vocabulary& needed) {
  for (const ir::OpInfo& row : ir::all_ops()) {
    for (const ir::ScalarType type : value_types) {
      if (admits(row.operands, type) && row.bits == ir::OpBits::Exact)
        needed.insert(word_of(row, type));
    }
  }
}

void require_folds(Vocabulary& needed) {
  for (const ir::FoldOp fold : ir::all_folds()) {
    const bool takes_conditions =
        fold == ir::FoldOp::Any || fold == ir::FoldOp::All || fold == ir::FoldOp::Count;
    for (const ir::ScalarType type : value_types) {
      if ((type == ir::ScalarType::Bool) == takes_conditions) needed.insert(word_of(fold, type));
    }
  }
}

Vocabulary exact_language(Calls calls) {
  Vocabulary needed;
  require_regions(needed, calls);
  require_operators(needed);
  require_folds(needed);
  return needed;
}

// The words of `some` that are not among `others`.
std::string difference(const Vocabulary& some, const Vocabulary& others) {
  std::string text;
  for (const std::string& word : some) {
    if (!others.contains(word)) text += word + "\n";
  }
  return text;
}

}  // namespace

Vocabulary vocabulary_of(const ir::Program& program) {
  Vocabulary words;
  ir::for_each_region(program.body, [&](const ir::Region& region) {
    words.insert(word_of(region->kind));
    if (const auto* foreach = ir::as<ir::Foreach>(region); foreach && foreach->independent) {
      words.insert("independent");
    }
    if (const auto* foreach = ir::as<ir::Foreach>(region);
        foreach && foreach->team != ir::Team::Any) {
      words.insert("team");
    }
    if (const auto* scatter = ir::as<ir::Scatter>(region); scatter && scatter->accumulate) {
      words.insert("scatter +=");
    }
    if (const auto* op = ir::as<ir::Primitive>(region)) {
      words.insert(word_of(info(op->op), op->option));
    }
  });
  ir::for_each_expr(program.body, [&](const ir::Expr& expr) {
    if (const auto* apply = ir::as<ir::Apply>(expr)) {
      words.insert(word_of(info(apply->op), operand_type(*apply)));
    }
    if (const auto* fold = ir::as<ir::Fold>(expr)) {
      words.insert(word_of(fold->op, fold->operand->type));
    }
  });
  return words;
}

std::string missing_from(const Vocabulary& used, Calls calls) {
  return difference(exact_language(calls), used);
}

std::string beyond_exact(const Vocabulary& used, Calls calls) {
  return difference(used, exact_language(calls));
}

}  // namespace gyre::support
