#include "gyre/ir/bind.hpp"

#include "support/refusal.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

// program p(n: size) with buffers that a test adds.
struct Table {
  Program program;
  SymbolId n = program.add({.name = "n", .kind = SymbolKind::Size, .type = ScalarType::I64});

  Expr read_n() const { return make_read(n, ScalarType::I64); }
  Expr n_and(Op op, std::int64_t c) const { return make_apply(op, {read_n(), make_flexible(c)}); }

  SymbolId buffer(const std::string& name, Intent intent, std::vector<Expr> extents,
                  ScalarType type = ScalarType::F64) {
    return program.add({.name = name,
                        .kind = SymbolKind::Buffer,
                        .type = type,
                        .intent = intent,
                        .extents = std::move(extents)});
  }
  SymbolId scalar(const std::string& name, Intent intent, ScalarType type, Expr initial = nullptr) {
    return program.add({.name = name,
                        .kind = SymbolKind::Scalar,
                        .type = type,
                        .intent = intent,
                        .initial = std::move(initial)});
  }
  Bound resolve(const Arguments& arguments) const {
    return ir::resolve(program.symbols, arguments);
  }
  std::string refusal(const Arguments& arguments) const {
    return support::refusal([&] { resolve(arguments); });
  }
};

alignas(16) double memory[64];

BufferView f64_view(std::vector<std::int64_t> extents, void* data = memory) {
  return {ScalarType::F64, std::move(extents), data};
}

TEST(Bind, InfersASizeFromAnExtent) {
  struct Row {
    Op op;
    std::int64_t c;
    std::int64_t extent;
  };
  for (const Row& row : {Row{Op::Add, 1, 8}, Row{Op::Sub, 2, 5}, Row{Op::Mul, 3, 21}}) {
    Table table;
    table.buffer("x", Intent::In, {table.n_and(row.op, row.c)});

    const Bound bound = table.resolve({.buffers = {{"x", f64_view({row.extent})}}});

    EXPECT_EQ(bound.value(table.n).as_integer(), 7);
  }
}

TEST(Bind, InfersASizeFromALiteralOnTheLeft) {
  Table table;
  table.buffer("x", Intent::In,
               {make_apply(Op::Mul, {make_flexible(std::int64_t{2}), table.n_and(Op::Add, 1)})});

  const Bound bound = table.resolve({.buffers = {{"x", f64_view({10})}}});

  EXPECT_EQ(bound.value(table.n).as_integer(), 4);
}

TEST(Bind, AGivenSizeNeedsNoBuffer) {
  Table table;

  EXPECT_EQ(table.resolve({.sizes = {{"n", 5}}}).value(table.n).as_integer(), 5);
  EXPECT_EQ(table.refusal({}), "size 'n' is not given, and no buffer's extent tells it");
}

TEST(Bind, RefusesANegativeSize) {
  Table table;
  table.buffer("x", Intent::In, {table.n_and(Op::Add, 3)});

  EXPECT_EQ(table.refusal({.sizes = {{"n", -1}}, .buffers = {{"x", f64_view({2})}}}),
            "size 'n' is negative: -1");
  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({2})}}}), "size 'n' is negative: -1");
}

TEST(Bind, RefusesAnExtentThatContradictsAnother) {
  Table table;
  table.buffer("x", Intent::In, {table.read_n()});
  table.buffer("y", Intent::In, {table.read_n(), table.n_and(Op::Add, 1)});

  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({4})}, {"y", f64_view({4, 4})}}}),
            "buffer 'y' must be f64[4, 5], but f64[4, 4] is bound to it");
}

TEST(Bind, RefusesTheWrongTypeAndTheWrongRank) {
  Table table;
  table.buffer("x", Intent::In, {table.read_n()});

  EXPECT_EQ(table.refusal({.buffers = {{"x", {ScalarType::F32, {4}, memory}}}}),
            "buffer 'x' is of f64, but f32 is bound to it");
  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({2, 2})}}}),
            "buffer 'x' has rank 1, but f64[2, 2] is bound to it");
  EXPECT_EQ(table.refusal({}), "buffer 'x' is not bound");
}

