/// Runs one kernel: its scalar work on the calling thread, its sweep on all. Leaves out which
/// kernel comes next (cpu.cpp).
#pragma once

#include "cpu_sweep.hpp"
#include "gyre/ir/outcome.hpp"
#include "region_counts.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gyre::executors::cpu {

/// The two places of every slot, as the bytes of its value.
struct Cells {
  std::vector<std::uint64_t> home;
  std::vector<std::uint64_t> shadow;

  std::uint64_t& operator[](const plan::Cell& cell) {
    return (cell.version == plan::Version::Home ? home
                                                : shadow)[static_cast<std::size_t>(cell.slot)];
  }
};

/// How a run ended before its plan did.
struct RunEnding {
  ir::Status status = ir::Status::Fault;
  std::string label;
  std::int64_t code = 0;
  std::string region;
  ir::FaultKind fault = ir::FaultKind::None;
  std::string detail;
};

/// Expressions that the host evaluates.
class ScalarCode {
 public:
  ScalarCode(const plan::Plan& plan, std::span<const ir::Expr> values, const std::string& region,
             Shared& shared);

  /// Evaluates all of them; how the run ends, where one faults.
  std::optional<RunEnding> run();
  std::int64_t integer(std::size_t number) const;
  /// A value as its bytes.
  std::uint64_t bytes(std::size_t number) const;

 private:
  Body body_;
  std::unique_ptr<Machine> machine_;
};

class KernelRun {
 public:
  KernelRun(const plan::Plan& plan, const plan::Kernel& kernel, Shared& shared, Cells& cells,
            std::vector<ReductionState>& reductions, RegionCounts& counts, ThreadPool& pool);

  std::optional<RunEnding> run(bool checked);

 private:
  /// A scalar step and the code of its value: null for a Finish and a stop without code.
  struct Step {
    const plan::ScalarStep& step;
    std::unique_ptr<ScalarCode> code;
  };
  std::optional<RunEnding> run_steps(std::vector<Step>& steps);
  std::optional<RunEnding> run_step(Step& step);
  std::optional<RunEnding> read_ranges();

  const plan::Kernel& kernel_;
  Shared& shared_;
  Cells& cells_;
  std::vector<ReductionState>& reductions_;
  RegionCounts& counts_;
  std::vector<Step> prologue_;
  std::vector<Step> epilogue_;
  /// Begin, end and step of each range, each with its own fault.
  std::vector<std::unique_ptr<ScalarCode>> bounds_;
  std::vector<SweepRange> ranges_;
  std::optional<SweepRun> sweep_;
};

}  // namespace gyre::executors::cpu
