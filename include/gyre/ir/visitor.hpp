/// Walks over a program's trees: look (Visitor) or rebuild (Rewriter).
#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::ir {

/// Visits every region and expression, parents first. Override what interests you and call the
/// base's function to go on into the children.
class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void visit(const Region& region);
  virtual void visit(const Expr& expr);
  /// A range's bounds and step.
  virtual void visit_range(const Range& range);
  /// The index expressions of a written place.
  virtual void visit_place(const Place& place);
};

/// Calls `function` on each region below and including `root`, parents first.
template <class Function>
void for_each_region(const Region& root, Function function) {
  class Walk final : public Visitor {
   public:
    explicit Walk(Function& f) : function_(f) {}
    void visit(const Region& region) override {
      function_(region);
      Visitor::visit(region);
    }
    void visit(const Expr&) override {}

   private:
    Function& function_;
  };
  Walk(function).visit(root);
}

/// Calls `function` on each expression node below and including `root`, parents first.
template <class Function>
void for_each_expr(const Expr& root, Function function) {
  class Walk final : public Visitor {
   public:
    explicit Walk(Function& f) : function_(f) {}
    void visit(const Expr& expr) override {
      function_(expr);
      Visitor::visit(expr);
    }

   private:
    Function& function_;
  };
  Walk(function).visit(root);
}

/// Calls `function` on every expression node anywhere in `root`, places and ranges included.
template <class Function>
void for_each_expr(const Region& root, Function function) {
  class Walk final : public Visitor {
   public:
    explicit Walk(Function& f) : function_(f) {}
    using Visitor::visit;
    void visit(const Expr& expr) override {
      function_(expr);
      Visitor::visit(expr);
    }

   private:
    Function& function_;
  };
  Walk(function).visit(root);
}

/// The regions directly inside `region` (a Seq's items, arms, bodies), in order.
std::vector<Region> children(const Region& region);

}  // namespace gyre::ir