TEST(Bind, ProposesTheNameThatWasMeant) {
  Table table;
  table.buffer("residual", Intent::Out, {table.read_n()});
  table.buffer("work", Intent::Temp, {table.read_n()});

  EXPECT_EQ(table.refusal({.buffers = {{"residuel", f64_view({4})}}}),
            "the program has no buffer 'residuel' that a caller binds; did you mean 'residual'?");
  EXPECT_EQ(table.refusal({.buffers = {{"work", f64_view({4})}}}),
            "the program has no buffer 'work' that a caller binds; there is residual");
}

TEST(Bind, MemoryMayBeMissingOnlyForNoElements) {
  Table table;
  table.buffer("x", Intent::In, {table.read_n()});

  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({4}, nullptr)}}}),
            "buffer 'x' is f64[4], but no memory is bound to it");
  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({0}, nullptr)}}}), "accepted");
}

TEST(Bind, RefusesMemoryThatIsNotAlignedToItsElement) {
  struct Row {
    ScalarType type;
    int shift;
    std::string refusal;
  };
  for (const Row& row : {Row{ScalarType::F64, 4, "8 bytes"}, Row{ScalarType::I64, 1, "8 bytes"},
                         Row{ScalarType::F32, 2, "4 bytes"}, Row{ScalarType::I32, 6, "4 bytes"},
                         Row{ScalarType::F16, 1, "2 bytes"}, Row{ScalarType::BF16, 3, "2 bytes"},
                         Row{ScalarType::Bool, 3, ""}, Row{ScalarType::F16, 2, ""},
                         Row{ScalarType::F32, 4, ""}, Row{ScalarType::F64, 8, ""}}) {
    Table table;
    table.buffer("x", Intent::In, {table.read_n()}, row.type);
    void* shifted = reinterpret_cast<char*>(memory) + row.shift;

    const auto refusal = table.refusal({.buffers = {{"x", {row.type, {4}, shifted}}}});

    EXPECT_EQ(refusal, row.refusal.empty()
                           ? "accepted"
                           : "the memory of buffer 'x' is not aligned to " + row.refusal)
        << name_of(row.type) << " at " << row.shift;
  }
}

TEST(Bind, MemoryOfNoElementsMayLieAnywhere) {
  Table table;
  table.buffer("x", Intent::Inout, {table.read_n()});
  table.buffer("y", Intent::Inout, {table.n_and(Op::Add, 8)});
  void* odd = reinterpret_cast<char*>(memory) + 3;

  EXPECT_EQ(table.refusal({.buffers = {{"x", f64_view({0}, odd)}, {"y", f64_view({8})}}}),
            "accepted");
}

TEST(Bind, InputsMayOverlapInputsAndNothingElse) {
  Table table;
  table.buffer("a", Intent::In, {table.read_n()});
  table.buffer("b", Intent::In, {table.read_n()});
  table.buffer("y", Intent::Inout, {table.read_n()});
  const auto bound_at = [](int a, int b, int y) {
    return Arguments{.buffers = {{"a", f64_view({8}, memory + a)},
                                 {"b", f64_view({8}, memory + b)},
                                 {"y", f64_view({8}, memory + y)}}};
  };

  EXPECT_EQ(table.refusal(bound_at(0, 4, 12)), "accepted");
  EXPECT_EQ(table.refusal(bound_at(0, 0, 8)), "accepted");
  EXPECT_EQ(table.refusal(bound_at(0, 20, 7)),
            "buffer 'y' is written, and its memory overlaps that of 'a'");
  EXPECT_EQ(table.refusal(bound_at(20, 0, 7)),
            "buffer 'y' is written, and its memory overlaps that of 'b'");
}

