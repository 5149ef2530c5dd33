#include "gyre/verifier/verify.hpp"

#include "built_program.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gyre::verifier {
namespace {

using ir::Intent;
using ir::Op;
using ir::ScalarType;
using ir::SymbolKind;

SourceLoc at_line(std::uint32_t line) {
  static const auto source = std::make_shared<const SourceText>(SourceText{"p.gyre", {}});
  return {source, line, 1, 1};
}

TEST(Rules, HaveDistinctKebabNamesAndASentenceEach) {
  std::set<std::string_view> names;

  for (const Rule& rule : rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    for (const char c : rule.name) EXPECT_TRUE(std::islower(c) != 0 || c == '-') << rule.name;
    EXPECT_TRUE(rule.statement.ends_with('.')) << rule.name;
  }
  EXPECT_GT(names.size(), 50u);
}

TEST(Rules, StandInTheDocumentationWordForWord) {
  std::ifstream in(GYRE_SOURCE_DIR "/docs/verifier.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});

  for (const Rule& rule : rules()) {
    const std::string row = "| `" + std::string(rule.name) + "` | " + std::string(rule.statement) +
                            (rule.breaker == Breaker::Anyone ? " |" : " *built* |");
    EXPECT_NE(page.find(row), std::string::npos) << "docs/verifier.md lacks: " << row;
  }
}

TEST(Verify, FindingsComeInTheOrderOfTheirPlaces) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F64, Intent::In);
  p.items.push_back(ir::make_region(
      ir::Assign{{x, {}, at_line(4)}, std::nullopt, ir::make_literal(ir::Value(1.0), at_line(4))},
      at_line(4)));
  p.items.push_back(ir::make_region(ir::Break{}, at_line(2)));

  EXPECT_EQ(p.broken_rules(), (Broken{"jump-outside-loop", "read-only"}));
}

TEST(Verify, OneFaultIsReportedOnceHoweverMuchIsBuiltOnIt) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F64, Intent::Inout);
  const auto y = p.add("y", SymbolKind::Let, ScalarType::Invalid);
  const auto bad = ir::make_apply(Op::Add, {p.read(x), BuiltProgram::truth()});
  p.items.push_back(ir::make_region(ir::Let{y, bad}));
  const auto more = ir::make_apply(Op::Mul, {p.read(y), p.read(x)});
  p.items.push_back(p.assign(x, more));
  p.items.push_back(ir::make_region(
      ir::If{ir::make_apply(Op::Lt, {more, p.read(x)}), ir::make_seq({}), nullptr}));

  EXPECT_EQ(p.broken_rules(), Broken{"operand-type"});
}

TEST(Verify, AFindingNamesTheRegionItStandsIn) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F64, Intent::In);
  p.items.push_back(ir::make_region(
      ir::While{.condition = BuiltProgram::truth(),
                .body = ir::make_seq({p.assign(x, ir::make_literal(ir::Value(1.0)))})}));
  p.program.body = ir::make_seq(p.items);
  Diagnostics diagnostics;

  verify(ir::number_regions(p.program), diagnostics);

  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].region, "p/while#0");
}

TEST(Verify, ACallWritesNoInputAndNoLet) {
  BuiltProgram p;
  const auto x = p.buffer("x", ScalarType::F64, Intent::In);
  const auto one = p.add("one", SymbolKind::Let, ScalarType::F64);
  p.items.push_back(ir::make_region(ir::Let{one, ir::make_literal(ir::Value(1.0))}));
  const auto work =
      std::make_shared<const ir::Callee>(ir::Callee{"work", {ir::Access::Write}, nullptr});
  p.items.push_back(ir::make_region(ir::Call{work, {x}}));
  p.items.push_back(ir::make_region(ir::Call{work, {one}}));

  EXPECT_EQ(p.broken_rules(), (Broken{"read-only", "read-only", "call-arguments"}));
}

TEST(Verify, ACallIsGivenAsManyArgumentsAsItTakesAndNoneTwiceThatItWrites) {
  BuiltProgram p;
  const auto x = p.buffer("x", ScalarType::F64);
  const auto work = std::make_shared<const ir::Callee>(
      ir::Callee{"work", {ir::Access::Read, ir::Access::Write}, nullptr});
  p.items.push_back(ir::make_region(ir::Call{work, {x}}));
  p.items.push_back(ir::make_region(ir::Call{work, {x, x}}));

  EXPECT_EQ(p.broken_rules(), (Broken{"call-arguments", "call-overlap"}));
}

TEST(Verify, ACallOnTheHostIsNotGuarded) {
  BuiltProgram p;
  const auto x = p.buffer("x", ScalarType::F64);
  const auto call = [&](ir::Placement placement, bool guarded) {
    ir::Callee work{"work", {ir::Access::Write}, nullptr};
    work.placement = placement;
    work.guarded = guarded;
    p.items.push_back(ir::make_region(ir::Call{std::make_shared<const ir::Callee>(work), {x}}));
  };
  call(ir::Placement::Stream, true);
  call(ir::Placement::Host, false);
  call(ir::Placement::Host, true);

  EXPECT_EQ(p.broken_rules(), (Broken{"call-placement"}));
}

TEST(Verify, ABufferIsReadAndWrittenByItsElementsAndAScalarAsAWhole) {
  BuiltProgram p;
  const auto x = p.buffer("x", ScalarType::F64);
  const auto s = p.scalar("s", ScalarType::F64, Intent::Inout);
  p.items.push_back(p.assign(s, p.read(x)));
  p.items.push_back(p.assign(s, ir::make_load(s, ScalarType::F64, {BuiltProgram::number(0)})));
  p.items.push_back(p.assign(x, p.read(s)));

  EXPECT_EQ(p.broken_rules(), Broken(3, "element-access"));
}

TEST(Verify, AScalarIsNotFilled) {
  BuiltProgram p;
  const auto s = p.scalar("s", ScalarType::F64);
  p.items.push_back(ir::make_region(ir::Fill{s, ir::make_literal(ir::Value(1.0))}));

  EXPECT_EQ(p.broken_rules(), Broken{"fill-buffer"});
}

TEST(Verify, ABufferHasNoInitialValue) {
  BuiltProgram p;
  p.buffer("x", ScalarType::F64);
  p.program.symbols.back().initial = ir::make_literal(ir::Value(1.0));

  EXPECT_EQ(p.broken_rules(), Broken{"buffer-initial"});
}

TEST(Verify, AValueIsNotConvertedToAStorageType) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F32, Intent::Inout);
  p.items.push_back(p.assign(x, ir::make_cast(ScalarType::F16, p.read(x))));

  EXPECT_EQ(p.broken_rules(), Broken{"cast-type"});
}

}  // namespace
}  // namespace gyre::verifier
