/// A loop on the chip is compiled for the shape that its sizes lead to, and for no other one before
/// they are known.
#include "bound_program.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/cache.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gyre::executors {
namespace {

using ResidentShapes = RecordedTest;

std::shared_ptr<const plan::Plan> plan_of(const std::string& text) {
  return std::make_shared<const plan::Plan>(
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", text))));
}

/// Texts that were asked of the compiler or found on disk.
std::uint64_t compiled_texts() {
  const jit::CacheCounts counts = jit::kernel_cache().counts();
  return counts.compiled + counts.from_disk;
}

TEST_F(ResidentShapes, AreCompiledOnceSizesAreKnown) {
  const auto plan = plan_of(R"(program shrink(n: size) {
  inout x: f64[n]
  out total: f64 = 2.0
  while total > 1.0 {
    foreach i in 0..n { x[i] *= 0.5 }
    total = sum(i in 0..n) x[i]
  }
})");
  const auto executor = make_persistent_executor(plan);
  std::vector<double> x(300);
  ir::Arguments arguments;
  arguments.buffers["x"] = {ir::ScalarType::F64, {300}, x.data()};

  // The kernel that does nothing is compiled once a process.
  executor->compile(false);
  const std::uint64_t before = compiled_texts();
  executor->compile(false);
  const std::uint64_t without_sizes = compiled_texts();
  executor->prepare(ir::resolve(plan->symbols, arguments), {});

  EXPECT_EQ(without_sizes - before, 0u);
  EXPECT_EQ(compiled_texts() - without_sizes, 1u);
}

TEST_F(ResidentShapes, AProgramWithoutLoopsIsCompiledAhead) {
  const auto plan = plan_of(
      "program twice(n: size) { inout x: f64[n]\n"
      "  foreach i in 0..n { x[i] *= 2.0625 } }");
  const auto executor = make_persistent_executor(plan);

  const std::uint64_t before = compiled_texts();
  executor->compile(false);

  EXPECT_EQ(compiled_texts() - before, 1u);
}

}  // namespace
}  // namespace gyre::executors
