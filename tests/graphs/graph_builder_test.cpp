/// What programs become as nodes of a graph. A driver that only remembers stands in for a GPU.
#include "bound_program.hpp"

#include <string>

namespace gyre::executors {
namespace {

class GraphNodes : public RecordedTest {
 protected:
  /// The nodes of `text` as a graph. Buffers have 10 elements, those that begin with "no" none, and
  /// k is 3.
  static std::string nodes(const std::string& text, const jit::EmitOptions& options = {}) {
    return BoundProgram(text, {}, options).nodes();
  }
};

TEST_F(GraphNodes, ALoopOfOneKernelIsFilledUpToThreeNodes) {
  EXPECT_EQ(nodes(R"(program p() {
  in k: i32
  out n: i32
  while n < k { n += 1 }
})"),
            R"(kernel p_scalars
while
  kernel p_while0_scalars
  clear of 4 bytes
  clear of 4 bytes
kernel gyre_end
)");
}

TEST_F(GraphNodes, AResidentLoopIsOneNode) {
  EXPECT_EQ(nodes(R"(program p() {
  in k: i32
  out n: i32
  while n < k { n += 1 }
})",
                  {.resident = {{0, {.crew = jit::Crew::Block, .threads = 64}}}}),
            R"(kernel p_scalars
kernel p_while0_loop0
kernel gyre_end
)");
}

TEST_F(GraphNodes, ALongBodyIsLeftAsItIs) {
  const std::string text = nodes(R"(program p(n: size) {
  in k: i32
  inout x: f64[n]
  out s: f64
  var i: i32
  while i < k {
    foreach j in 0..n { x[j] += 1.0 }
    s = sum(j in 0..n) x[j]
    foreach j in 0..n { x[j] *= s }
    i += 1
  }
})");

  EXPECT_EQ(text.find("clear of 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("while\n  kernel"), std::string::npos) << text;
}

// A real driver refuses a handle of another graph, and so does this one.
TEST_F(GraphNodes, ANestedLoopStandsInTheBodyOfTheOuterOne) {
  EXPECT_EQ(nodes(R"(program p() {
  in k: i32
  out n: i32
  var i: i32
  while i < k {
    var j: i32
    while j < i { j += 1; n += 1 }
    i += 1
  }
})"),
            R"(kernel p_scalars
while
  kernel p_while0_scalars
  while
    kernel p_while0_while0_scalars
    clear of 4 bytes
    clear of 4 bytes
  kernel p_while0_scalars_2
kernel gyre_end
)");
}

constexpr const char* three_arms = R"(program p(n: size) {
  in k: i32
  inout x: f64[n]
  switch k {
    case 1 { foreach i in 0..n { x[i] += 1.0 } }
    case 2 { }
    default { foreach i in 0..n { x[i] -= 1.0 } }
  }
})";

// The last body is for a launch that was over before.
TEST_F(GraphNodes, ASwitchThatNothingFollowsEndsTheLaunchInEachOfItsBodies) {
  EXPECT_EQ(nodes(three_arms), R"(kernel decide_0
switch
case 0
  kernel p_switch0_case0_foreach0
  kernel gyre_end
case 1
  kernel gyre_end
case 2
  kernel p_switch0_default_foreach0
  kernel gyre_end
case 3
  kernel gyre_end
)");
}

TEST_F(GraphNodes, ASwitchHasABodyForEachArmAndNoneIsEmpty) {
  EXPECT_EQ(nodes(R"(program p(n: size) {
  in k: i32
  inout x: f64[n]
  out s: f64
  switch k {
    case 1 { foreach i in 0..n { x[i] += 1.0 } }
    case 2 { }
    default { foreach i in 0..n { x[i] -= 1.0 } }
  }
  s = x[0]
})"),
            R"(kernel p_scalars
switch
case 0
  kernel p_switch0_case0_foreach0
case 1
  node
case 2
  kernel p_switch0_default_foreach0
kernel p_scalars_2
kernel gyre_end
)");
}

TEST_F(GraphNodes, WithoutSwitchNodesEveryArmWithWorkIsAnIf) {
  EXPECT_EQ(nodes(three_arms, {.decisions = jit::Decisions::IfNodesOnly}), R"(kernel decide_0
if
  kernel p_switch0_case0_foreach0
if
  kernel p_switch0_default_foreach0
kernel gyre_end
)");
}

TEST_F(GraphNodes, ABranchWithoutWorkIsNoNode) {
  EXPECT_EQ(nodes("program p() {\n  in k: i32\n  if k > 2 { }\n}"),
            "kernel p_if0_scalars\nkernel gyre_end\n");
}

TEST_F(GraphNodes, ArmsUnderGuardsStandSideBySide) {
  EXPECT_EQ(nodes(three_arms, {.choices = {.predicated = {true}, .copies = {1}}}),
            R"(kernel decide_0
kernel p_switch0_case0_foreach0
kernel p_switch0_default_foreach0, behind kernel decide_0
kernel gyre_end, behind kernel p_switch0_case0_foreach0 and kernel p_switch0_default_foreach0
)");
}

