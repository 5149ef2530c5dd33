#include "emit_expr.hpp"

#include "gyre/base/error.hpp"

#include <cmath>

namespace gyre::jit {
namespace {

using ir::ScalarType;

// Words that a symbol's name must not take in an emitted kernel.
const std::set<std::string>& reserved_words() {
  static const std::set<std::string> words = {"alignas",   "asm",       "auto",
                                              "bool",      "break",     "case",
                                              "catch",     "char",      "class",
                                              "const",     "constexpr", "continue",
                                              "decltype",  "default",   "delete",
                                              "do",        "double",    "else",
                                              "enum",      "explicit",  "export",
                                              "extern",    "false",     "float",
                                              "for",       "friend",    "goto",
                                              "if",        "inline",    "int",
                                              "long",      "mutable",   "namespace",
                                              "new",       "noexcept",  "not",
                                              "nullptr",   "operator",  "or",
                                              "private",   "protected", "public",
                                              "register",  "requires",  "return",
                                              "short",     "signed",    "sizeof",
                                              "static",    "struct",    "switch",
                                              "template",  "this",      "throw",
                                              "true",      "try",       "typedef",
                                              "typeid",    "typename",  "union",
                                              "unsigned",  "using",     "virtual",
                                              "void",      "volatile",  "while",
                                              "xor",       "and",       "compl",
                                              "concept",   "gyre",      "value",
                                              "strands",   "state",     "here",
                                              "bad",       "point",     "points",
                                              "rest",      "term",      "blockIdx",
                                              "threadIdx", "blockDim",  "gridDim",
                                              "warpSize",  "at",        "cudaGraphSetConditional",
                                              "memcpy",    "strand",    "index",
                                              "run_point", "assert"};
  return words;
}

// Emitted variables are a word and a number: begin0, trips12. A symbol must not look like one.
bool looks_emitted(const std::string& name) {
  static const std::set<std::string> words = {"begin", "end",    "step",    "extent", "strand",
                                              "term",  "trip",   "trips",   "limit",  "count",
                                              "holds", "labels", "decision"};
  const auto digits = name.find_last_not_of("0123456789") + 1;
  return digits < name.size() && words.contains(name.substr(0, digits));
}

template <class T>
std::string float_literal(T value, const char* suffix, const char* type) {
  if (std::isnan(value)) return std::string("gyre::not_a_number<") + type + ">()";
  if (std::isinf(value)) {
    return std::string(value < 0 ? "-" : "") + "gyre::greatest<" + type + ">()";
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

std::string without_outer_parentheses(const std::string& text) {
  if (text.size() < 2 || text.front() != '(') return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

}  // namespace

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

const std::string& EmitExpr::name(ir::SymbolId symbol) {
  const auto key = static_cast<std::uint32_t>(symbol);
  if (const auto found = names_.find(key); found != names_.end()) return found->second;
  const ir::Symbol& declared = plan_[symbol];
  std::string unique = declared.name;
  if (looks_emitted(unique)) unique += "_";
  for (int number = 2; reserved_words().contains(unique) || taken_.contains(unique); ++number) {
    unique = declared.name + "_" + std::to_string(number);
  }
  taken_.insert(unique);
  if (declared.kind == ir::SymbolKind::Buffer) buffers_.push_back(symbol);
  if (declared.kind == ir::SymbolKind::Size) sizes_.push_back(symbol);
  return names_.emplace(key, std::move(unique)).first->second;
}

std::string EmitExpr::operator()(const ir::Expr& expr) {
  struct Emit {
    EmitExpr& self;
    const ir::Expr& expr;
    std::string operator()(const ir::Literal& literal) const { return cpp_literal(literal.value); }
    std::string operator()(const ir::Read& read) const { return self.name(read.symbol); }
    std::string operator()(const ir::Load& load) const { return self.load(load, expr->type); }
    std::string operator()(const ir::Apply& apply) const {
      return self.literal_or_infix(expr, apply);
    }
    std::string operator()(const ir::Cast& cast) const {
      return "gyre::ops::convert<" + cpp_type(expr->type) + ">(" +
             without_outer_parentheses(self(cast.operand)) + ")";
    }
    std::string operator()(const ir::Fold& fold) const { return self.fold(fold); }
  };
  return std::visit(Emit{*this, expr}, expr->kind);
}

std::string EmitExpr::literal_or_infix(const ir::Expr&, const ir::Apply& apply) {
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
  std::string text = "gyre::ops::" + std::string(row.function) + "(";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text += (i == 0 ? "" : ", ") + without_outer_parentheses((*this)(operands[i]));
  }
  return text + ")";
}

std::string EmitExpr::place(ir::SymbolId buffer, const std::vector<ir::Expr>& index) {
  std::vector<std::string> coordinates;
  for (const ir::Expr& one : index) {
    coordinates.push_back(without_outer_parentheses((*this)(one)));
  }
  if (!checked_ && index.size() == 1) return coordinates[0];
  const std::string rank = std::to_string(index.size());
  std::string extents;
  std::string list;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const ir::Expr& extent = plan_[buffer].extents[i];
    extents += (i == 0 ? "" : ", ") + (extent->type == ScalarType::I64
                                           ? (*this)(extent)
                                           : "static_cast<long long>(" + (*this)(extent) + ")");
    list += (i == 0 ? "" : ", ") + (index[i]->type == ScalarType::I64
                                        ? coordinates[i]
                                        : "static_cast<long long>(" + coordinates[i] + ")");
  }
  const std::string both = "gyre::Extents<" + rank + ">{{" + extents + "}}, {" + list + "}";
  if (!checked_) return "gyre::place<" + rank + ">(" + both + ")";
  const auto number =
      buffer_numbers->try_emplace(buffer, static_cast<std::uint32_t>(buffer)).first->second;
  return "gyre::checked_place<" + rank + ">(state, here, " + std::to_string(access_++) + ", " +
         std::to_string(number) + ", " + both + ")";
}

std::string EmitExpr::load(const ir::Load& load, ScalarType) {
  const std::string where = place(load.buffer, load.index);
  const std::string& buffer = name(load.buffer);
  if (checked_) return "gyre::load_if(" + buffer + ", " + where + ", bad)";
  const ScalarType element = plan_[load.buffer].type;
  if (element == ScalarType::Bool || ir::is_storage_only(element)) {
    return "gyre::load(" + buffer + " + " + where + ")";
  }
  return buffer + "[" + where + "]";
}

// Terms are numbered row-major; a lambda turns a term's number into the indices and the operand.
std::string EmitExpr::fold(const ir::Fold& fold) {
  std::string before = "[&] { ";
  std::string count;
  std::string decode;
  for (std::size_t i = 0; i < fold.ranges.size(); ++i) {
    const ir::Range& range = fold.ranges[i];
    const std::string number = std::to_string(i);
    const std::string step = range.step ? (*this)(range.step) : "1";
    before += "const long long begin" + number + " = " + (*this)(range.begin) + ", step" + number +
              " = " + step + "; const long long extent" + number +
              " = static_cast<long long>(gyre::ops::range_extent(begin" + number + ", " +
              (*this)(range.end) + ", step" + number + ")); ";
    count += (i == 0 ? "" : " * ") + ("extent" + number);
  }
  for (std::size_t i = fold.ranges.size(); i-- > 0;) {
    const std::string number = std::to_string(i);
    const std::string type = cpp_type(plan_[fold.ranges[i].index].type);
    const std::string part = fold.ranges.size() == 1 ? "term" : "term % extent" + number;
    decode += "const " + type + " " + name(fold.ranges[i].index) + " = static_cast<" + type +
              ">(begin" + number + " + " + part + " * step" + number + "); ";
    if (fold.ranges.size() > 1) decode += "term /= extent" + number + "; ";
  }
  const std::string operand = without_outer_parentheses((*this)(fold.operand));
  return before + "return gyre::fold_inner<" + cpp_fold(fold.op, fold.operand->type) + ">(" +
         count + ", [&](long long term) { " + decode + "return " + operand +
         "; }, [&](long long term) { return begin0 + term * step0; }); }()";
}

}  // namespace gyre::jit
