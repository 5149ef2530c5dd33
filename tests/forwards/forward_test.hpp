/// What tests of forwards share: random batches, and a test for each executor that this machine
/// has.
#pragma once

#include "forwards/weights.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/gyre.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {

/// Rows of random numbers, one behind the other.
class RowBatch {
 public:
  RowBatch(std::uint64_t seed, std::size_t rows, std::size_t width)
      : width_(width), values_(make_values(seed, rows * width)) {}

  std::size_t rows() const { return values_.size() / width_; }
  std::vector<float> row(std::size_t r) const {
    const float* first = values_.data() + r * width_;
    return {first, first + width_};
  }
  void bind(gyre::Executable& executable) const {
    executable.bind("x", values_,
                    {static_cast<std::int64_t>(rows()), static_cast<std::int64_t>(width_)});
  }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

/// An executor by its name, and whether it is given thousands of rows or, where a GPU is emulated
/// and slow, a few.
struct Setting {
  const char* executor;
  bool few;

  friend void PrintTo(const Setting& setting, std::ostream* out) {
    *out << setting.executor << (setting.few ? ", few rows" : "");
  }
};

/// A test of a forward; skipped with the reason where this machine lacks the executor.
class OnEachExecutor : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    for (const auto& executor : gyre::executors::available_executors()) {
      if (executor.name == GetParam().executor && !executor.available) {
        GTEST_SKIP() << executor.reason;
      }
    }
  }

  static gyre::Executable compile_here(gyre::ir::Program program) {
    return gyre::compile(std::move(program), {.executor = GetParam().executor});
  }

  /// Batches of 1, 5 and 64 rows: 2,500 rows in all, or 118.
  static std::vector<RowBatch> make_batches(std::size_t width) {
    std::vector<RowBatch> batches;
    const auto add = [&](std::size_t many, std::size_t few, std::size_t rows) {
      for (std::size_t i = 0; i < (GetParam().few ? few : many); ++i) {
        batches.emplace_back(batches.size(), rows, width);
      }
    };
    add(200, 24, 1);
    add(76, 6, 5);
    add(30, 1, 64);
    return batches;
  }
  /// How often something has to come at least, of `many` where there are thousands of rows.
  static std::size_t at_least(std::size_t many) { return GetParam().few ? 1 : many; }
};

inline auto each_executor() {
  return testing::Values(Setting{"cpu", false}, Setting{"host_branch", false},
                         Setting{"device_graph", false}, Setting{"persistent", false},
                         Setting{"host_branch", true}, Setting{"device_graph", true});
}

inline std::string setting_name(const testing::TestParamInfo<Setting>& of) {
  return std::string(of.param.executor) + (of.param.few ? "_few" : "");
}

}  // namespace forwards
