/// No kernel of a sample or a solver that runs in every trip of an innermost loop spills registers:
/// that costs memory traffic that nothing shows. The compiler's own report says so, without a GPU.
#include "gyre/jit/compile.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/jit/nvrtc.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/solvers/cg.hpp"
#include "gyre/solvers/methods.hpp"
#include "support/programs.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

using testing::EndsWith;

std::vector<ir::Program> corpus() {
  using solvers::Preconditioner;
  std::vector<ir::Program> programs;
  for (const solvers::Method& method : solvers::methods()) {
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
      if (!method.takes_preconditioner && preconditioner != Preconditioner::None) continue;
      programs.push_back(
          method.make_program({.preconditioner = preconditioner, .keeps_history = true}));
    }
  }
  for (const auto preconditioner : {Preconditioner::Ic0, Preconditioner::Ssor}) {
    programs.push_back(solvers::make_cg({.preconditioner = preconditioner}));
  }
  // A copy of the sources may have no samples.
  if (!exists(support::in_repository("samples/programs"))) return programs;
  for (const auto& path : support::sample_programs()) {
    programs.push_back(support::parse_ok(support::read_file(path)));
  }
  return programs;
}

std::string report_of(const std::string& source, const std::string& architecture) {
  return compile_cubin({.source = source,
                        .name = "test",
                        .architecture = architecture,
                        .resource_report = true})
      .log;
}

/// What a report says of each kernel's local memory, by name.
std::map<std::string, std::string> local_memory(const std::string& report) {
  const std::string head = "Function properties for ";
  std::map<std::string, std::string> found;
  std::string kernel;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find(head); at != std::string::npos) {
      kernel = line.substr(at + head.size());
    }
    if (const auto at = line.find(" bytes stack frame"); at != std::string::npos) {
      found[kernel] = line.substr(line.find_last_of(' ', at - 1) + 1);
    }
  }
  return found;
}

/// `p/while#0/for#1` for a region in that loop; empty where there is none around it.
std::string loop_of(const std::string& region) {
  std::size_t end = 0;
  for (const char* const loop : {"/while#", "/do#", "/for#"}) {
    const std::size_t at = region.rfind(loop);
    if (at != std::string::npos)
      end = std::max(end, std::min(region.find('/', at + 1), region.size()));
  }
  return region.substr(0, end);
}

/// Whether the kernel stands in a loop without another in it.
bool is_in_an_innermost_loop(const EmittedKernel& kernel, const EmittedModule& module) {
  const std::string loop = loop_of(kernel.region);
  return !loop.empty() &&
         std::none_of(module.kernels.begin(), module.kernels.end(), [&](const auto& other) {
           return loop_of(other.region).starts_with(loop + "/");
         });
}

TEST(LocalMemory, IsSeenWhereThereIsSome) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();

  const auto found = local_memory(report_of(R"(
extern "C" __global__ void frugal(double* x) { x[threadIdx.x] += 1.0; }
extern "C" __global__ void greedy(double* x, int n) {
  double all[40];
  for (int i = 0; i < 40; ++i) all[i] = x[i];
  for (int i = 0; i < n; ++i) all[i % 40] += all[i * 7 % 40];
  for (int i = 0; i < 40; ++i) x[i] = all[i];
})",
                                            "sm_90"));

  EXPECT_EQ(found.at("frugal"), "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");
  EXPECT_EQ(found.at("greedy"), "320 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");
}

class LocalMemoryOn : public testing::TestWithParam<const char*> {};

TEST_P(LocalMemoryOn, HoldsNoRegistersInAnInnermostLoopOfASampleOrSolver) {
  const std::string architecture = GetParam();
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  if (architecture == "sm_100" && nvrtc()->version < 12080) {
    GTEST_SKIP() << "NVRTC knows sm_100 from CUDA 12.8 on";
  }
  for (const ir::Program& program : corpus()) {
    const plan::Plan plan = plan::make_plan(passes::run_passes(program), plan::all_steps);
    const EmittedModule module = emit_module(plan, {});

    const auto found = local_memory(report_of(module.listing, architecture));

    for (const EmittedKernel& kernel : module.kernels) {
      std::vector<std::string> forms = {kernel.name};
      for (const auto& [form, other] : kernel.long_forms) forms.push_back(kernel.name_of(form));
      for (const std::string& form : forms) {
        ASSERT_TRUE(found.contains(form)) << program.name << ": " << form;
        if (!is_in_an_innermost_loop(kernel, module)) continue;
        EXPECT_THAT(found.at(form), EndsWith(" 0 bytes spill stores, 0 bytes spill loads"))
            << program.name << ": " << form;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LocalMemoryOn, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gyre::jit
