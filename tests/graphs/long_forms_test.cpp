/// A kernel's forms for long folds are compiled where binding chooses them, and not before.
#include "bound_program.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/cache.hpp"

#include <memory>
#include <vector>

namespace gyre::executors {
namespace {

using LongForms = RecordedTest;

constexpr const char* two_products = R"(program two_products(n: size, nnz: size) {
  in row: i32[n + 1], val: f64[nnz], x: f64[n]
  out y: f64[n], z: f64[n]
  foreach i in 0..n { y[i] = sum(k in row[i]..row[i + 1]) val[k] * 3.0 }
  let most = max(i in 0..n) y[i]
  foreach i in 0..n { z[i] = most + sum(k in row[i]..row[i + 1]) val[k] * x[i] }
}
)";

/// Texts that were asked of the compiler or found on disk.
std::uint64_t texts() {
  const jit::CacheCounts counts = jit::kernel_cache().counts();
  return counts.compiled + counts.from_disk;
}

class Products {
 public:
  /// Makes it ready for rows of so many entries, and tells how many texts that took.
  std::uint64_t texts_for(std::int64_t entries) {
    constexpr std::int64_t n = 64;
    row_.assign(n + 1, 0);
    val_.assign(static_cast<std::size_t>(n * entries), 1.0);
    ir::Arguments arguments;
    arguments.buffers["row"] = {ir::ScalarType::I32, {n + 1}, row_.data()};
    arguments.buffers["val"] = {ir::ScalarType::F64, {n * entries}, val_.data()};
    const auto vector = [&](const char* name, std::vector<double>& elements) {
      elements.assign(n, 0.0);
      arguments.buffers[name] = {ir::ScalarType::F64, {n}, elements.data()};
    };
    vector("x", x_);
    vector("y", y_);
    vector("z", z_);
    const std::uint64_t before = texts();
    executor_->prepare(ir::resolve(plan_->symbols, arguments), {});
    return texts() - before;
  }

 private:
  std::shared_ptr<const plan::Plan> plan_ = std::make_shared<const plan::Plan>(
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", two_products))));
  std::shared_ptr<Executor> executor_ = make_device_graph_executor(plan_);
  std::vector<std::int32_t> row_;
  std::vector<double> val_, x_, y_, z_;
};

TEST_F(LongForms, AreCompiledWhereBindingChoosesThem) {
  Products products;

  EXPECT_EQ(products.texts_for(2), 1u);
  EXPECT_EQ(products.texts_for(3), 0u);
  EXPECT_EQ(products.texts_for(20), 1u);
  EXPECT_EQ(products.texts_for(2), 0u);
  EXPECT_EQ(products.texts_for(40), 0u);
}

}  // namespace
}  // namespace gyre::executors
