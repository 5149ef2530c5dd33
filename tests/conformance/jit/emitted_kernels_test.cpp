/// Every program of the suite and of samples/programs as kernels, compiled for every architecture
/// that gyre supports; needs NVRTC and no GPU.
///
/// A kernel's form depends on who decides branches and on whether accesses are checked: eight
/// forms. Each program is compiled once for each architecture, in three of the eight; over the
/// programs every form is compiled for every architecture. Loops that can be resident are compiled
/// as such too, for another crew on each architecture.
#include "gyre/jit/compile.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/jit/nvrtc.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"
#include "support/conformance_file.hpp"
#include "support/parallel_tests.hpp"
#include "support/programs.hpp"
#include "support/resident_shapes.hpp"

#include <array>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

using Files = std::map<std::string, std::filesystem::path>;

constexpr std::array architectures = {"sm_80", "sm_90", "sm_100"};

// Clusters are last: the first architecture has none.
constexpr std::array crews = {Crew::Block, Crew::Grid, Crew::Cluster};

/// How a plan is emitted.
struct Form {
  bool checked;
  Decisions decisions;
  plan::ChoicePolicy choices;
};

// In this order three in a row differ in who decides.
std::vector<Form> forms() {
  using enum Decisions;
  std::vector<Form> forms;
  bool checked = false;
  for (int round = 0; round < 2; ++round, checked = !checked) {
    for (const Decisions decisions : {ConditionalNodes, Host, IfNodesOnly}) {
      forms.push_back({checked, decisions, {false, 1}});
      checked = !checked;
    }
    forms.push_back({checked, round == 0 ? Host : ConditionalNodes, {round != 0, 3}});
    checked = !checked;
  }
  return forms;
}

// A copy of the sources may have no samples.
Files programs() {
  Files files = support::conformance_files();
  if (!exists(support::in_repository("samples/programs"))) return files;
  for (const auto& path : support::sample_programs()) {
    files.emplace("samples/" + path.stem().string(), path);
  }
  return files;
}

// What is wrong with the kernels of a program; empty where they compile.
std::string fault_of(const std::filesystem::path& path, const Form& form, Crew crew,
                     const std::string& architecture) {
  try {
    const auto program = text::parse_program(path.filename().string(), support::read_file(path));
    const plan::Plan plan =
        plan::make_plan(passes::run_passes(program), plan::steps_of_run(form.checked));
    const plan::Choices choices =
        plan::make_choices(plan, plan::shipped_cost_table(), form.choices);
    const auto compiles = [&](const EmitOptions& options) {
      return !compile_cubin({emit_module(plan, options).listing, plan.name, architecture})
                  .bytes.empty();
    };
    const auto shapes = support::resident_shapes(plan, crew);
    const bool all = compiles({form.checked, form.decisions, {}, choices}) &&
                     (form.checked || shapes.empty() || compiles({.resident = shapes}));
    return all ? "" : path.string() + ": there is no binary\n";
  } catch (const std::exception& error) {
    return path.string() + ": " + error.what() + "\n";
  }
}

// Folder by folder, so that several threads or processes share the work.
bool add_tests() {
  if (nvrtc() == nullptr) return false;
  std::size_t number = 0;
  std::map<std::string, std::vector<std::pair<std::size_t, std::filesystem::path>>> folders;
  for (const auto& [name, path] : programs()) {
    folders[name.substr(0, name.find('/'))].emplace_back(number++, path);
  }
  for (std::size_t a = 0; a < architectures.size(); ++a) {
    const std::string architecture = architectures.at(a);
    // NVRTC knows sm_100 from CUDA 12.8 on.
    if (architecture == "sm_100" && nvrtc()->version < 12080) continue;
    for (const auto& [folder, files] : folders) {
      support::add_parallel_test(
          "EmittedKernels", folder + "_" + architecture, [a, architecture, files = files] {
            std::string faults;
            for (const auto& [place, path] : files) {
              const auto form = (place + a) % forms().size();
              const Crew crew = crews.at((place / forms().size()) % (a == 0 ? 2 : crews.size()));
              faults += fault_of(path, forms().at(form), crew, architecture);
            }
            return faults;
          });
    }
  }
  return true;
}

const bool added = add_tests();

TEST(EmittedKernelsNeed, Nvrtc) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(added);
}

TEST(EmittedKernelsNeed, TheSuiteAndTheSamples) {
  EXPECT_FALSE(support::conformance_files().empty());
  EXPECT_TRUE(exists(support::in_repository("samples/programs")));
}

}  // namespace
}  // namespace gyre::jit
