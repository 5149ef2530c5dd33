#include "gyre/ir/fault_text.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(FaultText, NamesTheElementAndTheShape) {
  EXPECT_EQ(out_of_bounds_text("x", Numbers{12}, ScalarType::F64, Numbers{10}),
            "x[12] is outside f64[10]");
  EXPECT_EQ(out_of_bounds_text("a", Numbers{-1, 3}, ScalarType::I32, Numbers{2, 0}),
            "a[-1, 3] is outside i32[2, 0]");
}

TEST(FaultText, NamesWhereTwoIndicesMeet) {
  EXPECT_EQ(broken_promise_text("x", Numbers{3, 0}),
            "two indices meet at x[3, 0], which one of them writes");
}

}  // namespace
}  // namespace gyre::ir
