#include "gyre/text/printer.hpp"

#include "support/programs.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

using ir::ScalarType;
using support::parse_body;
using support::parse_ok;

constexpr const char* declarations =
    "in a: f64[n], b: f32[n], s: f64, h: f32, k: i32, l: i64, c: bool";

/// How the value of a `let` is printed.
std::string reprinted(const std::string& expression) {
  const auto program = parse_body(std::string(declarations) + "\nlet v = " + expression);
  const auto* seq = ir::as<ir::Seq>(program.body);
  return print_expr(program, ir::as<ir::Let>(seq->items.back())->value);
}

/// Prints, parses, prints again; both texts must be one.
std::string print_stable(const ir::Program& program, const CallRegistry& calls = {}) {
  const std::string once = print(program);
  EXPECT_EQ(print(parse_ok(once, calls)), once);
  return once;
}

/// A program with one expression, built by hand: `x` of i32, `y` of i64, `z` of f64.
struct Built {
  Built() {
    for (const auto& [name, type] :
         {std::pair{"x", ScalarType::I32}, {"y", ScalarType::I64}, {"z", ScalarType::F64}}) {
      ir::Symbol symbol;
      symbol.name = name;
      symbol.type = type;
      symbol.intent = ir::Intent::In;
      reads.push_back(ir::make_read(program.add(symbol), type));
      items.push_back(ir::make_region(ir::Declare{static_cast<ir::SymbolId>(items.size())}));
    }
  }

  /// The line `let v = …` of the program that computes `value`.
  std::string let(const ir::Expr& value) {
    ir::Symbol symbol;
    symbol.name = "v";
    symbol.kind = ir::SymbolKind::Let;
    symbol.type = value->type;
    auto all = items;
    auto copy = program;
    copy.name = "p";
    all.push_back(ir::make_region(ir::Let{copy.add(symbol), value}));
    copy.body = ir::make_seq(all);
    const std::string text = print_stable(copy);
    const auto start = text.find("let");
    return text.substr(start, text.find('\n', start) - start);
  }

  ir::Program program;
  std::vector<ir::Region> items;
  std::vector<ir::Expr> reads;
};

TEST(Printer, JoinsDeclarationsOfOneIntent) {
  const auto program = parse_ok("program p(n: size) { in a: f64[n]\nin b: i32 = 3; out c: f64 }");

  EXPECT_EQ(print_stable(program),
            "program p(n: size) {\n  in a: f64[n], b: i32 = 3\n  out c: f64\n}\n");
}

TEST(Printer, WrapsLongDeclarationsAfterAComma) {
  std::string text = "in first: f64[n]";
  for (int i = 0; i < 20; ++i) text += ", buffer_" + std::to_string(i) + ": f64[n]";

  const std::string printed = print_stable(parse_body(text));

  EXPECT_NE(printed.find(",\n      buffer_"), std::string::npos);
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t end = printed.find('\n', at);
    EXPECT_LE(end - at, 100u);
    at = end + 1;
  }
}

TEST(Printer, WritesEveryStatement) {
  const CallRegistry calls = {
      {"work", std::make_shared<const ir::Callee>(ir::Callee{"work", {}, nullptr})}};
  const std::string text =
      "program p(n: size) {\n"
      "  in m: i32\n"
      "  out a: f64[n], b: f64[n], h: i32[n], s: f64\n"
      "  fill a = 1.0\n"
      "  copy b = a\n"
      "  call work(a, s)\n"
      "  foreach i in 0..n, j in 0..n step 2 independent {\n"
      "    scatter h[i] += 1\n"
      "    scatter b[j] = 0.5\n"
      "  }\n"
      "  foreach i in 0..n independent team warp {\n"
      "    b[i] = 1.0\n"
      "  }\n"
      "  foreach i in 0..n team block {\n"
      "    b[i] = 2.0\n"
      "  }\n"
      "  for i in n..0 step -1 {\n"
      "    if a[i] > s {\n"
      "      break\n"
      "    } else if a[i] == s {\n"
      "      continue\n"
      "    } else {\n"
      "      s += a[i]\n"
      "    }\n"
      "  }\n"
      "  while s > 1.0 limit 50 expect 5 {\n"
      "    s /= 2.0\n"
      "  }\n"
      "  do {\n"
      "    s = -s\n"
      "  } while s < 0.0 limit m\n"
      "  switch m {\n"
      "    case 1, -4..7 {}\n"
      "    default {\n"
      "      stop \"bad \\\"mode\\\"\", m\n"
      "    }\n"
      "  }\n"
      "  check step m\n"
      "  add trips m\n"
      "}\n";

  EXPECT_EQ(print_stable(parse_ok(text, calls), calls), text);
}

TEST(Printer, WritesTheFewestParentheses) {
  EXPECT_EQ(reprinted("((s + (s * s)) - s)"), "s + s * s - s");
  EXPECT_EQ(reprinted("s - (s - s)"), "s - (s - s)");
  EXPECT_EQ(reprinted("(s + s) * s"), "(s + s) * s");
  EXPECT_EQ(reprinted("(k < l) == c"), "(k < l) == c");
  EXPECT_EQ(reprinted("!(c && c) || c"), "!(c && c) || c");
  EXPECT_EQ(reprinted("-(-s)"), "-(-s)");
}

