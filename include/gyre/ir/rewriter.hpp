/// Rebuilds a program's trees with some nodes replaced; untouched subtrees are shared.
#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::ir {

/// Override a `visit` to replace a kind; call `rewrite` on what lies within, and the base's visit
/// to keep a node with its children rewritten. A region may become null: its Seq drops it.
class Rewriter {
 public:
  virtual ~Rewriter() = default;

  Region rewrite(const Region& region);
  Expr rewrite(const Expr& expr);

 protected:
  virtual Region visit(const Region& self, const Seq& seq);
  virtual Region visit(const Region& self, const Declare& declare);
  virtual Region visit(const Region& self, const Let& let);
  virtual Region visit(const Region& self, const Assign& assign);
  virtual Region visit(const Region& self, const Scatter& scatter);
  virtual Region visit(const Region& self, const Foreach& foreach);
  virtual Region visit(const Region& self, const Call& call);
  virtual Region visit(const Region& self, const Copy& copy);
  virtual Region visit(const Region& self, const Fill& fill);
  virtual Region visit(const Region& self, const Primitive& op);
  virtual Region visit(const Region& self, const If& op);
  virtual Region visit(const Region& self, const While& op);
  virtual Region visit(const Region& self, const For& op);
  virtual Region visit(const Region& self, const Switch& op);
  virtual Region visit(const Region& self, const Fork& op);
  virtual Region visit(const Region& self, const Break& op);
  virtual Region visit(const Region& self, const Continue& op);
  virtual Region visit(const Region& self, const Stop& op);
  virtual Region visit(const Region& self, const CheckStep& op);
  virtual Region visit(const Region& self, const CountTrips& op);

  virtual Expr visit(const Expr& self, const Literal& literal);
  virtual Expr visit(const Expr& self, const Read& read);
  virtual Expr visit(const Expr& self, const Load& load);
  virtual Expr visit(const Expr& self, const Apply& apply);
  virtual Expr visit(const Expr& self, const Cast& cast);
  virtual Expr visit(const Expr& self, const Fold& fold);

  Range rewrite_range(const Range& range);
  Place rewrite_place(const Place& place);
  std::vector<Range> rewrite_ranges(const std::vector<Range>& ranges);
  std::vector<Expr> rewrite_all(const std::vector<Expr>& exprs);
  /// As rewrite, but an empty Seq where the body vanished.
  Region rewrite_body(const Region& body);
};

}  // namespace gyre::ir
