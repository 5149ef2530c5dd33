// docs/lowering.md is true: its programs become the plans that it shows.
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "support/programs.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

std::filesystem::path lowering_page() {
  return support::in_repository("docs/lowering.md");
}

TEST(LoweringPage, ItsProgramsBecomeThePlansThatItShows) {
  const auto programs = support::fences(lowering_page(), "gyre");
  const auto plans = support::fences(lowering_page(), "text");
  ASSERT_EQ(programs.size(), plans.size());
  ASSERT_FALSE(programs.empty());

  for (std::size_t i = 0; i < programs.size(); ++i) {
    const ir::Program lowered = passes::run_passes(support::parse_ok(programs[i]));

    const Plan plan = make_plan(lowered, all_steps);

    EXPECT_EQ(print_plan(plan), plans[i]) << programs[i];
    EXPECT_EQ(verify_plan(plan), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace gyre::plan
