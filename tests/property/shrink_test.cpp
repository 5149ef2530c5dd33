#include "support/shrink.hpp"

#include "gyre/ir/visitor.hpp"
#include "support/random_program.hpp"

#include <cstdint>

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

TEST(Shrink, LeavesOnlyWhatTheFailureNeeds) {
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ir::Program program = random_program(seed).program;
    const auto fails = [](const ir::Program& tried) { return count_of_fills(tried) > 0; };
    if (!fails(program)) continue;

    const ir::Program small = shrink(program, fails);

    // The fill, and the declaration of its buffer.
    const auto* body = ir::as<ir::Seq>(small.body);
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(body->items.size(), 2u) << "seed " << seed;
    EXPECT_NE(ir::as<ir::Literal>(ir::as<ir::Fill>(body->items.back())->value), nullptr);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 10);
}

}  // namespace
}  // namespace gyre::support
