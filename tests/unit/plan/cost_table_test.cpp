#include "gyre/plan/cost_table.hpp"

#include "support/refusal.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string refusal_of(const std::string& text) {
  return support::refusal([&] { parse_cost_table(text, "costs.json"); });
}

TEST(CostTable, ReadsBackWhatItPrints) {
  CostTable table = shipped_cost_table();
  table.device = "a \"quoted\" GPU";
  table.while_trip = 1.25;
  table.bytes_per_microsecond = 123400;

  EXPECT_EQ(parse_cost_table(print_cost_table(table), "printed"), table);
}

TEST(CostTable, ThatIsShippedIsOfAnH200AndKnowsEveryCost) {
  const CostTable& table = shipped_cost_table();

  EXPECT_EQ(table.device, "NVIDIA H200");
  EXPECT_GT(table.guarded_off_kernel, 0);
  EXPECT_GT(table.while_trip, table.guarded_off_kernel);
  EXPECT_GT(table.bytes_per_microsecond, 0);
}

TEST(CostTable, SaysWhichCostIsMissingUnknownOrNoNumber) {
  const std::string good = print_cost_table(shipped_cost_table());

  EXPECT_EQ(refusal_of(good), "accepted");
  EXPECT_EQ(refusal_of(replaced(good, "\"while_trip\"", "\"while_tripp\"")),
            "costs.json is no table of costs: 'while_tripp' is no cost; "
            "'gyre doctor --calibrate' measures one");
  EXPECT_NE(refusal_of(R"({"device": "x"})").find("'graph_kernel' is missing"), std::string::npos);
  EXPECT_NE(refusal_of(replaced(good, "\"if_else\": ", "\"if_else\": -"))
                .find("'if_else' is no number from 0 up"),
            std::string::npos);
}

// As tables do that were measured before gyre knew of the cost.
TEST(CostTable, ATableThatLacksACostIsRefusedAndWantsToBeMeasuredAgain) {
  std::string old = print_cost_table(shipped_cost_table());
  const auto line = old.find("  \"block_trip\"");
  ASSERT_NE(line, std::string::npos);
  old.erase(line, old.find('\n', line) + 1 - line);

  EXPECT_EQ(refusal_of(old),
            "costs.json is no table of costs: 'block_trip' is missing; "
            "'gyre doctor --calibrate' measures one");
}

TEST(CostTable, RefusesWhatIsNoObjectOrNamesNoDevice) {
  EXPECT_NE(refusal_of("").find("it is no JSON object"), std::string::npos);
  EXPECT_NE(refusal_of("[1, 2]").find("it is no JSON object"), std::string::npos);
  EXPECT_NE(refusal_of("{}").find("'device' names no GPU"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"device": 200})").find("'device' names no GPU"), std::string::npos);
}

}  // namespace
}  // namespace gyre::plan
