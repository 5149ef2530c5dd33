/// Writes expressions so that they read back as what they are.
///
/// A literal without a type and a widened operand are written bare where the parser would bring
/// type and widening back by itself, and in full (`i64(5)`, `f64(x)`) where it would not. Each text
/// carries what it reads back as; an operator is written bare when the operator made anew from what
/// its operands read as is the operator printed.
#pragma once

#include "gyre/ir/expr.hpp"
#include "printed_names.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gyre::text {

class ExprPrinter {
 public:
  explicit ExprPrinter(PrintedNames& names) : names_(names) {}

  /// Where nothing around the expression changes its type.
  std::string print(const ir::Expr& expr);
  /// Where the expression is brought to `type`, its own.
  std::string print_as(const ir::Expr& expr, ir::ScalarType type);
  /// Where only the integer matters and not its width: an index, an extent, a limit.
  std::string print_whole(const ir::Expr& expr);
  /// `[i, j]`, or nothing for no index.
  std::string print_index(const std::vector<ir::Expr>& index);
  /// `i in 0..n, j in 0..m step 2`; then declares the indices.
  std::string print_ranges(const std::vector<ir::Range>& ranges);
  /// Whether a short text gives the expression back, but only where it is brought to its type.
  bool needs_type(const ir::Expr& expr);

 private:
  /// A text and what it means to the parser before its surroundings act on it.
  struct Written {
    std::string text;
    /// The precedence of what it is outermost, as ir::OpForm counts; 11 binds tightest.
    int level = 11;
    /// Whether it ends in the operand of a fold, which would go on over a `*`.
    bool open_ended = false;
    ir::Expr reads_as = nullptr;
    /// Whether it takes its type from its surroundings.
    bool flexible = false;
  };
  /// The short form, and the one that means the same everywhere where that is another.
  struct Forms {
    Written bare;
    std::optional<Written> full;

    const Written& in_full() const { return full ? *full : bare; }
  };

  Forms write(const ir::Expr& expr);
  Forms write(const ir::Expr& self, const ir::Literal& literal);
  Forms write(const ir::Expr& self, const ir::Read& read);
  Forms write(const ir::Expr& self, const ir::Load& load);
  Forms write(const ir::Expr& self, const ir::Apply& apply);
  Forms write(const ir::Expr& self, const ir::Cast& cast);
  Forms write(const ir::Expr& self, const ir::Fold& fold);
  Written write_alone(const ir::Expr& expr);
  std::string print_range(const ir::Range& range);
  /// The shortest text that gives `self` back; `rigid`: whatever stands around it.
  Written write_chosen(const ir::Expr& self, const ir::Apply& apply,
                       const std::vector<Forms>& forms, bool rigid);
  /// The operator's text around those of its operands.
  static Written join(ir::Op op, const std::vector<Written>& operands);
  /// That text with what the parser makes of it.
  static Written remake(ir::Op op, const std::vector<Written>& operands);

  PrintedNames& names_;
};

}  // namespace gyre::text
