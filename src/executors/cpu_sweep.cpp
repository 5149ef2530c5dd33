#include "cpu_sweep.hpp"

#include "cpu_compile.hpp"
#include "gyre/ir/strands.hpp"

#include <algorithm>
#include <limits>

namespace gyre::executors::cpu {
namespace {

// Waking threads for less work than that takes longer than the work.
constexpr std::int64_t least_parallel_cost = 1 << 15;
constexpr std::int64_t cost_of_loop = 4;
constexpr std::int64_t cost_of_fold = 16;

std::int64_t count_points(const std::vector<SweepRange>& ranges) {
  std::int64_t count = 1;
  bool too_many = false;
  for (const SweepRange& range : ranges) {
    if (range.count == 0) return 0;
    too_many |= __builtin_mul_overflow(count, range.count, &count);
  }
  // More points than any run reaches.
  return too_many ? std::numeric_limits<std::int64_t>::max() : count;
}

std::byte* bytes_of(std::vector<std::uint64_t>& words) {
  return reinterpret_cast<std::byte*>(words.data());
}

// Room for `count` partials of either size.
void make_room(std::vector<std::uint64_t>& words, std::int64_t count) {
  const auto need = static_cast<std::size_t>(2 * count);
  if (words.size() < need) words.resize(need);
}

}  // namespace

SweepRun::SweepRun(const plan::Plan& plan, const plan::Kernel& kernel, Shared& shared,
                   std::vector<ReductionState>& reductions, ThreadPool& pool)
    : body_(compile_sweep(plan, kernel)),
      promised_(kernel.sweep->promised),
      shared_(shared),
      reductions_(reductions),
      pool_(pool),
      shares_(pool.threads()),
      workers_(static_cast<std::size_t>(pool.threads())),
      cost_(1 + static_cast<std::int64_t>(body_.code.size()) +
            cost_of_loop * static_cast<std::int64_t>(body_.loops.size()) +
            cost_of_fold * static_cast<std::int64_t>(body_.folds.size())) {}

std::optional<FaultFound> SweepRun::run(const std::vector<SweepRange>& ranges, bool checked) {
  ranges_ = ranges;
  points_ = count_points(ranges_);
  const bool watched = checked && promised_;
  plan_tasks(watched);
  for (Worker& worker : workers_) worker.ran = false;
  const bool alone = watched || tasks_ <= 1 || points_ < least_parallel_cost / cost_;
  shared_.concurrent = !alone;
  if (alone) {
    if (tasks_ != 0) run_alone(watched);
  } else {
    run_together();
  }
  finish_reductions();
  return take_least_fault();
}

void SweepRun::run_alone(bool watched) {
  PromiseWatch watch;
  Worker& worker = prepare(0, watched);
  worker.machine->watch = watched ? &watch : nullptr;
  for (std::int64_t task = 0; task < tasks_; ++task) run_task(worker, task);
  worker.machine->watch = nullptr;
}

void SweepRun::run_together() {
  shares_.deal(tasks_);
  auto job = [this](int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    shares_.work(number, [&](std::int64_t task) {
      if (!worker.ran) prepare(number, false);
      run_task(worker, task);
    });
  };
  pool_.run(job);
}

std::optional<FaultFound> SweepRun::take_least_fault() {
  std::optional<FaultFound> least;
  for (Worker& worker : workers_) {
    if (!worker.ran || !worker.machine->fault()) continue;
    if (!least || *worker.machine->fault() < *least) least = worker.machine->fault();
    worker.machine->clear_fault();
  }
  return least;
}

void SweepRun::plan_tasks(bool watched) {
  constexpr std::int64_t lanes = Machine::max_lanes;
  if (body_.contributions.empty()) {
    task_size_ = watched ? std::max<std::int64_t>(points_, 1) : lanes;
    tasks_ = points_ == 0 ? 0 : (points_ - 1) / task_size_ + 1;
    return;
  }
  strands_ = strands::outer(points_);
  // A watch sees the points in order, and only all strands together meet them so.
  task_size_ = watched ? strands_ : std::min(lanes, strands_);
  const std::int64_t present = std::min(points_, strands_);
  tasks_ = present == 0 ? 0 : (present - 1) / task_size_ + 1;
  for (const Contribution& c : body_.contributions) {
    make_room(reductions_[c.reduction].partials, tasks_);
  }
}

SweepRun::Worker& SweepRun::prepare(int number, bool watched) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  if (!worker.machine) {
    worker.machine = std::make_unique<Machine>(body_, shared_);
    worker.strands.resize(body_.contributions.size());
  }
  for (std::vector<std::uint64_t>& strands : worker.strands) {
    make_room(strands, watched ? task_size_ : std::int64_t{Machine::max_lanes});
  }
  worker.machine->prepare();
  worker.ran = true;
  return worker;
}

