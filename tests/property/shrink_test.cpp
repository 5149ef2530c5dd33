#include "support/shrink.hpp"

#include "gyre/ir/visitor.hpp"
#include "support/random_program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

int count_of_fills(const ir::Program& program) {
  int fills = 0;
  ir::for_each_region(program.body, [&](const ir::Region& region) {
    if (ir::as<ir::Fill>(region) != nullptr) ++fills;
  });
  return fills;
}

std::ptrdiff_t count_of_statements(const ir::Seq& body) {
  return std::count_if(body.items.begin(), body.items.end(),
                       [](const ir::Region& item) { return ir::as<ir::Declare>(item) == nullptr; });
}

std::set<std::string> given_and_got(const ir::Program& program) {
  std::set<std::string> names;
  ir::for_each_region(program.body, [&](const ir::Region& region) {
    const auto* declare = ir::as<ir::Declare>(region);
    if (declare == nullptr) return;
    const ir::Symbol& symbol = program[declare->symbol];
    const bool is_own = symbol.intent == ir::Intent::Temp || symbol.intent == ir::Intent::Var;
    if (!is_own) names.insert(symbol.name);
  });
  return names;
}

// A run of the smaller program is given the same data, and is to make the same of it at first.
TEST(Shrink, KeepsWhatTheCallerGivesAndGets) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ir::Program program = random_program(seed).program;

    const ir::Program small = shrink(program, [](const ir::Program&) { return true; });

    EXPECT_EQ(given_and_got(small), given_and_got(program)) << "seed " << seed;
    EXPECT_EQ(count_of_statements(*ir::as<ir::Seq>(small.body)), 0) << "seed " << seed;
  }
}

TEST(Shrink, LeavesOnlyWhatTheFailureNeeds) {
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ir::Program program = random_program(seed).program;
    const auto fails = [](const ir::Program& tried) { return count_of_fills(tried) > 0; };
    if (!fails(program)) continue;

    const ir::Program small = shrink(program, fails);

    const auto* body = ir::as<ir::Seq>(small.body);
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(count_of_statements(*body), 1) << "seed " << seed;
    EXPECT_NE(ir::as<ir::Literal>(ir::as<ir::Fill>(body->items.back())->value), nullptr);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 10);
}

}  // namespace
}  // namespace gyre::support
