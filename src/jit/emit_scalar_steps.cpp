// The scalar work of a kernel, before its sweep and behind it.
#include "emit_kernel.hpp"
#include "emit_text.hpp"

#include <algorithm>

namespace gyre::jit {

void EmitKernel::prologue() {
  for (std::size_t i = 0; i < kernel_->prologue.size(); ++i) {
    if (!early_steps_.contains(i)) step(kernel_->prologue[i]);
  }
  const auto is_early = [&](ir::SymbolId slot) { return !late_slots_.contains(slot); };
  const bool stores = std::any_of(kernel_->writes.begin(), kernel_->writes.end(),
                                  [&](const plan::Cell& cell) { return is_early(cell.slot); }) ||
                      std::any_of(kernel_->shadows.begin(), kernel_->shadows.end(), is_early);
  if (stores) store_early_slots();
}

void EmitKernel::store_early_slots() {
  line("if (" + std::string(first_thread) + ") {");
  ++depth_;
  store_slots(false);
  --depth_;
  line("}");
}

// By a whole block, whose threads share the folds, or by the thread that has what it needs.
void EmitKernel::epilogue(DutyNodes duty_nodes, Duties duties) {
  const bool by_one = !late_.empty();
  line(kernel_->last_block      ? "if (gyre::is_last_block(state)) {"
       : has_block_of_epilogue_ ? "if (does_epilogue) {"
       : by_one                 ? "if (" + std::string(first_thread) + ") {"
                                : "if (blockIdx.x == 0) {");
  ++depth_;
  if (reads_in_epilogue()) read_for_decisions(duty_nodes, duties, false);
  take_late();
  for (const plan::ScalarStep& one : kernel_->epilogue) step(one);
  if (!by_one) {
    line("if (threadIdx.x == 0) {");
    ++depth_;
  }
  store_slots(true);
  do_duties(duty_nodes, duties);
  if (!by_one) {
    --depth_;
    line("}");
  }
  --depth_;
  line("}");
}

void EmitKernel::store_slots(bool late) {
  const auto store = [&](const plan::Cell& cell) {
    if (late_slots_.contains(cell.slot) != late) return;
    line(stored_cell(cell, expr_.name(cell.slot)));
  };
  for (const plan::Cell& cell : kernel_->writes) store(cell);
  for (const ir::SymbolId slot : kernel_->shadows) store({slot, plan::Version::Shadow});
}

void EmitKernel::step(const plan::ScalarStep& step) {
  const InRegion inside(*this, step.region);
  begin_statement();
  const auto assign = [&](ir::SymbolId slot, const std::string& value) {
    const bool first = declared_.insert(slot).second;
    run((first ? cpp_type(context_.plan[slot].type) + " " : "") + expr_.name(slot) + " = " + value +
        ";");
  };
  if (const auto* compute = std::get_if<plan::Compute>(&step.kind)) {
    assign(compute->slot, expr_.whole(compute->value));
  } else if (const auto* finish = std::get_if<plan::Finish>(&step.kind)) {
    assign(finish->slot, finished(finish->reduction));
  } else if (const auto* stop = std::get_if<plan::RecordStop>(&step.kind)) {
    const std::string code = stop->code ? expr_.whole(stop->code) : "0";
    if (stop->condition) {
      line("if (" + expr_.name(*stop->condition) + ") {");
      ++depth_;
    }
    this->stop(context_.names.number(stop->label), code);
    if (stop->condition) {
      --depth_;
      line("}");
    }
  } else if (const auto* counted = std::get_if<plan::CountArm>(&step.kind)) {
    count_arm(context_.layout.counter(step.region), expr_.whole(counted->arm));
  } else if (const auto* check = std::get_if<plan::CheckStep>(&step.kind)) {
    const std::string value = expr_.whole(check->step);
    mark_place();
    line("if (gyre::is_zero_step(here, " + expr_.next_access() + ", " + value + ")) return;");
  } else {
    const auto& trips = std::get<plan::CountTrips>(step.kind);
    count(number(context_.layout.counter(step.region)), expr_.whole(trips.trips));
  }
}

void EmitKernel::count_arm(std::uint32_t counter, const std::string& arm) {
  const std::string name = "arm" + number(statement_);
  line("const int " + name + " = " + arm + ";");
  line("if (" + name + " < 2) {");
  ++depth_;
  count(number(counter) + " + 8 * " + name, "1");
  --depth_;
  line("}");
}

// A variable of the kernel serves where the work cannot have ended before it was computed.
std::string EmitKernel::cell_value(ir::SymbolId slot) {
  if (!context_.may_end && declared_.contains(slot)) return expr_.name(slot);
  return "gyre::load_cell<" + cpp_type(context_.plan[slot].type) + ">(state, " +
         number(context_.layout.cell({slot})) + ")";
}

std::string EmitKernel::loaded_cell(const plan::Cell& cell) {
  return "gyre::load_cell<" + cpp_type(context_.plan[cell.slot].type) + ">(state, " +
         number(context_.layout.cell(cell)) + ")";
}

std::string EmitKernel::stored_cell(const plan::Cell& cell, const std::string& value) {
  return "gyre::store_cell(state, " + number(context_.layout.cell(cell)) + ", " + value + ");";
}

std::string EmitKernel::finished(std::uint32_t reduction) {
  // Those that this kernel left itself are there only now.
  const std::string read = early_partials_.contains(reduction)
                               ? "partials" + number(reduction)
                               : "state, " + number(context_.layout.partials(reduction));
  return "gyre::finish<" + fold_of(reduction) + ", " + number(folds_++) + ">(" + read + ")";
}

void EmitKernel::stop(std::uint32_t label, const std::string& code) {
  run("if (threadIdx.x == 0) gyre::end_stopped(state, " + number(label) + ", " + code + ");");
}

void EmitKernel::count(const std::string& counter, const std::string& more) {
  run("if (threadIdx.x == 0) gyre::count(state, " + counter + ", " + more + ");");
}

std::string EmitKernel::fold_of(std::uint32_t reduction) const {
  const plan::Reduction& one = context_.plan.reductions[reduction];
  return cpp_fold(one.op, one.type);
}

}  // namespace gyre::jit
