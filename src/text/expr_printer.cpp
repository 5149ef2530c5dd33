#include "expr_printer.hpp"

#include "gyre/ir/rewriter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace gyre::text {
namespace {

constexpr int prefix_level = static_cast<int>(ir::OpForm::Prefix);
constexpr int product_level = static_cast<int>(ir::OpForm::Level9);
constexpr int comparison_level = static_cast<int>(ir::OpForm::Level3);

std::string type_name(ir::ScalarType type) {
  return std::string(ir::name_of(type));
}

/// The literal that `value`'s text is to the parser.
ir::Expr reread(const ir::Value& value, const std::string& text) {
  if (ir::is_integer(value.type())) return ir::make_flexible(value.as_integer());
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  return ir::make_flexible(number);
}

/// Brings expressions that have one text to one form: a converted literal is a literal of that
/// type, and all NaNs are one.
class Normalise final : public ir::Rewriter {
 public:
  using Rewriter::rewrite;

 protected:
  using Rewriter::visit;

  ir::Expr visit(const ir::Expr& self, const ir::Literal& literal) override {
    const ir::Value& value = literal.value;
    const bool nan = (value.type() == ir::ScalarType::F32 && std::isnan(value.as<float>())) ||
                     (value.type() == ir::ScalarType::F64 && std::isnan(value.as<double>()));
    if (!nan) return self;
    return ir::make_cast(value.type(), ir::make_flexible(std::numeric_limits<double>::quiet_NaN()));
  }

  ir::Expr visit(const ir::Expr& self, const ir::Cast& cast) override {
    const ir::Expr rewritten = Rewriter::visit(self, cast);
    const auto* literal = ir::as<ir::Literal>(std::get<ir::Cast>(rewritten->kind).operand);
    if (literal == nullptr || !ir::is_number(literal->value.type())) return rewritten;
    const ir::Expr bare = reread(literal->value, to_string(literal->value));
    if (bare->type != literal->value.type()) return rewritten;
    const ir::Expr remade = ir::make_cast(self->type, bare);
    return ir::as<ir::Literal>(remade) != nullptr ? remade : rewritten;
  }
};

ir::Expr normalise(const ir::Expr& expr) {
  return Normalise().rewrite(expr);
}

bool is_widening(const ir::Expr& expr) {
  const auto* cast = ir::as<ir::Cast>(expr);
  return cast != nullptr && cast->implicit;
}

std::string bracketed(const std::string& text, bool brackets) {
  return brackets ? "(" + text + ")" : text;
}

/// Tries the short form of each of `operands`, then the full form of those that widen, then all in
/// full; stops at the first for which `fits`.
template <class Forms, class Fits>
auto choose(const std::vector<ir::Expr>& exprs, const std::vector<Forms>& operands, Fits fits) {
  using Written = std::decay_t<decltype(operands[0].bare)>;
  std::vector<Written> chosen;
  for (const int attempt : {0, 1, 2}) {
    chosen.clear();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool full = attempt == 2 || (attempt == 1 && is_widening(exprs[i]));
      chosen.push_back(full ? operands[i].in_full() : operands[i].bare);
    }
    if (fits(chosen)) break;
  }
  return chosen;
}

}  // namespace

std::string ExprPrinter::print(const ir::Expr& expr) {
  return write_alone(normalise(expr)).text;
}

bool ExprPrinter::needs_type(const ir::Expr& expr) {
  const ir::Expr normal = normalise(expr);
  const Forms forms = write(normal);
  return !same_expr(forms.bare.reads_as, normal) &&
         same_expr(ir::coerce(forms.bare.reads_as, normal->type), normal);
}

std::string ExprPrinter::print_as(const ir::Expr& expr, ir::ScalarType type) {
  const ir::Expr normal = normalise(expr);
  const Forms forms = write(normal);
  return same_expr(ir::coerce(forms.bare.reads_as, type), normal) ? forms.bare.text
                                                                  : forms.in_full().text;
}

std::string ExprPrinter::print_whole(const ir::Expr& expr) {
  const ir::Expr normal = normalise(expr);
  if (const auto* literal = ir::as<ir::Literal>(normal)) return to_string(literal->value);
  if (is_widening(normal)) return print_whole(std::get<ir::Cast>(normal->kind).operand);
  return write_alone(normal).text;
}

std::string ExprPrinter::print_index(const std::vector<ir::Expr>& index) {
  std::string text;
  for (const ir::Expr& expr : index) text += (text.empty() ? "[" : ", ") + print_whole(expr);
  return text.empty() ? text : text + "]";
}

std::string ExprPrinter::print_range(const ir::Range& range) {
  std::vector<ir::Expr> bounds = {normalise(range.begin), normalise(range.end)};
  if (range.step) bounds.push_back(normalise(range.step));
  std::vector<Forms> forms;
  for (const ir::Expr& bound : bounds) forms.push_back(write(bound));
  const auto chosen = choose(bounds, forms, [&](const std::vector<Written>& written) {
    std::vector<ir::Expr> read;
    for (const Written& bound : written) read.push_back(bound.reads_as);
    return ir::unify(read) && std::equal(read.begin(), read.end(), bounds.begin(), ir::same_expr);
  });
  std::string text = chosen[0].text + ".." + chosen[1].text;
  if (range.step) text += " step " + chosen[2].text;
  return text;
}

