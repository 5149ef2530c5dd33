/// Runs the sweep of one kernel on many threads, and the reductions that its points contribute to.
///
/// Where there are reductions, a task is an aligned block of strands (ir/strands.hpp) and all the
/// points on them; the blocks' partials combine as the same tree. So neither the number of threads
/// nor the size of blocks shows in a bit. Leaves out the scalar work around a sweep (cpu.cpp).
#pragma once

#include "cpu_fold_table.hpp"
#include "cpu_machine.hpp"
#include "gyre/plan/plan.hpp"
#include "thread_pool.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gyre::executors::cpu {

/// A reduction's state between the sweep that feeds it and the prologue that finishes it.
struct ReductionState {
  const FoldTable* table = nullptr;
  /// One for each block of strands.
  std::vector<std::uint64_t> partials;
  /// The value, as its bytes.
  std::uint64_t value = 0;
};

/// A range of a sweep whose bounds have been read.
struct SweepRange {
  std::int64_t begin = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

class SweepRun {
 public:
  SweepRun(const plan::Plan& plan, const plan::Kernel& kernel, Shared& shared,
           std::vector<ReductionState>& reductions, ThreadPool& pool);

  /// Runs every point; the least of the faults that they met.
  std::optional<FaultFound> run(const std::vector<SweepRange>& ranges, bool checked);

 private:
  struct Worker {
    std::unique_ptr<Machine> machine;
    /// The strands of the block at work, for each contribution.
    std::vector<std::vector<std::uint64_t>> strands;
    bool ran = false;
  };

  void plan_tasks(bool watched);
  void run_alone(bool watched);
  void run_together();
  void run_task(Worker& worker, std::int64_t task);
  template <class OnBlock>
  void run_points(Machine& machine, std::int64_t first, std::int64_t count, OnBlock on_block);
  std::int64_t lanes_of_one_run(std::int64_t point, std::int64_t lanes) const;
  void set_indices(Machine& machine, std::int64_t point, int lanes) const;
  template <class I>
  void set_index(Machine& machine, std::size_t d, std::int64_t point, int lanes) const;
  void start_terms(Machine& machine) const;
  void take_terms(Worker& worker, std::int64_t at, std::int64_t point, int lanes, bool add) const;
  Worker& prepare(int worker, bool watched);
  void finish_reductions();
  std::optional<FaultFound> take_least_fault();

  Body body_;
  bool promised_;
  Shared& shared_;
  std::vector<ReductionState>& reductions_;
  ThreadPool& pool_;
  TaskShares shares_;
  std::vector<Worker> workers_;
  /// An estimate of the work for one point.
  std::int64_t cost_;

  std::vector<SweepRange> ranges_;
  std::int64_t points_ = 0;
  std::int64_t strands_ = 0;
  /// Points of a task without reductions, strands of one with them.
  std::int64_t task_size_ = 0;
  std::int64_t tasks_ = 0;
};

}  // namespace gyre::executors::cpu
