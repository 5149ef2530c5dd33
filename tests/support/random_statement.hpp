/// Random statements: legal where the scope says, and ending after few trips.
#pragma once

#include "gyre/ir/region.hpp"
#include "support/random_expr.hpp"

#include <vector>

namespace gyre::support {

class StatementMaker {
 public:
  explicit StatementMaker(World& world) : world_(world), random_(world.random), exprs_(world) {}

  /// Appends about `count` statements to `out`; what they declare joins `scope`. Blocks nest at
  /// most `depth` deep in them.
  void make(Scope& scope, int count, int depth, std::vector<ir::Region>& out);

 private:
  ir::Region block(Scope scope, int depth);

  void any_statement(Scope& scope, int depth, std::vector<ir::Region>& out);
  void device_statement(Scope& scope, int depth, std::vector<ir::Region>& out);
  void index_statement(Scope& scope, int depth, std::vector<ir::Region>& out);

  void let(Scope& scope, std::vector<ir::Region>& out);
  void var(Scope& scope, std::vector<ir::Region>& out);
  void temp(Scope& scope, std::vector<ir::Region>& out);
  void assign_scalar(const Scope& scope, std::vector<ir::Region>& out);
  void assign_element(const Scope& scope, std::vector<ir::Region>& out);
  void fill_or_copy(const Scope& scope, std::vector<ir::Region>& out);
  void choose(const Scope& scope, int depth, std::vector<ir::Region>& out);
  void choose_case(const Scope& scope, int depth, std::vector<ir::Region>& out);
  void fork(const Scope& scope, int depth, std::vector<ir::Region>& out);
  void deal(std::vector<Scope>& arms, const std::vector<ir::SymbolId>& written,
            std::vector<ir::SymbolId> Scope::*writable, std::vector<ir::SymbolId> Scope::*readable);
  void repeat_while(Scope& scope, int depth, std::vector<ir::Region>& out);
  void repeat_for(const Scope& scope, int depth, std::vector<ir::Region>& out);
  void jump(const Scope& scope, std::vector<ir::Region>& out);
  void stop(const Scope& scope, std::vector<ir::Region>& out);

  // random_foreach.cpp
  void foreach(const Scope& scope, int depth, std::vector<ir::Region>& out);
  ir::Foreach independent_halves(Scope& within);
  ir::Foreach plain_foreach(const Scope& scope, Scope& within);
  void aim(Scope& within, const std::vector<MadeRange>& ranges);
  void inner_foreach(const Scope& scope, int depth, std::vector<ir::Region>& out);
  void store(const Scope& scope, std::vector<ir::Region>& out);
  void scatter_distinct(const Scope& scope, std::vector<ir::Region>& out);
  void scatter_sum(const Scope& scope, std::vector<ir::Region>& out);
  void accumulate(const Scope& scope, std::vector<ir::Region>& out);

  // random_call.cpp
  void call(const Scope& scope, std::vector<ir::Region>& out);

  // random_primitive.cpp
  void primitive(Scope& scope, std::vector<ir::Region>& out);
  Scope primitive_range(const Scope& scope, ir::SymbolId list, ir::Primitive& op);
  void primitive_operands(Scope& scope, Scope& within, ir::SymbolId list, ir::Primitive& op,
                          std::vector<ir::Region>& out);
  ir::SymbolId primitive_output(Scope& scope, ir::SymbolId list, ir::ScalarType type,
                                const ir::Primitive& op, std::vector<ir::Region>& out);
  ir::SymbolId primitive_count(Scope& scope, ir::ScalarType type, std::vector<ir::Region>& out);

  ir::Expr condition(const Scope& scope) { return value(ir::ScalarType::Bool, scope); }
  ir::Expr value(ir::ScalarType type, const Scope& scope);
  std::optional<ir::Op> assignment_operator(ir::ScalarType type);
  ir::Region store_to(ir::Place place, ir::ScalarType type, const Scope& scope);

  World& world_;
  Random& random_;
  ExprMaker exprs_;
};

}  // namespace gyre::support
