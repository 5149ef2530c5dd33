#include "cpu_kernel.hpp"

#include "cpu_compile.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/plan/accesses.hpp"

#include <array>
#include <cstring>

namespace gyre::executors::cpu {
namespace {

RunEnding ending_of(const FaultFound& found) {
  RunEnding ending{found.ending.status, "", 0, found.region, found.ending.kind, ""};
  ending.detail = found.ending.detail;
  return ending;
}

RunEnding zero_step_in(const std::string& region) {
  RunEnding ending{ir::Status::Fault, "", 0, region, ir::FaultKind::ZeroStep, ""};
  ending.detail = zero_step().detail;
  return ending;
}

}  // namespace

ScalarCode::ScalarCode(const plan::Plan& plan, std::span<const ir::Expr> values,
                       const std::string& region, Shared& shared)
    : body_(compile_scalars(plan, values, region)),
      machine_(std::make_unique<Machine>(body_, shared, 1)) {}

std::optional<RunEnding> ScalarCode::run() {
  machine_->prepare();
  machine_->run_block(1, 0);
  if (!machine_->fault()) return std::nullopt;
  const RunEnding ending = ending_of(*machine_->fault());
  machine_->clear_fault();
  return ending;
}

std::int64_t ScalarCode::integer(std::size_t number) const {
  return machine_->integer_at(body_.results[number], 0);
}

std::uint64_t ScalarCode::bytes(std::size_t number) const {
  const RegId id = body_.results[number];
  const ir::ScalarType type = body_.registers[id].type;
  std::uint64_t bytes = 0;
  const Register& reg = machine_->reg(id);
  if (reg.form != Form::Sequence) {
    std::memcpy(&bytes, reg.data, ir::size_of(type));
  } else if (type == ir::ScalarType::I32) {
    const auto value = static_cast<std::int32_t>(reg.first);
    std::memcpy(&bytes, &value, sizeof value);
  } else {
    std::memcpy(&bytes, &reg.first, sizeof reg.first);
  }
  return bytes;
}

KernelRun::KernelRun(const plan::Plan& plan, const plan::Kernel& kernel, Shared& shared,
                     Cells& cells, std::vector<ReductionState>& reductions, RegionCounts& counts,
                     ThreadPool& pool)
    : kernel_(kernel), shared_(shared), cells_(cells), reductions_(reductions), counts_(counts) {
  const auto compile = [&](const ir::Expr& value, const std::string& region) {
    return value ? std::make_unique<ScalarCode>(plan, std::span(&value, 1), region, shared)
                 : nullptr;
  };
  const auto add = [&](const plan::ScalarStep& step, std::vector<Step>& steps) {
    const std::string& region = step.region.empty() ? kernel.region : step.region;
    steps.push_back({step, compile(plan::value_of(step), region)});
  };
  for (const plan::ScalarStep& step : kernel.prologue) add(step, prologue_);
  for (const plan::ScalarStep& step : kernel.epilogue) add(step, epilogue_);
  if (!kernel.sweep) return;
  for (const ir::Range& range : kernel.sweep->ranges) {
    for (const ir::Expr& value : {range.begin, range.end, range.step}) {
      bounds_.push_back(compile(value, kernel.region));
    }
  }
  ranges_.resize(kernel.sweep->ranges.size());
  sweep_.emplace(plan, kernel, shared, reductions, pool);
}

std::optional<RunEnding> KernelRun::run(bool checked) {
  const auto current = [&](ir::SymbolId id) -> std::uint64_t& {
    return shared_.current[static_cast<std::size_t>(id)];
  };
  for (const plan::Cell& cell : kernel_.reads) current(cell.slot) = cells_[cell];
  for (const plan::Cell& cell : kernel_.epilogue_reads) current(cell.slot) = cells_[cell];
  if (auto ending = run_steps(prologue_)) return ending;
  if (sweep_) {
    if (auto ending = read_ranges()) return ending;
    if (const auto fault = sweep_->run(ranges_, checked)) return ending_of(*fault);
    if (auto ending = run_steps(epilogue_)) return ending;
  }
  for (const plan::Cell& cell : kernel_.writes) cells_[cell] = current(cell.slot);
  for (const ir::SymbolId slot : kernel_.shadows) {
    cells_[{slot, plan::Version::Shadow}] = cells_[{slot, plan::Version::Home}];
  }
  return std::nullopt;
}

std::optional<RunEnding> KernelRun::run_steps(std::vector<Step>& steps) {
  for (Step& step : steps) {
    if (auto ending = run_step(step)) return ending;
  }
  return std::nullopt;
}

std::optional<RunEnding> KernelRun::run_step(Step& one) {
  const plan::ScalarStep& step = one.step;
  const std::string& region = step.region.empty() ? kernel_.region : step.region;
  ScalarCode* code = one.code.get();
  if (code != nullptr) {
    if (auto ending = code->run()) return ending;
  }
  if (const auto* compute = std::get_if<plan::Compute>(&step.kind)) {
    shared_.current[static_cast<std::size_t>(compute->slot)] = code->bytes(0);
  } else if (const auto* finish = std::get_if<plan::Finish>(&step.kind)) {
    shared_.current[static_cast<std::size_t>(finish->slot)] = reductions_[finish->reduction].value;
  } else if (std::holds_alternative<plan::CountArm>(step.kind)) {
    counts_.count_arm(step.region, static_cast<std::size_t>(code->integer(0)));
  } else if (const auto* stop = std::get_if<plan::RecordStop>(&step.kind)) {
    const bool stops =
        !stop->condition || shared_.current[static_cast<std::size_t>(*stop->condition)] != 0;
    if (!stops) return std::nullopt;
    return RunEnding{ir::Status::Stopped, stop->label, code == nullptr ? 0 : code->integer(0), "",
                     ir::FaultKind::None, ""};
  } else if (std::holds_alternative<plan::CountTrips>(step.kind)) {
    if (std::uint64_t* trips = counts_.trips(step.region)) {
      *trips += static_cast<std::uint64_t>(code->integer(0));
    }
  } else if (code->integer(0) == 0) {
    return zero_step_in(region);
  }
  return std::nullopt;
}

std::optional<RunEnding> KernelRun::read_ranges() {
  for (std::size_t d = 0; d < ranges_.size(); ++d) {
    std::array<std::int64_t, 3> values = {0, 0, 1};
    for (std::size_t i = 0; i < values.size(); ++i) {
      ScalarCode* code = bounds_[3 * d + i].get();
      if (code == nullptr) continue;
      if (auto ending = code->run()) return ending;
      values.at(i) = code->integer(0);
    }
    if (values[2] == 0) return zero_step_in(kernel_.region);
    ranges_[d] = {values[0], values[2],
                  static_cast<std::int64_t>(ops::range_extent(values[0], values[1], values[2]))};
  }
  return std::nullopt;
}

}  // namespace gyre::executors::cpu
