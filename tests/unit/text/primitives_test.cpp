#include "gyre/text/format.hpp"
#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

using support::diagnose_body;
using support::parse_body;
using support::rules_of;

const ir::Primitive& last_primitive(const ir::Program& program) {
  return *ir::as<ir::Primitive>(ir::as<ir::Seq>(program.body)->items.back());
}

ir::Program parse_with_lists(const std::string& statement) {
  return parse_body("in x: f64[n], k: i32[n]\nout y: f64[n], h: i64[n], b: i32[n], m: i32\n" +
                    statement);
}

TEST(PrimitiveParser, ReadsAScanWithItsFold) {
  const auto program = parse_with_lists("scan(i in 0..n) y = max x[i] * 2 exclusive");

  const ir::Primitive& scan = last_primitive(program);

  EXPECT_EQ(scan.op, ir::PrimitiveOp::Scan);
  EXPECT_EQ(scan.fold, ir::FoldOp::Max);
  EXPECT_TRUE(scan.option);
  ASSERT_EQ(scan.operands.size(), 1u);
  EXPECT_NE(ir::as<ir::Apply>(scan.operands[0]), nullptr);
}

TEST(PrimitiveParser, ReadsAsManyValuesAsASortHasOutputs) {
  const auto program = parse_with_lists("sort(i in 0..n) b, h, y = k[i], i, x[i] descending");

  const ir::Primitive& sort = last_primitive(program);

  EXPECT_EQ(sort.outputs.size(), 3u);
  EXPECT_EQ(sort.operands.size(), 3u);
  EXPECT_TRUE(sort.option);
}

TEST(PrimitiveParser, PutsTheConditionOfACompactFirst) {
  const auto program = parse_with_lists("compact(i in 0..n) y, m = x[i] where x[i] > 0");

  const ir::Primitive& compact = last_primitive(program);

  ASSERT_EQ(compact.operands.size(), 2u);
  EXPECT_EQ(compact.operands[0]->type, ir::ScalarType::Bool);
  EXPECT_EQ(compact.operands[1]->type, ir::ScalarType::F64);
}

TEST(PrimitiveParser, GivesALiteralTheTypeOfItsOutput) {
  const auto program = parse_with_lists("sort(i in 0..n) b, h = k[i], 1");

  EXPECT_EQ(last_primitive(program).operands[1]->type, ir::ScalarType::I64);
}

TEST(PrimitiveParser, LeavesTheirNamesToOtherThings) {
  const auto program = parse_body(
      "out sort: i32[n], scan: i32, where: i32[n]\nscan = 1\nsort[0] = scan\n"
      "sort(exclusive in 0..n) sort = where[exclusive]");

  EXPECT_EQ(last_primitive(program).op, ir::PrimitiveOp::Sort);
}

TEST(PrimitiveParser, SaysWhatIsMissing) {
  const std::string lists = "in x: f64[n]\nout y: f64[n], m: i64\n";
  EXPECT_EQ(rules_of(diagnose_body(lists + "srot(i in 0..n) y = x[i]")), "unknown-primitive:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "sort(i in 0..n, j in 0..n) y = x[i]")), "syntax:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "sort(i in 0..n) y x[i]")), "syntax:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "scan(i in 0..n) y = x[i]")), "unknown-fold:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "compact(i in 0..n) y, m = x[i]")), "syntax:5");
  EXPECT_EQ(rules_of(diagnose_body(lists + "sort(i in 0..n) y = x[i] exclusive")), "syntax:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "sort(i in 0..n) z = x[i]")), "unknown-name:4");
  EXPECT_EQ(rules_of(diagnose_body(lists + "sort(i in 0..n) y = x[i]\ny[0] = i")),
            "unknown-name:5");
}

TEST(PrimitiveParser, GoesOnBehindAFaultyOne) {
  EXPECT_EQ(
      rules_of(diagnose_body("out y: f64[n]\nsort(i in) y = 1\nz = 1\nsort(i in 0..n) y = u")),
      "syntax:3 unknown-name:4 unknown-name:5");
}

TEST(PrimitivePrinter, WritesWhatReadsBackTheSame) {
  for (const char* statement :
       {"scan(i in 0..n) y = sum x[i] * 2.0 + 1.0",
        "scan(i in 0..n) h = count x[i] > 0.0 exclusive", "sort(i in 0..n) y = x[i] descending",
        "sort(i in n - 1..-1 step -1) b, h = k[i], i",
        "compact(i in 0..m) y, h, m = x[i], i where x[i] > 0.0 && i < 5",
        "topk(i in 0..n) y, b = x[i] smallest", "histogram(i in 0..n) h = k[i]",
        "reduce_by_key(i in 0..n) b, y, m = k[i], prod x[i]"}) {
    const std::string printed = print(parse_with_lists(statement));

    EXPECT_NE(printed.find("  " + std::string(statement) + "\n"), std::string::npos) << printed;
    EXPECT_EQ(print(support::parse_ok(printed)), printed);
  }
}

TEST(Format, LaysPrimitivesOutAsTheyArePrinted) {
  const std::string ugly =
      "program p(n:size){out y:f64[n],m:i64\ncompact( i in 0..n )y,m=f64( i ) where i%2==0}";

  Diagnostics diagnostics;

  EXPECT_EQ(format("ugly.gyre", ugly, diagnostics),
            "program p(n: size) {\n  out y: f64[n], m: i64\n"
            "  compact(i in 0..n) y, m = f64(i) where i % 2 == 0\n}\n");
}

}  // namespace
}  // namespace gyre::text
