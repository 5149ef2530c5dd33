#include "emit_kernel.hpp"

#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>
#include <utility>

namespace gyre::jit {

std::string EmitKernel::operator()(const plan::Kernel* kernel, std::uint32_t kernel_number,
                                   const std::vector<const plan::Node*>& duty_nodes,
                                   const std::vector<Duty>& duties, const plan::WhileNode* ahead_in,
                                   EmittedKernel& emitted) {
  kernel_ = kernel;
  number_ = kernel_number;
  if (ahead_in != nullptr) {
    const std::uint32_t loop = context_.layout.loop(context_.loop_numbers.at(ahead_in));
    line("if (!gyre::goes_on(state, " + number(loop) + ")) return;");
  }
  if (kernel != nullptr) region_ = &kernel->region;
  expr_.buffer_numbers = &buffer_numbers_;
  if (kernel != nullptr) {
    // What may end early is a lambda: its duties come after it, whether it ended or not.
    const bool guarded = context_.may_end;
    if (guarded) {
      line("if (!gyre::ended(state, " + number(number_) + ")) [&] {");
      ++depth_;
    }
    if (needs_here()) {
      line("gyre::Here here{" + number(number_) + ", " +
           number(context_.names.number(kernel->region)) + ", 0, gyre::scalar_work};");
    }
    if (context_.options.checked) line("bool bad = false;");
    prologue(*kernel);
    if (kernel->sweep) sweep(*kernel->sweep);
    if (guarded) {
      --depth_;
      line("}();");
    }
  }
  for (std::size_t i = 0; i < duties.size(); ++i) duty(*duty_nodes[i], duties[i]);

  std::string head = "extern \"C\" __global__ void __launch_bounds__(" + number(emitted.threads) +
                     ")\n" + emitted.name + "(gyre::State state";
  for (const ir::SymbolId buffer : expr_.buffers()) {
    emitted.parameters.push_back({Parameter::Kind::Buffer, buffer, 0});
    head += std::string(", ") + (stored_.contains(buffer) ? "" : "const ") +
            cpp_storage(context_.plan[buffer].type) + "* __restrict__ " + expr_.name(buffer);
  }
  for (const ir::SymbolId size : expr_.sizes()) {
    emitted.parameters.push_back({Parameter::Kind::Size, size, 0});
    head += ", long long " + expr_.name(size);
  }
  for (std::size_t i = 0; i < duties.size(); ++i) {
    const Duty& duty = duties[i];
    if (!takes_decision(*duty_nodes[i], duty)) continue;
    emitted.parameters.push_back({Parameter::Kind::Decision, {}, duty.node});
    head += ", unsigned long long decision" + number(duty.node);
  }
  return "// " + emitted.region + "\n" + head + ") {\n" + body_ + "}\n";
}

bool EmitKernel::needs_here() const {
  if (context_.options.checked) return true;
  if (kernel_ == nullptr) return false;
  for (const plan::ScalarStep& one : kernel_->prologue) {
    if (std::holds_alternative<plan::CheckStep>(one.kind)) return true;
  }
  if (!kernel_->sweep) return false;
  bool loops = std::any_of(kernel_->sweep->ranges.begin(), kernel_->sweep->ranges.end(),
                           [](const ir::Range& range) { return range.step != nullptr; });
  plan::for_each_statement(kernel_->sweep->body, [&](const plan::Statement& statement) {
    loops = loops || std::holds_alternative<plan::Repeat>(statement.kind) ||
            std::holds_alternative<plan::RepeatOver>(statement.kind);
  });
  return loops;
}

std::string EmitKernel::expression(const ir::Expr& expr) {
  std::string text = expr_(expr);
  return text;
}

std::string EmitKernel::cell_value(ir::SymbolId slot) {
  return "gyre::load_cell<" + cpp_type(context_.plan[slot].type) + ">(state, " +
         number(context_.layout.cell({slot})) + ")";
}

void EmitKernel::begin_statement() {
  expr_.begin_statement();
  ++statement_;
  if (context_.options.checked) mark_place();
}

void EmitKernel::mark_place() {
  line("here.statement = " + number(statement_) + ";");
  line("here.region = " + number(context_.names.number(*region_)) + ";");
}

void EmitKernel::stop_if_bad() {
  if (context_.options.checked) line("if (bad) return;");
}

void EmitKernel::prologue(const plan::Kernel& kernel) {
  for (const plan::Cell& cell : kernel.reads) {
    const std::string type = cpp_type(context_.plan[cell.slot].type);
    line(type + " " + expr_.name(cell.slot) + " = gyre::load_cell<" + type + ">(state, " +
         number(context_.layout.cell(cell)) + ");");
    declared_.insert(cell.slot);
  }
  for (const plan::ScalarStep& one : kernel.prologue) step(one);
  if (kernel.writes.empty() && kernel.shadows.empty()) return;
  line("if (blockIdx.x == 0 && threadIdx.x == 0) {");
  ++depth_;
  const auto store = [&](const plan::Cell& cell) {
    line("gyre::store_cell(state, " + number(context_.layout.cell(cell)) + ", " +
         expr_.name(cell.slot) + ");");
  };
  for (const plan::Cell& cell : kernel.writes) store(cell);
  for (const ir::SymbolId slot : kernel.shadows) store({slot, plan::Version::Shadow});
  --depth_;
  line("}");
}

void EmitKernel::step(const plan::ScalarStep& step) {
  const InRegion inside(*this, step.region);
  begin_statement();
  if (std::holds_alternative<plan::CheckStep>(step.kind)) mark_place();
  const auto assign = [&](ir::SymbolId slot, const std::string& value) {
    const bool first = declared_.insert(slot).second;
    line((first ? cpp_type(context_.plan[slot].type) + " " : "") + expr_.name(slot) + " = " +
         value + ";");
  };
  if (const auto* compute = std::get_if<plan::Compute>(&step.kind)) {
    assign(compute->slot, expression(compute->value));
  } else if (const auto* finish = std::get_if<plan::Finish>(&step.kind)) {
    const plan::Reduction& reduction = context_.plan.reductions[finish->reduction];
    assign(finish->slot, "gyre::finish<" + cpp_fold(reduction.op, reduction.type) + ", " +
                             number(folds_++) + ">(state, " +
                             number(context_.layout.partials(finish->reduction)) + ")");
  } else if (const auto* stop = std::get_if<plan::RecordStop>(&step.kind)) {
    const std::string code = stop->code ? expression(stop->code) : "0";
    line("if (threadIdx.x == 0) gyre::end_stopped(state, " +
         number(context_.names.number(stop->label)) + ", " + code + ");");
  } else if (const auto* check = std::get_if<plan::CheckStep>(&step.kind)) {
    line("if (" + expression(check->step) + " == 0) {");
    line("  gyre::report_zero_step(state, here);");
    line("  return;");
    line("}");
  } else {
    const auto& trips = std::get<plan::CountTrips>(step.kind);
    line("if (threadIdx.x == 0) gyre::count(state, " +
         number(context_.layout.counter(step.region)) + ", " + expression(trips.trips) + ");");
  }
  stop_if_bad();
}

void EmitKernel::sweep(const plan::Sweep& sweep) {
  begin_statement();
  if (needs_here()) mark_place();
  std::string points = "1";
  for (std::size_t i = 0; i < sweep.ranges.size(); ++i) {
    const ir::Range& range = sweep.ranges[i];
    const std::string at = number(i);
    line("const long long begin" + at + " = " + expression(range.begin) + ", step" + at + " = " +
         (range.step ? expression(range.step) : "1") + ";");
    if (range.step) {
      line("if (step" + at + " == 0) {");
      line("  gyre::report_zero_step(state, here);");
      line("  return;");
      line("}");
    }
    line("const long long extent" + at + " = static_cast<long long>(gyre::ops::range_extent(begin" +
         at + ", " + expression(range.end) + ", step" + at + "));");
    points = i == 0 ? "extent0" : points + " * extent" + at;
  }
  line("const long long points = " + points + ";");
  this->points(sweep);
}

void EmitKernel::points(const plan::Sweep& sweep) {
  // Which reductions the body feeds, in order.
  std::vector<std::uint32_t> fed;
  plan::for_each_statement(sweep.body, [&](const plan::Statement& statement) {
    const auto* contribute = std::get_if<plan::Contribute>(&statement.kind);
    if (contribute != nullptr) fed.push_back(contribute->reduction);
  });
  const auto fold = [&](std::uint32_t reduction) {
    const plan::Reduction& one = context_.plan.reductions[reduction];
    return cpp_fold(one.op, one.type);
  };
  for (const std::uint32_t reduction : fed) {
    line("gyre::Strand<" + fold(reduction) + "> strand" + number(reduction) + ";");
  }
  line("for (long long point = gyre::first_point(); point < points; point += gyre::next_point) {");
  ++depth_;
  std::string rest = "point";
  if (sweep.ranges.size() > 1) line("long long rest = point;");
  for (std::size_t i = sweep.ranges.size(); i-- > 0;) {
    const std::string at = number(i);
    const std::string type = cpp_type(context_.plan[sweep.ranges[i].index].type);
    const std::string part = sweep.ranges.size() == 1 ? "point" : "rest % extent" + at;
    line("const " + type + " " + expr_.name(sweep.ranges[i].index) + " = static_cast<" + type +
         ">(begin" + at + " + " + part + " * step" + at + ");");
    if (sweep.ranges.size() > 1 && i > 0) line("rest /= extent" + at + ";");
  }
  for (const std::uint32_t reduction : fed) {
    line(fold(reduction) + "::Term term" + number(reduction) + "{};");
  }
  if (needs_here()) {
    line("here.point = point;");
    if (context_.options.checked) line("bad = false;");
    line("[&] {");
    ++depth_;
  }
  statements(sweep.body);
  if (needs_here()) {
    --depth_;
    line("}();");
  }
  for (const std::uint32_t reduction : fed) {
    const std::string index = sweep.ranges.empty() ? "0" : "begin0 + point * step0";
    line("strand" + number(reduction) + ".add(term" + number(reduction) + ", " + index + ");");
  }
  --depth_;
  line("}");
  for (const std::uint32_t reduction : fed) {
    line("gyre::leave_partial<" + number(folds_++) + ">(state, " +
         number(context_.layout.partials(reduction)) + ", strand" + number(reduction) +
         ", points);");
  }
}

}  // namespace gyre::jit
