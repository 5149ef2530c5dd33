/// NVRTC makes code of the kernels of samples and of random programs, in every form.
#include "emitted.hpp"
#include "support/programs.hpp"
#include "support/random_program.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

class EmittedKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
    if (std::string(GetParam()) == "sm_100" && nvrtc()->version < 12080) {
      GTEST_SKIP() << "NVRTC knows sm_100 from CUDA 12.8 on";
    }
  }
};

TEST_P(EmittedKernels, OfTheSampleProgramsCompile) {
  for (const auto& path : support::sample_programs()) {
    EXPECT_TRUE(compiles(plan_of_text(support::read_file(path)), {}, GetParam())) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, EmittedKernels, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& architecture) { return std::string(architecture.param); });

TEST(CompiledKernels, EveryFormOfAProgramCompiles) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  const plan::Plan plan =
      plan_of_text(support::read_file(support::in_repository("samples/programs/dispatch.gyre")));
  for (const bool checked : {false, true}) {
    for (const auto decisions :
         {Decisions::ConditionalNodes, Decisions::IfNodesOnly, Decisions::Host}) {
      EXPECT_TRUE(compiles(plan, {checked, decisions}));
    }
  }
}

TEST(CompiledKernels, RandomProgramsCompile) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const plan::Plan plan = plan_of(support::random_program(seed).program);

    EXPECT_TRUE(compiles(plan, {seed % 2 == 0})) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gyre::jit