std::string ExprPrinter::print_ranges(const std::vector<ir::Range>& ranges) {
  // No bound reads an index of its neighbours, so all are printed before any index has a name.
  std::vector<std::string> bounds;
  for (const ir::Range& range : ranges) bounds.push_back(print_range(range));
  std::string text;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    names_.declare(ranges[i].index);
    text += (i == 0 ? "" : ", ") + names_[ranges[i].index] + " in " + bounds[i];
  }
  return text;
}

ExprPrinter::Written ExprPrinter::write_alone(const ir::Expr& expr) {
  Forms forms = write(expr);
  return same_expr(forms.bare.reads_as, expr) || !forms.full ? forms.bare : *forms.full;
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& expr) {
  return std::visit([&](const auto& kind) { return write(expr, kind); }, expr->kind);
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Literal& literal) {
  const std::string text = to_string(literal.value);
  if (!ir::is_number(literal.value.type())) return {{.text = text, .reads_as = self}, {}};
  return {{.text = text,
           .level = text.starts_with('-') ? prefix_level : prefix_level + 1,
           .reads_as = reread(literal.value, text),
           .flexible = true},
          Written{.text = type_name(self->type) + "(" + text + ")",
                  .reads_as = ir::make_literal(literal.value)}};
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Read& read) {
  return {{.text = names_[read.symbol], .reads_as = self}, {}};
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Load& load) {
  return {{.text = names_[load.buffer] + print_index(load.index), .reads_as = self}, {}};
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Cast& cast) {
  const Written operand = write_alone(cast.operand);
  const Written full{.text = type_name(self->type) + "(" + operand.text + ")", .reads_as = self};
  // Without its cast an operand of literals alone would take the wider type itself.
  if (!cast.implicit || operand.flexible) return {full, {}};
  return {operand, full};
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Apply& apply) {
  std::vector<Forms> operands;
  for (const ir::Expr& operand : apply.operands) operands.push_back(write(operand));
  // A bare literal would swallow the minus before it.
  if (apply.op == ir::Op::Neg && ir::as<ir::Literal>(apply.operands.front()) != nullptr) {
    operands.front() = {operands.front().in_full(), {}};
  }
  const bool chosen = ir::info(apply.op).operands == ir::OperandClass::Chosen;
  if (chosen) operands.front() = {write_alone(apply.operands.front()), {}};
  const auto bends = [](const auto& operand) { return operand.bare.flexible; };
  const bool flexible = ir::info(apply.op).result == ir::ResultClass::Same &&
                        std::all_of(operands.begin() + (chosen ? 1 : 0), operands.end(), bends);
  if (!flexible) return {write_chosen(self, apply, operands, false), {}};

  // Made of literals alone, it takes its type from its surroundings as they do.
  std::vector<Written> bare;
  for (const Forms& operand : operands) bare.push_back(operand.bare);
  Forms forms{remake(apply.op, bare), write_chosen(self, apply, operands, true)};
  forms.bare.flexible = true;
  return forms;
}

ExprPrinter::Written ExprPrinter::write_chosen(const ir::Expr& self, const ir::Apply& apply,
                                               const std::vector<Forms>& forms, bool rigid) {
  const auto chosen = choose(apply.operands, forms, [&](const std::vector<Written>& written) {
    const auto bends = [](const Written& operand) { return operand.flexible; };
    const auto first = written.begin() + (ir::info(apply.op).operands == ir::OperandClass::Chosen);
    if (rigid && std::all_of(first, written.end(), bends)) return false;
    return same_expr(remake(apply.op, written).reads_as, self);
  });
  Written joined = join(apply.op, chosen);
  joined.reads_as = self;
  return joined;
}

ExprPrinter::Written ExprPrinter::remake(ir::Op op, const std::vector<Written>& operands) {
  std::vector<ir::Expr> read;
  for (const Written& operand : operands) read.push_back(operand.reads_as);
  Written joined = join(op, operands);
  joined.reads_as = ir::make_apply(op, std::move(read));
  return joined;
}

ExprPrinter::Written ExprPrinter::join(ir::Op op, const std::vector<Written>& operands) {
  const ir::OpInfo& row = ir::info(op);
  const int level = static_cast<int>(row.form);
  const std::string spelling(row.spelling);
  if (row.form == ir::OpForm::Prefix && operands.size() == 1) {
    const Written& operand = operands[0];
    const bool brackets = operand.level <= prefix_level;
    return {.text = spelling + bracketed(operand.text, brackets),
            .level = prefix_level,
            .open_ended = operand.open_ended && !brackets};
  }
  if (row.form == ir::OpForm::Call || operands.size() != row.arity) {
    std::string list;
    for (const Written& operand : operands) list += (list.empty() ? "" : ", ") + operand.text;
    return {.text = spelling + "(" + list + ")"};
  }
  const Written& left = operands[0];
  const Written& right = operands[1];
  const bool bracket_left = left.level < level ||
                            (level == comparison_level && left.level == level) ||
                            (level == product_level && left.open_ended);
  const bool bracket_right = right.level <= level;
  return {.text = bracketed(left.text, bracket_left) + " " + spelling + " " +
                  bracketed(right.text, bracket_right),
          .level = level,
          .open_ended = right.open_ended && !bracket_right};
}

ExprPrinter::Forms ExprPrinter::write(const ir::Expr& self, const ir::Fold& fold) {
  names_.enter();
  const std::string ranges = print_ranges(fold.ranges);
  const std::string operand = write_alone(fold.operand).text;
  names_.leave();
  return {{.text = std::string(ir::name_of(fold.op)) + "(" + ranges + ") (" + operand + ")",
           .open_ended = !ir::folds_conditions(fold.op),
           .reads_as = self},
          {}};
}

}  // namespace gyre::text
