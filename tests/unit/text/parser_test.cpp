#include "gyre/text/parser.hpp"

#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

using support::parse_body;
using support::parse_ok;

/// The last statement of a program's body.
template <class Kind>
const Kind& last(const ir::Program& program) {
  return std::get<Kind>(ir::as<ir::Seq>(program.body)->items.back()->kind);
}

ir::Expr value_of(const std::string& expression) {
  const auto program =
      parse_body("in a: f64[n], b: f32[n], s: f64, k: i32, l: i64, c: bool\nlet v = " + expression);
  if (ir::as<ir::Seq>(program.body)->items.empty()) return ir::make_literal(ir::Value{});
  return last<ir::Let>(program).value;
}

const ir::Apply& apply_of(const ir::Expr& expr) {
  return std::get<ir::Apply>(expr->kind);
}

TEST(Parser, ReadsAnEmptyProgram) {
  const auto program = parse_ok("program nothing() {}");

  EXPECT_EQ(program.name, "nothing");
  EXPECT_TRUE(ir::is_empty(program.body));
}

TEST(Parser, ReadsSizesAsI64) {
  const auto program = parse_ok("program p(n: size, m: size) {}");

  ASSERT_EQ(program.symbols.size(), 2u);
  EXPECT_EQ(program.symbols[1].name, "m");
  EXPECT_EQ(program.symbols[1].kind, ir::SymbolKind::Size);
  EXPECT_EQ(program.symbols[1].type, ir::ScalarType::I64);
}

TEST(Parser, ReadsDeclarationsWithTheirIntents) {
  const auto program =
      parse_body("in a: f16[n, n + 1]\nout s: i32 = 3; temp t: f64[n]; var v: bool");

  ASSERT_EQ(program.symbols.size(), 5u);
  EXPECT_EQ(program.symbols[1].intent, ir::Intent::In);
  EXPECT_EQ(program.symbols[1].extents.size(), 2u);
  EXPECT_EQ(program.symbols[1].kind, ir::SymbolKind::Buffer);
  EXPECT_EQ(program.symbols[2].intent, ir::Intent::Out);
  ASSERT_TRUE(program.symbols[2].initial);
  EXPECT_EQ(program.symbols[3].intent, ir::Intent::Temp);
  EXPECT_EQ(program.symbols[4].intent, ir::Intent::Var);
}

TEST(Parser, AnInitialValueTakesTheDeclaredType) {
  const auto program = parse_body("in rtol: f32 = 1e-8");

  EXPECT_EQ(program.symbols[1].initial->type, ir::ScalarType::F32);
}

TEST(Parser, GivesRegionsTheirPaths) {
  const auto program = parse_body("while false {}\nwhile true { break }");

  EXPECT_EQ(ir::as<ir::Seq>(program.body)->items[1]->path, "p/while#1");
}

TEST(Parser, ALetTakesTheTypeOfItsValueOrItsOwn) {
  const auto program = parse_body("let a = 5\nlet b: i64 = 5\nlet c: f32 = 5");

  EXPECT_EQ(program.symbols[1].type, ir::ScalarType::I32);
  EXPECT_EQ(program.symbols[2].type, ir::ScalarType::I64);
  EXPECT_EQ(program.symbols[3].type, ir::ScalarType::F32);
  EXPECT_EQ(last<ir::Let>(program).value->type, ir::ScalarType::F32);
}

TEST(Parser, BindsProductsTighterThanSums) {
  const auto value = value_of("s + s * s - s");

  ASSERT_EQ(apply_of(value).op, ir::Op::Sub);
  EXPECT_EQ(apply_of(apply_of(value).operands[0]).op, ir::Op::Add);
}

TEST(Parser, FollowsEveryLevelOfPrecedence) {
  const auto value = value_of("c || c && k == k | k ^ k & k << k + k * -k");

  std::vector<ir::Op> spine;
  for (ir::Expr at = value; ir::as<ir::Apply>(at) != nullptr; at = apply_of(at).operands.back()) {
    spine.push_back(apply_of(at).op);
  }
  EXPECT_EQ(spine, (std::vector<ir::Op>{ir::Op::Or, ir::Op::And, ir::Op::Eq, ir::Op::BitOr,
                                        ir::Op::BitXor, ir::Op::BitAnd, ir::Op::Shl, ir::Op::Add,
                                        ir::Op::Mul, ir::Op::Neg}));
}

TEST(Parser, AFoldTakesTheProductAfterIt) {
  const auto value = value_of("sum(i in 0..n) a[i] * a[i] > s");

  ASSERT_EQ(apply_of(value).op, ir::Op::Gt);
  const auto* fold = ir::as<ir::Fold>(apply_of(value).operands[0]);
  ASSERT_NE(fold, nullptr);
  EXPECT_EQ(apply_of(fold->operand).op, ir::Op::Mul);
}

TEST(Parser, ACountEndsAtItsParenthesis) {
  const auto value = value_of("count(i in 0..n) (a[i] > s) * 2");

  ASSERT_EQ(apply_of(value).op, ir::Op::Mul);
  EXPECT_NE(ir::as<ir::Fold>(apply_of(value).operands[0]), nullptr);
}

TEST(Parser, MinIsAFoldWhereARangeFollows) {
  EXPECT_NE(ir::as<ir::Fold>(value_of("min(i in 0..n) (a[i])")), nullptr);
  EXPECT_EQ(apply_of(value_of("min(s, 1)")).op, ir::Op::Min);
}

TEST(Parser, FoldsMayHaveSeveralRangesAndSteps) {
  const auto value = value_of("sum(i in 0..n, j in n..0 step -2) a[i] * a[j]");

  const auto* fold = ir::as<ir::Fold>(value);
  ASSERT_EQ(fold->ranges.size(), 2u);
  EXPECT_TRUE(fold->ranges[1].step);
}