void SweepRun::run_task(Worker& worker, std::int64_t task) {
  Machine& machine = *worker.machine;
  const std::int64_t first = task * task_size_;
  if (body_.contributions.empty()) {
    run_points(machine, first, std::min(task_size_, points_ - first),
               [](std::int64_t, std::int64_t, int) {});
    return;
  }
  const std::int64_t present = std::min(task_size_, std::min(points_, strands_) - first);
  for (std::int64_t at = first; at < points_; at += strands_) {
    run_points(machine, at, std::min(present, points_ - at),
               [&](std::int64_t offset, std::int64_t point, int lanes) {
                 take_terms(worker, offset, point, lanes, at != first);
               });
  }
  for (std::size_t i = 0; i < body_.contributions.size(); ++i) {
    ReductionState& reduction = reductions_[body_.contributions[i].reduction];
    const std::size_t size = reduction.table->partial_size;
    std::byte* strands = bytes_of(worker.strands[i]);
    reduction.table->combine(strands, present);
    std::copy_n(strands, size,
                bytes_of(reduction.partials) + static_cast<std::size_t>(task) * size);
  }
}

template <class OnBlock>
void SweepRun::run_points(Machine& machine, std::int64_t first, std::int64_t count,
                          OnBlock on_block) {
  const std::int64_t most = machine.watch != nullptr ? 1 : Machine::max_lanes;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t point = first + done;
    const auto lanes = static_cast<int>(lanes_of_one_run(point, std::min(most, count - done)));
    if (machine.watch != nullptr) machine.watch->start_point(point);
    set_indices(machine, point, lanes);
    start_terms(machine);
    machine.run_block(lanes, point);
    on_block(done, point, lanes);
    done += lanes;
  }
}

// Of the innermost range; where its runs are short, a block takes in several.
std::int64_t SweepRun::lanes_of_one_run(std::int64_t point, std::int64_t lanes) const {
  if (ranges_.size() < 2) return lanes;
  const std::int64_t run = ranges_.back().count;
  return run < Machine::max_lanes / 4 ? lanes : std::min(lanes, run - point % run);
}

void SweepRun::set_indices(Machine& machine, std::int64_t point, int lanes) const {
  for (std::size_t d = 0; d < ranges_.size(); ++d) {
    if (body_.registers[body_.indices[d]].type == ir::ScalarType::I32) {
      set_index<std::int32_t>(machine, d, point, lanes);
    } else {
      set_index<std::int64_t>(machine, d, point, lanes);
    }
  }
}

template <class I>
void SweepRun::set_index(Machine& machine, std::size_t d, std::int64_t point, int lanes) const {
  const RegId index = body_.indices[d];
  const SweepRange& range = ranges_[d];
  std::int64_t inner = 1;
  for (std::size_t e = d + 1; e < ranges_.size(); ++e) inner *= ranges_[e].count;
  std::int64_t position = point / inner % range.count;
  std::int64_t round = point % inner;
  const auto at = [&](std::int64_t p) { return range.begin + p * range.step; };
  if (inner == 1 && position + lanes <= range.count) {
    return machine.set_sequence(index, at(position), range.step);
  }
  if (round + lanes <= inner) return machine.set_value(index, static_cast<I>(at(position)));
  I* out = machine.storage<I>(index);
  for (int i = 0; i < lanes; ++i) {
    out[i] = static_cast<I>(at(position));
    if (++round < inner) continue;
    round = 0;
    if (++position == range.count) position = 0;
  }
  machine.set_vector(index);
}

void SweepRun::start_terms(Machine& machine) const {
  for (const Contribution& c : body_.contributions) {
    reductions_[c.reduction].table->neutral(machine.storage<std::byte>(c.term));
    machine.set_uniform(c.term);
    if (c.reached != no_register) machine.set_value(c.reached, false);
  }
}

void SweepRun::take_terms(Worker& worker, std::int64_t at, std::int64_t point, int lanes,
                          bool add) const {
  const SweepRange range = ranges_.empty() ? SweepRange{} : ranges_.back();
  for (std::size_t i = 0; i < body_.contributions.size(); ++i) {
    const RegId term = body_.contributions[i].term;
    const FoldTable& table = *reductions_[body_.contributions[i].reduction].table;
    std::byte* strands =
        bytes_of(worker.strands[i]) + static_cast<std::size_t>(at) * table.partial_size;
    ir::dispatch(table.type, [&](auto zero) {
      const auto terms = worker.machine->operand<decltype(zero)>(term, worker.machine->root());
      table.take(strands, terms.data, terms.stride, lanes, add,
                 {range.begin + point * range.step, range.step});
    });
  }
}

void SweepRun::finish_reductions() {
  for (const Contribution& c : body_.contributions) {
    ReductionState& reduction = reductions_[c.reduction];
    if (points_ == 0) {
      reduction.table->finish_empty(&reduction.value);
    } else {
      reduction.table->combine(reduction.partials.data(), tasks_);
      reduction.table->finish(reduction.partials.data(), &reduction.value);
    }
  }
}

}  // namespace gyre::executors::cpu
