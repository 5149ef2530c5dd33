/// What sorts and scans become as nodes where a library does them. A driver that only remembers
/// stands in for a GPU.
#include "gyre/passes/call_library.hpp"
#include "one_call.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace gyre::executors {
namespace {

using testing::HasSubstr;
using testing::Not;

// Clears what it would write, by way of a temporary; `taken` remembers those.
ir::PrimitiveLibrary clearing_library(std::vector<char*>& taken, const ir::LibraryLimits& limits) {
  const auto clear_argument = [&taken](const ir::DeviceCallContext& c) {
    taken.push_back(c.temporary<char>(1000));
    const auto& written = c.arguments[1];
    cuda::clear({reinterpret_cast<CUdeviceptr>(written.data),
                 static_cast<std::size_t>(written.element_count()) * ir::size_of(written.type)},
                static_cast<CUstream>(c.stream));
  };
  ir::PrimitiveLibrary library;
  library.name = "test";
  library.limits = limits;
  library.order = [=](ir::ScalarType, ir::KeyOrder) { return clear_argument; };
  library.sum = [=](ir::ScalarType, bool) { return clear_argument; };
  return library;
}

std::string nodes_of(const std::string& body, const ir::LibraryLimits& limits,
                     std::vector<char*>& taken) {
  const ir::Program program =
      text::parse_program("test.gyre", "program p(n: size) {\n in all: f64[n]\n" + body + "\n}\n");
  const auto called =
      passes::call_library(program, clearing_library(taken, limits), {.in_loops = true});
  return BoundProgram(called, {}, plan::all_steps).nodes();
}

using CalledLibrary = RecordedTest;

TEST_F(CalledLibrary, ASortIsAnArmOfOneCallBesideTheLoops) {
  std::vector<char*> taken;

  const auto nodes =
      nodes_of("in k: i32\n inout x: f64[n]\n out y: f64[n]\n sort(i in 0..n) y = x[i]", {}, taken);

  EXPECT_THAT(nodes, HasSubstr("child graph\n    clear of 40 bytes\n"));
  EXPECT_THAT(nodes, HasSubstr("while"));
  EXPECT_EQ(taken.size(), 1U);
  EXPECT_NE(taken.front(), nullptr);
}

TEST_F(CalledLibrary, WhereLengthsAreKnownNothingIsDecided) {
  std::vector<char*> taken;

  const auto nodes = nodes_of("in x: f64[10]\n inout y: f64[10]\n sort(i in 0..10) y = x[i]",
                              {.least_sort = 10}, taken);

  EXPECT_EQ(nodes, R"(kernel p_sort0_scalars
child graph
  clear of 40 bytes
kernel p_sort0
kernel gyre_end
)");
}

TEST_F(CalledLibrary, AScanInALoopIsRecordedOnce) {
  std::vector<char*> taken;

  const auto nodes = nodes_of(
      "in k: i32, x: i32[10]\n out y: i32[10]\n var t: i32\n"
      "while t < k { scan(i in 0..10) y = sum x[i]\n t += 1 }",
      {.least_scan = 10}, taken);

  EXPECT_THAT(nodes, HasSubstr("while\n"));
  EXPECT_THAT(nodes, HasSubstr("  child graph\n    clear of 40 bytes\n"));
  EXPECT_EQ(taken.size(), 1U);
}

}  // namespace
}  // namespace gyre::executors
