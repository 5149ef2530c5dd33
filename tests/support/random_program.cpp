#include "support/random_program.hpp"

#include "support/random_statement.hpp"

#include <utility>
#include <vector>

namespace gyre::support {
namespace {

using ir::Intent;
using ir::SymbolId;
using Out = std::vector<ir::Region>;

void add_sizes(World& world, Scope& scope) {
  const auto count = world.random.between(0, 2);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t size = world.random.between(0, 12);
    if (world.random.chance(15)) size = world.random.between(13, 70);
    // Past the borders of the blocks that executors cut ranges into.
    if (world.random.chance(2)) size = world.random.between(1000, 1600);
    const SymbolId id = world.add("n", {.kind = ir::SymbolKind::Size, .type = ir::ScalarType::I64});
    world.sizes[id] = size;
    scope.readable.push_back(id);
  }
}

struct Extent {
  ir::Expr expr;
  std::int64_t value;
};

Extent random_extent(World& world, std::int64_t most) {
  if (!world.sizes.empty() && world.random.chance(70)) {
    const auto& [id, size] =
        *std::next(world.sizes.begin(), world.random.between(0, std::ssize(world.sizes) - 1));
    const auto read = world.read(id);
    const auto kind = world.random.between(0, 9);
    if (kind == 0 && size < most) {
      return {ir::make_apply(ir::Op::Add, {read, number(1)}), size + 1};
    }
    if (kind == 1 && 2 * size <= most) {
      return {ir::make_apply(ir::Op::Mul, {number(2), read}), 2 * size};
    }
    if (size <= most) return {read, size};
  }
  const std::int64_t extent = world.random.between(0, std::min<std::int64_t>(most, 6));
  return {ir::coerce(number(extent), ir::ScalarType::I64), extent};
}

void add_buffer(World& world, Scope& scope, Intent intent, Out& out) {
  std::vector<ir::Expr> exprs;
  std::vector<std::int64_t> extents;
  const auto rank = world.random.chance(65) ? 1 : world.random.between(2, 3);
  std::int64_t most = rank == 1 ? 3200 : 40;
  for (std::int64_t d = 0; d < rank; ++d) {
    Extent extent = random_extent(world, most);
    exprs.push_back(std::move(extent.expr));
    extents.push_back(extent.value);
    most = 12;
  }
  const SymbolId id = world.add("b", {.kind = ir::SymbolKind::Buffer,
                                      .type = world.random.element_type(),
                                      .intent = intent,
                                      .extents = std::move(exprs)});
  world.extents[id] = std::move(extents);
  out.push_back(ir::make_region(ir::Declare{id}));
  scope.loadable.push_back(id);
  if (intent != Intent::In) scope.storable.push_back(id);
}

void add_scalar(World& world, Scope& scope, ExprMaker& exprs, Intent intent, Out& out) {
  const auto type = world.random.value_type();
  ir::Expr initial = world.random.chance(50) ? exprs.literal(type) : nullptr;
  const SymbolId id = world.add("s", {.kind = ir::SymbolKind::Scalar,
                                      .type = type,
                                      .intent = intent,
                                      .initial = std::move(initial)});
  out.push_back(ir::make_region(ir::Declare{id}));
  scope.readable.push_back(id);
  if (intent != Intent::In) scope.assignable.push_back(id);
}

void add_objects(World& world, Scope& scope, Out& out) {
  static const std::vector<Intent> scalar_intents = {Intent::In, Intent::Out, Intent::Inout,
                                                     Intent::Var};
  static const std::vector<Intent> buffer_intents = {Intent::In, Intent::Out, Intent::Inout,
                                                     Intent::Temp};
  ExprMaker exprs(world);
  for (std::int64_t left = world.random.between(1, 5); left > 0; --left) {
    add_scalar(world, scope, exprs, world.random.pick(scalar_intents), out);
  }
  for (std::int64_t left = world.random.between(0, 5); left > 0; --left) {
    add_buffer(world, scope, world.random.pick(buffer_intents), out);
  }
}

}  // namespace

RandomProgram random_program(std::uint64_t seed) {
  World world{.random = Random(seed), .program = {}, .sizes = {}, .extents = {}};
  world.is_careless = world.random.chance(4);
  world.program.name = "random";
  Scope scope;
  Out items;
  add_sizes(world, scope);
  add_objects(world, scope, items);
  StatementMaker statements(world);
  const int depth = static_cast<int>(world.random.chance(8) ? world.random.between(4, 7) : 3);
  statements.make(scope, static_cast<int>(world.random.between(1, 10)), depth, items);
  world.program.body = ir::make_seq(std::move(items));
  world.program = number_regions(std::move(world.program));
  OwnedArguments data = random_arguments(world.program, world.sizes, world.extents, world.random);
  return {std::move(world.program), std::move(data)};
}

}  // namespace gyre::support