TEST(Printer, AFoldNeverSwallowsTheProductBesideIt) {
  EXPECT_EQ(reprinted("2 * sum(i in 0..n) a[i]"), "2.0 * sum(i in 0..n) (a[i])");
  EXPECT_EQ(reprinted("(sum(i in 0..n) a[i]) * 2"), "(sum(i in 0..n) (a[i])) * 2.0");
  EXPECT_EQ(reprinted("(-sum(i in 0..n) a[i]) / 2"), "(-sum(i in 0..n) (a[i])) / 2.0");
  EXPECT_EQ(reprinted("(s / sum(i in 0..n) a[i]) * 2"), "(s / sum(i in 0..n) (a[i])) * 2.0");
  EXPECT_EQ(reprinted("count(i in 0..n) (c) * 2"), "count(i in 0..n) (c) * 2");
}

TEST(Printer, WritesWideningAndLiteralsBareWhereTheyComeBack) {
  EXPECT_EQ(reprinted("k + l"), "k + l");
  EXPECT_EQ(reprinted("h * 0.1"), "h * 0.1");
  EXPECT_EQ(reprinted("(1 + 2) * l"), "(1 + 2) * l");
  EXPECT_EQ(reprinted("select(c, 1, l)"), "select(c, 1, l)");
  EXPECT_EQ(reprinted("i64(5)"), "i64(5)");
  EXPECT_EQ(reprinted("f32(0.1)"), "f32(0.1)");
  EXPECT_EQ(reprinted("i64(5) + l"), "5 + l");
  EXPECT_EQ(reprinted("i32(2.7)"), "i32(2.7)");
}

TEST(Printer, WritesLiteralsThatReadBack) {
  for (const char* text : {"-0.0", "inf", "-inf", "nan", "1e-08", "0.1", "1e+300", "5e-324",
                           "-2147483648", "2147483648", "-9223372036854775808", "true"}) {
    EXPECT_EQ(reprinted(text), text);
  }
}

TEST(Printer, WritesATypeThatTheSurroundingsWouldNotGive) {
  Built built;
  const auto five = ir::make_literal(ir::Value(std::int64_t{5}));
  const auto x = built.reads[0];
  const auto wide_x = ir::coerce(x, ScalarType::I64);

  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Add, {wide_x, five})), "let v = i64(x) + 5");
  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Add, {five, five})), "let v: i64 = 5 + 5");
  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Add, {wide_x, wide_x})), "let v = i64(x) + i64(x)");
  EXPECT_EQ(built.let(wide_x), "let v: i64 = x");
  EXPECT_EQ(built.let(five), "let v: i64 = 5");
}

TEST(Printer, ANegatedLiteralStaysANegation) {
  Built built;
  const auto five = ir::make_literal(ir::Value(std::int32_t{5}));

  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Neg, {five})), "let v = -i32(5)");
}

TEST(Printer, AWidenedSumOfLiteralsKeepsItsWidth) {
  Built built;
  const auto big = ir::make_literal(ir::Value(std::int32_t{2147483647}));
  const auto wrapped = ir::make_apply(ir::Op::Add, {big, big});
  const auto widened = ir::coerce(wrapped, ScalarType::I64);

  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Add, {widened, built.reads[1]})),
            "let v = i64(2147483647 + 2147483647) + y");
}

TEST(Printer, AConvertedLiteralIsALiteral) {
  Built built;
  const auto five = ir::make_literal(ir::Value(std::int32_t{5}));
  const auto widened = ir::coerce(five, ScalarType::I64);

  EXPECT_EQ(built.let(ir::make_apply(ir::Op::Add, {widened, built.reads[1]})), "let v = 5 + y");
}

TEST(Printer, RenamesWhatWouldHideAnotherName) {
  ir::Program program;
  program.name = "p";
  const auto let = [&](const char* name) {
    ir::Symbol symbol;
    symbol.name = name;
    symbol.kind = ir::SymbolKind::Let;
    symbol.type = ScalarType::I32;
    return ir::make_region(
        ir::Let{program.add(symbol), ir::make_literal(ir::Value(std::int32_t{1}))});
  };
  const auto outer = let("t");
  const auto inner = ir::make_region(ir::Seq{{let("t"), let("t_2")}});
  const auto odd = let("while");
  program.body = ir::make_seq({outer, inner, odd});

  EXPECT_EQ(print_stable(program),
            "program p() {\n  let t = 1\n  let t_2 = 1\n  let t_2_2 = 1\n  let _while = 1\n}\n");
}

TEST(Printer, NamesACallSoThatItParses) {
  ir::Program program;
  program.name = "p";
  CallRegistry calls;
  std::vector<ir::Region> items;
  for (const auto& [name, printed] :
       {std::pair{"while", "_while"}, {"layer 1\n", "layer_1_"}, {"", "_"}}) {
    const auto callee =
        std::make_shared<const ir::Callee>(ir::Callee{.name = name, .accesses = {}, .host = {}});
    items.push_back(ir::make_region(ir::Call{callee, {}}));
    calls.emplace(printed, callee);
  }
  program.body = ir::make_seq(std::move(items));

  const std::string text = print(program);

  EXPECT_EQ(text, "program p() {\n  call _while()\n  call layer_1_()\n  call _()\n}\n");
  EXPECT_NO_THROW(parse_ok(text, calls));
}

TEST(Printer, PrintsARegionForMessages) {
  const auto program = parse_body("var s: i32\nwhile s < 3 { s += 1 }");
  const auto* seq = ir::as<ir::Seq>(program.body);

  EXPECT_EQ(print_region(program, seq->items[1]), "while s < 3 {\n  s += 1\n}\n");
}

class PrintedSample : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PrintedSample, ParsesBackToTheSameText) {
  print_stable(parse_ok(support::read_file(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Samples, PrintedSample, testing::ValuesIn(support::sample_programs()),
                         [](const auto& sample) { return sample.param.stem().string(); });

}  // namespace
}  // namespace gyre::text
