#include "emit_expr.hpp"

#include "emit_text.hpp"
#include "gyre/base/error.hpp"
#include "gyre/plan/staging.hpp"
#include "gyre/plan/touches.hpp"
#include "reserved_words.hpp"

#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

namespace gyre::jit {
namespace {

using ir::ScalarType;

template <class T>
std::string float_literal(T value, const char* suffix, const char* type) {
  if (std::isnan(value)) return std::string("gyre::not_a_number<") + type + ">()";
  if (std::isinf(value)) {
    const std::string infinity = std::string("gyre::greatest<") + type + ">()";
    return value < 0 ? "(-" + infinity + ")" : infinity;
  }
  const std::string text = to_string(ir::Value(value)) + suffix;
  return text[0] == '-' ? "(" + text + ")" : text;
}

// A float's arithmetic is the machine's; an integer's wraps and never traps.
bool is_plain_infix(ir::Op op, ScalarType operand) {
  switch (op) {
    case ir::Op::Or:
    case ir::Op::And:
    case ir::Op::Eq:
    case ir::Op::Ne:
    case ir::Op::Lt:
    case ir::Op::Le:
    case ir::Op::Gt:
    case ir::Op::Ge: return true;
    case ir::Op::Add:
    case ir::Op::Sub:
    case ir::Op::Mul:
    case ir::Op::Div: return ir::is_float(operand);
    default: return false;
  }
}

}  // namespace

std::string without_outer_parentheses(const std::string& text) {
  if (text.size() < 2 || text.front() != '(') return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

std::string cpp_type(ScalarType type) {
  switch (type) {
    case ScalarType::Bool: return "bool";
    case ScalarType::I32: return "int";
    case ScalarType::I64: return "long long";
    case ScalarType::F32: return "float";
    case ScalarType::F64: return "double";
    default: break;
  }
  GYRE_CHECK(false, "a value of no type was emitted");
  return {};
}

std::string cpp_storage(ScalarType type) {
  switch (type) {
    case ScalarType::Bool: return "gyre::boolean";
    case ScalarType::F16: return "gyre::f16";
    case ScalarType::BF16: return "gyre::bf16";
    default: return cpp_type(type);
  }
}

bool is_plain(ScalarType element) {
  return element != ScalarType::Bool && !ir::is_storage_only(element);
}

std::string cpp_literal(const ir::Value& value) {
  switch (value.type()) {
    case ScalarType::I32:
      return value.as<std::int32_t>() == INT32_MIN ? "(-2147483647 - 1)" : to_string(value);
    case ScalarType::I64:
      return value.as<std::int64_t>() == INT64_MIN ? "(-9223372036854775807LL - 1)"
                                                   : to_string(value) + "LL";
    case ScalarType::F32: return float_literal(value.as<float>(), "f", "float");
    case ScalarType::F64: return float_literal(value.as<double>(), "", "double");
    default: return to_string(value);
  }
}

std::string cpp_fold(ir::FoldOp op, ScalarType term) {
  std::string name(ir::name_of(op));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return "gyre::" + name + "<" + cpp_type(term) + ">";
}

std::string EmitExpr::unlike_others(const std::string& wanted) {
  std::string unique = wanted + (looks_emitted(wanted) ? "_" : "");
  for (int number = 2; is_reserved(unique) || taken_.contains(unique); ++number) {
    unique = wanted + "_" + std::to_string(number);
  }
  taken_.insert(unique);
  return unique;
}

const std::string& EmitExpr::name(ir::SymbolId symbol) {
  if (const auto found = names_.find(symbol); found != names_.end()) return found->second;
  const ir::Symbol& declared = plan_[symbol];
  if (declared.kind == ir::SymbolKind::Buffer) buffers_.push_back(symbol);
  if (declared.kind == ir::SymbolKind::Size) sizes_.push_back(symbol);
  return names_.emplace(symbol, unlike_others(declared.name)).first->second;
}

const std::string& EmitExpr::view(ir::SymbolId buffer) {
  if (const auto found = views_.find(buffer); found != views_.end()) return found->second;
  name(buffer);
  viewed_.push_back(buffer);
  return views_.emplace(buffer, unlike_others(plan_[buffer].name + "_view")).first->second;
}

const std::string& EmitExpr::shadow(ir::SymbolId buffer) {
  if (const auto found = shadows_.find(buffer); found != shadows_.end()) return found->second;
  return shadows_.emplace(buffer, unlike_others(plan_[buffer].name + "_shadow")).first->second;
}

const std::string& EmitExpr::memory(ir::SymbolId buffer) {
  if (const auto found = memories_.find(buffer); found != memories_.end()) return found->second;
  name(buffer);
  return memories_.emplace(buffer, unlike_others(plan_[buffer].name + "_memory")).first->second;
}

void EmitExpr::keep_in_registers(ir::SymbolId buffer) {
  name(buffer);
  in_registers_.insert(buffer);
}

void EmitExpr::copy_in_registers(ir::SymbolId buffer, const plan::Sweep& owners) {
  name(buffer);
  copied_[buffer] = &owners;
}

const std::string& EmitExpr::own_copy(ir::SymbolId buffer) {
  if (const auto found = own_copies_.find(buffer); found != own_copies_.end()) return found->second;
  return own_copies_.emplace(buffer, unlike_others(plan_[buffer].name + "_own")).first->second;
}

bool EmitExpr::is_copied(const ir::Load& load) const {
  const auto found = copied_.find(load.buffer);
  return found != copied_.end() && sweep_ != nullptr && plan::is_own_place(*sweep_, load.index) &&
         plan::have_same_points(plan_, *found->second, *sweep_);
}

std::string EmitExpr::element(ir::SymbolId buffer, const std::vector<std::string>& index) {
  return name(buffer) + "[" + (in_registers_.contains(buffer) ? "own" : place(buffer, index)) + "]";
}

std::string EmitExpr::operator()(const ir::Expr& expr) {
  if (const auto found = replaced_.find(expr.get()); found != replaced_.end()) {
    return found->second;
  }
  struct Emit {
    EmitExpr& self;
    const ir::Expr& expr;
    std::string operator()(const ir::Literal& literal) const { return cpp_literal(literal.value); }
    std::string operator()(const ir::Read& read) const { return self.name(read.symbol); }
    std::string operator()(const ir::Load& load) const { return self.load(load); }
    std::string operator()(const ir::Apply& apply) const { return self.apply(apply); }
    std::string operator()(const ir::Cast& cast) const {
      return "gyre::ops::convert<" + cpp_type(expr->type) + ">(" + self.whole(cast.operand) + ")";
    }
    std::string operator()(const ir::Fold& fold) const { return self.fold(fold); }
  };
  return std::visit(Emit{*this, expr}, expr->kind);
}

std::string EmitExpr::whole(const ir::Expr& expr) {
  return without_outer_parentheses((*this)(expr));
}

std::string EmitExpr::apply(const ir::Apply& apply) {
  const ir::OpInfo& row = ir::info(apply.op);
  const auto& operands = apply.operands;
  if (apply.op == ir::Op::Select) {
    const std::string condition = (*this)(operands[0]);
    const std::string then = (*this)(operands[1]);
    return "(" + condition + " ? " + then + " : " + (*this)(operands[2]) + ")";
  }
  if (apply.op == ir::Op::Not) return "!" + (*this)(operands[0]);
  if (apply.op == ir::Op::Neg && ir::is_float(operands[0]->type)) {
    return "(-" + (*this)(operands[0]) + ")";
  }
  if (is_plain_infix(apply.op, operands[0]->type)) {
    const std::string left = (*this)(operands[0]);
    return "(" + left + " " + std::string(row.spelling) + " " + (*this)(operands[1]) + ")";
  }
  return call("gyre::ops::" + std::string(row.function), each(operands));
}

std::vector<std::string> EmitExpr::each(const std::vector<ir::Expr>& exprs) {
  std::vector<std::string> texts;
  for (const ir::Expr& one : exprs) texts.push_back(whole(one));
  return texts;
}

std::string EmitExpr::place(ir::SymbolId buffer, const std::vector<std::string>& index) {
  if (index.size() == 1) return index[0];
  return "gyre::place({" + joined(extents(buffer)) + "}, {" + joined(index) + "})";
}

std::vector<std::string> EmitExpr::extents(ir::SymbolId buffer) {
  std::vector<std::string> texts;
  for (const ir::Expr& extent : plan_[buffer].extents) texts.push_back(whole(extent));
  return texts;
}

std::string EmitExpr::load(const ir::Load& load) {
  const std::vector<std::string> index = each(load.index);
  if (const auto found = staged_.find(load.buffer); found != staged_.end()) {
    const auto* read = ir::as<ir::Read>(plan::without_widening(load.index[0]));
    if (read != nullptr && read->symbol == staged_index_) {
      return found->second + "[" + index[0] + "]";
    }
  }
  if (is_copied(load)) return own_copy(load.buffer) + "[own]";
  if (checked_)
    return view(load.buffer) + ".load(here, " + next_access() + ", {" + joined(index) + "})";
  if (is_plain(plan_[load.buffer].type)) return element(load.buffer, index);
  return "gyre::load(" + name(load.buffer) + " + " + place(load.buffer, index) + ")";
}

std::string EmitExpr::bound(const ir::Expr& expr) {
  // A range turns whatever it gets into i64.
  const auto* literal = ir::as<ir::Literal>(expr);
  const bool is_small = literal != nullptr && std::abs(literal->value.as_integer()) < INT32_MAX;
  return is_small ? to_string(literal->value) : whole(expr);
}

std::string EmitExpr::range(const ir::Range& range) {
  std::vector<std::string> bounds = {bound(range.begin), bound(range.end)};
  if (range.step) bounds.push_back(bound(range.step));
  if (!ir::step_may_be_zero(range)) return "{" + joined(bounds) + "}";
  return "= gyre::checked_range(here, " + next_access() + ", " + joined(bounds) + ")";
}

std::string EmitExpr::term(const ir::Fold& fold, const std::string& capture,
                           const std::map<ir::SymbolId, std::string>& staged) {
  std::vector<std::string> indices;
  for (const ir::Range& one : fold.ranges) {
    indices.push_back(cpp_type(plan_[one.index].type) + " " + name(one.index));
  }
  staged_ = staged;
  staged_index_ = fold.ranges[0].index;
  const Folds folds = std::exchange(folds_, Folds::Short);
  const std::string value = "return " + whole(fold.operand) + ";";
  folds_ = folds;
  staged_.clear();
  const std::string head = capture + "(" + joined(indices) + ") {";
  const bool is_short = head.size() + value.size() < 76 && value.find('\n') == std::string::npos;
  return head + (is_short ? " " + value + " }" : "\n" + indented(value) + "\n}");
}

std::string EmitExpr::fold(const ir::Fold& fold) {
  return fold_over(fold, over(fold.ranges), {});
}

std::string EmitExpr::fold_over(const ir::Fold& fold, const std::string& range,
                                const std::map<ir::SymbolId, std::string>& staged) {
  // An operand that folds is of much text.
  const bool is_few = folds_ == Folds::Short || ir::contains_fold(fold.operand);
  return "gyre::" + std::string(checked_ ? "checked_" : "") + "fold<" +
         cpp_fold(fold.op, fold.operand->type) + ">(" + range + ")\n" +
         indented(folded(is_few, term(fold, "[&]", staged)), 2);
}

std::string EmitExpr::over(const std::vector<ir::Range>& ranges) {
  std::vector<std::string> texts;
  for (const ir::Range& one : ranges) {
    const std::string text = range(one);
    texts.push_back(text[0] == '{' ? "gyre::Range" + text : text.substr(2));
  }
  return joined(texts);
}

std::string EmitExpr::folded(bool is_few, const std::string& term) const {
  std::string of = is_few ? ".of(" : ".of_many(";
  if (checked_) of += "here, ";
  if (folds_ == Folds::Shared) of += "team, ";
  return of + term + ")";
}

}  // namespace gyre::jit
