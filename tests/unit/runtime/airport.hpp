/// A device whose runs end when a test says so.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/executors/make_executor.hpp"
#include "halving.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {

/// What a test does to flights, and what it sees of them.
struct Airport {
  std::atomic<bool> lands = false;
  std::atomic<bool> crashes = false;
  std::atomic<bool> cancelled = false;
  /// Whether streams come behind all that has started.
  bool is_behind = false;
  bool needs_host = false;
  bool captures = false;
  int started = 0;
  int joined = 0;
  int ran = 0;
  std::vector<void*> streams;
  std::vector<std::uint64_t> memory_versions;
  std::vector<double> stops;
  /// How much each flight was put in order with, and the streams that were asked for.
  std::vector<std::size_t> ordered;
  std::vector<void*> asked_before;
};
inline Airport* airport = nullptr;

/// Lands when the airport says so.
class ControlledFlight final : public executors::Flight {
 public:
  bool is_done() override {
    if (airport->crashes) throw EnvironmentError("the device fell off the bus");
    return airport->lands;
  }
  void cancel() override { airport->cancelled = true; }
  std::uint64_t progress() override { return 42; }
  bool is_over_before(void* stream) override {
    airport->asked_before.push_back(stream);
    return airport->lands || airport->is_behind;
  }
  ir::Outcome outcome() override {
    if (!airport->lands) throw UsageError("the graph has not run yet");
    ir::Outcome outcome;
    outcome.scalars.emplace("trips", ir::Value(std::int32_t{7}));
    return outcome;
  }
};

/// Stands in the row of `persistent`. Each of its runs is a flight, unless it needs the host.
class ControlledExecutor final : public executors::Executor {
 public:
  std::string_view name() const override { return "persistent"; }
  ir::Outcome run(const ir::Bound&, const ir::RunOptions& options) override {
    ++airport->ran;
    airport->streams.push_back(options.stream);
    return {};
  }
  std::shared_ptr<executors::Flight> start(const ir::Bound& bound,
                                           const ir::RunOptions& options) override {
    if (airport->needs_host) return nullptr;
    ++airport->started;
    airport->streams.push_back(options.stream);
    airport->memory_versions.push_back(bound.memory_version);
    airport->ordered.push_back(options.ordered.size());
    for (const ir::Value& value : bound.values) {
      if (value.type() == ir::ScalarType::F64) airport->stops.push_back(value.as<double>());
    }
    return std::make_shared<ControlledFlight>();
  }
  /// Bytes of ones, of every buffer that it may have.
  bool peek(ir::SymbolId, std::size_t, std::span<std::byte> to) override {
    std::fill(to.begin(), to.end(), std::byte{1});
    return true;
  }
  bool is_capturing(void* stream) const override { return stream != nullptr && airport->captures; }
  std::shared_ptr<executors::Flight> join(const ir::Bound&, const ir::RunOptions&) override {
    ++airport->joined;
    return std::make_shared<ControlledFlight>();
  }
};

/// A test of launches that a device makes by itself.
class Airfield : public ::testing::Test {
 protected:
  Airfield() {
    airport = &airport_;
    executors::offer_executor(
        {"persistent", [] { return std::string(); },
         [](auto, const executors::ExecutorOptions&) -> std::unique_ptr<executors::Executor> {
           return std::make_unique<ControlledExecutor>();
         }});
  }
  ~Airfield() override {
    executors::offer_executor(
        {"persistent", [] { return std::string("this build of gyre does not have it"); }, nullptr});
  }

  Executable make(Overlap overlap = Overlap::Refuse) {
    auto executable = compile(halving(), {.executor = "persistent", .overlap = overlap});
    executable.bind("x", x_);
    return executable;
  }

  Airport airport_;
  std::vector<double> x_ = std::vector<double>(4, 1.0);
  int stream_ = 0;
};

}  // namespace gyre