TEST_F(GraphNodes, ArmsOfAForkAreBranchesOfTheGraph) {
  EXPECT_EQ(nodes(R"(program p(n: size) {
  in k: i32
  inout x: f64[n], y: f64[n]
  out i: i32
  fork {
    while i < k { i += 1 }
  } and {
    foreach j in 0..n { y[j] = y[n - 1 - j] }
    foreach j in 0..n { x[j] = y[n - 1 - j] }
  }
  foreach j in 0..n { x[j] = x[j] + 1 }
})"),
            R"(kernel p_scalars
kernel p_fork0_scalars
while
  kernel p_fork0_arm0_while0_scalars
  clear of 4 bytes
  clear of 4 bytes
kernel p_fork0_arm1_foreach0, behind kernel p_scalars
kernel p_fork0_arm1_foreach1
kernel join_5, behind while and kernel p_fork0_arm1_foreach1
kernel p_foreach0
kernel gyre_end
)");
}

// In the body of a loop too, with the decision about the next trip behind both arms.
TEST_F(GraphNodes, AForkInALoopStandsInItsBody) {
  EXPECT_EQ(nodes(R"(program p(n: size) {
  in k: i32
  inout x: f64[n], y: f64[n]
  out i: i32
  while i < k {
    fork {
      foreach j in 0..n { x[j] = x[j] + 1 }
    } and {
      foreach j in 0..n { y[j] = y[j] * 2 }
    }
    i += 1
  }
})"),
            R"(kernel p_scalars
while
  kernel p_while0_fork0_arm0_foreach0
  kernel p_while0_fork0_arm1_foreach0, behind nothing
  kernel p_while0_scalars, behind kernel p_while0_fork0_arm0_foreach0 and kernel p_while0_fork0_arm1_foreach0
  clear of 4 bytes
kernel gyre_end
)");
}

// Arms of a fork within an arm wait for what stands before it there alone.
TEST_F(GraphNodes, AForkWithinAnArmBranchesAgain) {
  const std::string text = nodes(R"(program p(n: size) {
  inout x: f64[n], y: f64[n], z: f64[n]
  fork {
    foreach j in 0..n { x[j] = x[n - 1 - j] }
    fork { foreach j in 0..n { x[j] = 1 } } and { foreach j in 0..n { y[j] = 2 } }
  } and {
    foreach j in 0..n { z[j] = 3 }
  }
})");

  EXPECT_EQ(text, R"(kernel gyre_begin
kernel p_fork0_arm0_foreach0
kernel p_fork0_arm0_fork0_arm0_foreach0
kernel p_fork0_arm0_fork0_arm1_foreach0, behind kernel p_fork0_arm0_foreach0
kernel p_fork0_arm1_foreach0, behind kernel gyre_begin
kernel gyre_end, behind kernel p_fork0_arm0_fork0_arm0_foreach0 and kernel p_fork0_arm0_fork0_arm1_foreach0 and kernel p_fork0_arm1_foreach0
)");
}

// The blocks of a grid wait for each other: two of them at once would need the device twice.
TEST_F(GraphNodes, ArmsWithALoopOfTheWholeGridStandInLine) {
  const std::string text = nodes(R"(program p() {
  in k: i32
  out i: i32, j: i32
  fork { while i < k { i += 1 } } and { while j < k { j += 1 } }
})",
                                 {.resident = {{0, {.crew = jit::Crew::Grid}}}});

  EXPECT_EQ(text.find("behind"), std::string::npos) << text;
}

TEST_F(GraphNodes, TripsAheadOfALoopStandInLineBeforeItsNode) {
  EXPECT_EQ(nodes(R"(program p() {
  in k: i32
  out n: i32
  while n < k { n += 1 }
})",
                  {.choices = {.predicated = {false}, .copies = {1}, .ahead = {2}}}),
            R"(kernel p_scalars
kernel p_while0_scalars
kernel p_while0_scalars
while
  kernel p_while0_scalars
  clear of 4 bytes
  clear of 4 bytes
kernel gyre_end
)");
}

TEST_F(GraphNodes, AClearMayStandBeforeTheKernelThatBeginsTheLaunch) {
  EXPECT_EQ(nodes(R"(program p(n: size) {
  in k: i32
  out y: f64[n], s: f64
  s = y[0]
})"),
            R"(clear of 80 bytes
kernel p_scalars
kernel gyre_end
)");
}

TEST_F(GraphNodes, ClearsAndCopiesOfNothingAreLeftOut) {
  EXPECT_EQ(nodes(R"(program p(n: size, m: size) {
  in x: f64[n], none: f64[m]
  out y: f64[n], nowhere: f64[m]
  copy nowhere = none
  copy y = x
})"),
            R"(kernel gyre_begin
clear of 80 bytes
copy of 80 bytes
kernel gyre_end
)");
}

}  // namespace
}  // namespace gyre::executors