TEST(Bind, RefusesWhatHasTooManyElements) {
  Table table;
  table.buffer("t", Intent::Temp, {table.read_n(), table.read_n()});

  EXPECT_EQ(table.refusal({.sizes = {{"n", std::int64_t{1} << 31}}}),
            "buffer 't' is too large: f64[2147483648, 2147483648] has more than 2^63 bytes");
}

TEST(Bind, SpeaksOfNoBufferThatTheProgramHasNot) {
  Table table;
  const SymbolId record = table.buffer("record", Intent::Temp, {table.n_and(Op::Mul, 2)});
  table.program.symbols[static_cast<std::size_t>(record)].scratch = true;

  EXPECT_EQ(
      table.refusal({.sizes = {{"n", std::int64_t{1} << 60}}}),
      "what a primitive works in is too large: f64[2305843009213693952] has more than 2^63 bytes");
  EXPECT_EQ(table.refusal({.sizes = {{"n", std::int64_t{1} << 62}}}),
            "an extent of what a primitive works in overflows an i64");
}

TEST(Bind, RefusesAnExtentThatOverflowsInsteadOfWrapping) {
  Table table;
  table.buffer("t", Intent::Temp, {table.n_and(Op::Add, 1)});

  EXPECT_EQ(table.refusal({.sizes = {{"n", std::numeric_limits<std::int64_t>::max()}}}),
            "an extent of 't' overflows an i64");
}

TEST(Bind, RefusesANegativeExtent) {
  Table table;
  table.buffer("t", Intent::Temp, {table.n_and(Op::Sub, 3)});

  EXPECT_EQ(table.refusal({.sizes = {{"n", 1}}}), "buffer 't' has a negative extent: f64[-2]");
}

TEST(Bind, ATempHasItsExtentsAndNoMemory) {
  Table table;
  const auto temp = table.buffer("t", Intent::Temp, {table.n_and(Op::Mul, 2)});

  const Bound bound = table.resolve({.sizes = {{"n", 3}}});

  EXPECT_EQ(bound.buffer(temp).extents, std::vector<std::int64_t>{6});
  EXPECT_EQ(bound.buffer(temp).data, nullptr);
}

TEST(Bind, AScalarTakesItsValueElseItsDefault) {
  Table table;
  const auto tol = table.scalar("tol", Intent::In, ScalarType::F64, make_literal(Value(1e-8)));

  const Arguments given{.sizes = {{"n", 0}}, .scalars = {{"tol", Value(0.5)}}};

  EXPECT_TRUE(same(table.resolve(given).value(tol), Value(0.5)));
  EXPECT_TRUE(same(table.resolve({.sizes = {{"n", 0}}}).value(tol), Value(1e-8)));
}

TEST(Bind, AScalarWidensAndNeverNarrows) {
  Table table;
  const auto k = table.scalar("k", Intent::In, ScalarType::I64);

  const Arguments narrow{.sizes = {{"n", 0}}, .scalars = {{"k", Value(3)}}};
  const Arguments wrong{.sizes = {{"n", 0}}, .scalars = {{"k", Value(3.0)}}};

  EXPECT_TRUE(same(table.resolve(narrow).value(k), Value(std::int64_t{3})));
  EXPECT_EQ(table.refusal(wrong), "scalar 'k' is of i64, but a value of f64 is bound to it");
  EXPECT_EQ(table.refusal({.sizes = {{"n", 0}}}), "scalar 'k' is not bound and has no default");
}

TEST(Bind, AnOutScalarIsNotTheCallers) {
  Table table;
  table.scalar("rr", Intent::Out, ScalarType::F64);

  EXPECT_EQ(table.refusal({.sizes = {{"n", 0}}, .scalars = {{"rr", Value(1.0)}}}),
            "the program has no scalar 'rr' that a caller binds");
}

}  // namespace
}  // namespace gyre::ir