TEST(Parser, AMinusBelongsToItsLiteral) {
  const auto value = value_of("-9223372036854775808");

  const auto* literal = ir::as<ir::Literal>(value);
  ASSERT_NE(literal, nullptr);
  EXPECT_EQ(literal->value.as_integer(), std::numeric_limits<std::int64_t>::min());
}

TEST(Parser, ALiteralTakesTheOtherOperandsType) {
  EXPECT_EQ(value_of("b[0] * 2")->type, ir::ScalarType::F32);
  EXPECT_EQ(value_of("l + 2")->type, ir::ScalarType::I64);
  EXPECT_EQ(value_of("2 + 2")->type, ir::ScalarType::I32);
}

TEST(Parser, LeavesTypesThatDoNotFitToTheVerifier) {
  EXPECT_EQ(value_of("s + c")->type, ir::ScalarType::Invalid);
}

TEST(Parser, KeepsTheOperatorOfACompoundAssignment) {
  const auto program = parse_body("var s: i32\ns ^= 3");

  EXPECT_EQ(last<ir::Assign>(program).op, ir::Op::BitXor);
}

TEST(Parser, BringsAStoredValueToItsPlace) {
  const auto program = parse_body("out a: f16[n]\na[0] = 1");

  EXPECT_EQ(last<ir::Assign>(program).value->type, ir::ScalarType::F32);
}

TEST(Parser, ElseIfIsABranchInTheElseArm) {
  const auto program = parse_body("if true {} else if false {} else { stop \"x\" }");

  const auto* inner = ir::as<ir::Seq>(last<ir::If>(program).otherwise);
  ASSERT_EQ(inner->items.size(), 1u);
  EXPECT_NE(ir::as<ir::If>(inner->items[0])->otherwise, nullptr);
}

TEST(Parser, ReadsLoopsWithTheirLimits) {
  const auto program = parse_body("var t: i32\ndo { t += 1 } while t < 5 limit 10 expect 3");

  const auto& loop = last<ir::While>(program);
  EXPECT_TRUE(loop.test_last);
  EXPECT_TRUE(loop.limit);
  EXPECT_TRUE(loop.expect);
}

TEST(Parser, ReadsLabelsAsHalfOpenRanges) {
  const auto program = parse_body("in s: i32\nswitch s { case 1, -3..5 {} default {} }");

  const auto& labels = last<ir::Switch>(program).cases.at(0).labels;
  EXPECT_EQ(labels[0].last, 2);
  EXPECT_EQ(labels[1].first, -3);
  EXPECT_EQ(labels[1].last, 5);
}

TEST(Parser, ReadsForeachIndependentAndScatter) {
  const auto program =
      parse_body("out h: i32[n]\nforeach i in 0..n, j in 0..n independent { scatter h[i] += 1 }");

  const auto& foreach = last<ir::Foreach>(program);
  EXPECT_TRUE(foreach.independent);
  EXPECT_EQ(foreach.team, ir::Team::Any);
  EXPECT_EQ(foreach.ranges.size(), 2u);
  EXPECT_TRUE(ir::as<ir::Scatter>(ir::as<ir::Seq>(foreach.body)->items[0])->accumulate);
}

TEST(Parser, ReadsWhoRunsAnIndex) {
  EXPECT_EQ(last<ir::Foreach>(parse_body("foreach i in 0..n team warp {}")).team, ir::Team::Warp);
  EXPECT_EQ(last<ir::Foreach>(parse_body("foreach i in 0..n independent team block {}")).team,
            ir::Team::Block);
}

TEST(Parser, ReadsCopyAndFill) {
  const auto program = parse_body("out a: f32[n], b: f32[n]\nfill a = 1\ncopy b = a");

  EXPECT_EQ(program[last<ir::Copy>(program).to].name, "b");
}

TEST(Parser, FindsCallsInTheRegistry) {
  const CallRegistry calls = {{"spmv", std::make_shared<const ir::Callee>()}};

  const auto program = parse_ok("program p() { var s: f64\ncall spmv(s, s) }", calls);

  EXPECT_EQ(last<ir::Call>(program).arguments.size(), 2u);
  EXPECT_EQ(last<ir::Call>(program).callee, calls.at("spmv"));
}

TEST(Parser, ALineGoesOnInBracketsAfterOperatorsAndCommas) {
  const auto program = parse_body("var s: i32,\n  t: i32\ns = (1\n + 2) +\n 3\nt = max(s,\n 1)");

  EXPECT_EQ(ir::as<ir::Seq>(program.body)->items.size(), 4u);
}

TEST(Parser, AcceptsWindowsLineEnds) {
  EXPECT_EQ(parse_ok("program p() {\r\n  var s: i32\r\n  s = 1\r\n}\r\n").symbols.size(), 1u);
}

TEST(Parser, AFunctionsNameMayNameAVariable) {
  const auto program =
      parse_body("in a: f64[n]\nlet sum = sum(i in 0..n) a[i]\nlet max = max(sum, 1)");

  EXPECT_EQ(program.symbols.back().name, "max");
}

class SampleProgram : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(SampleProgram, Parses) {
  const std::string text = support::read_file(GetParam());

  const auto program = parse_ok(text);

  EXPECT_EQ(program.name, GetParam().stem());
  EXPECT_TRUE(text.starts_with("# ")) << "says what it shows";
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleProgram, testing::ValuesIn(support::sample_programs()),
                         [](const auto& sample) { return sample.param.stem().string(); });

}  // namespace
}  // namespace gyre::text
