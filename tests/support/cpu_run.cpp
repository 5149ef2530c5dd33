#include "support/cpu_run.hpp"

#include "gyre/ir/interpret.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

// Fills a buffer with values of its type between -8 and 8, the same every time.
void fill(OwnedArguments& data, const std::string& name) {
  support::OwnedBuffer& buffer = data.buffers.at(name);
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < buffer.element_count(); ++i) {
    state = state * 1664525 + 1013904223;
    const double number = static_cast<double>(state >> 8) / (1 << 20) - 8;
    ir::dispatch(ir::loaded_type(buffer.type), [&](auto zero) {
      store_element(buffer.type, buffer.bytes.data(), i,
                    ir::Value(ops::convert<decltype(zero)>(number)));
    });
  }
}

}  // namespace

std::shared_ptr<const plan::Plan> lower(const ir::Program& program) {
  return std::make_shared<const plan::Plan>(plan::make_plan(passes::run_passes(program)));
}

Ran run_on_cpu(const ir::Program& program, const OwnedArguments& start, int threads,
               const ir::RunOptions& options) {
  const auto plan = lower(program);
  Ran run{{}, start};
  run.outcome = make_cpu_executor(plan, {threads})
                    ->run(ir::resolve(plan->symbols, run.data.view(program)), options);
  return run;
}

Ran expect_as_interpreted(std::string_view text, const OwnedArguments& start,
                          const ir::RunOptions& options) {
  const ir::Program program = support::parse_ok(text);
  Ran expected{{}, start};
  expected.outcome = ir::interpret(program, expected.data.view(program), options);
  for (const int threads : {1, 2, 7}) {
    const Ran actual = run_on_cpu(program, start, threads, options);
    EXPECT_TRUE(support::same_run(expected, actual)) << threads << " threads";
    EXPECT_EQ(actual.outcome.detail, expected.outcome.detail) << threads << " threads";
  }
  return expected;
}

void add_filled(OwnedArguments& data, const std::string& name, ScalarType type,
                std::vector<std::int64_t> extents) {
  data.add(name, type, std::move(extents));
  fill(data, name);
}

OwnedArguments with_buffer(const std::string& name, ScalarType type,
                           std::vector<std::int64_t> extents) {
  OwnedArguments data;
  add_filled(data, name, type, std::move(extents));
  return data;
}

OwnedArguments matrix(const std::vector<std::int32_t>& lengths, std::int32_t columns) {
  OwnedArguments data;
  const auto rows = static_cast<std::int64_t>(lengths.size());
  data.add("row", ScalarType::I32, {rows + 1});
  std::int32_t nnz = 0;
  auto& row = data.buffers.at("row");
  for (std::int64_t i = 0; i < rows; ++i) {
    nnz += lengths[i];
    store_element(ScalarType::I32, row.bytes.data(), i + 1, ir::Value(nnz));
  }
  data.add("col", ScalarType::I32, {nnz});
  auto& col = data.buffers.at("col");
  for (std::int32_t k = 0; k < nnz; ++k) {
    store_element(ScalarType::I32, col.bytes.data(), k,
                  ir::Value(static_cast<std::int32_t>((std::int64_t{k} * 7919) % columns)));
  }
  add_filled(data, "val", ScalarType::F64, {nnz});
  add_filled(data, "x", ScalarType::F64, {columns});
  data.add("y", ScalarType::F64, {rows});
  return data;
}

}  // namespace gyre::executors
