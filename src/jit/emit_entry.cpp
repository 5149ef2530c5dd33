#include "emit_kernel.hpp"
#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>
#include <utility>

namespace gyre::jit {

// All that is known to be read is read first, so that the loads wait for each other's memory and
// not for each other.
void EmitKernel::entry(DutyNodes duty_nodes, Duties duties, bool begins) {
  line("gyre::follow();");
  if (kernel_ == nullptr || !kernel_->sweep) line("gyre::let_next_start();");
  if (begins) {
    early_steps();
    line("gyre::begin(state, letters(), requests, places, request_bytes);");
    line("__syncthreads();");
    // The rest is for one warp: others might read what it has changed.
    line("if (threadIdx.x >= 32) return;");
  }
  if (kernel_ != nullptr) {
    load_cells(kernel_->reads);
    read_partials();
  }
  if (brings_late(duties)) {
    bring_late(duty_nodes, duties);
  } else if (!reads_in_epilogue()) {
    read_for_decisions(duty_nodes, duties, begins);
  }
  if (standing_.guarded) leave_unless_on(duty_nodes, duties);
  // Where kernels may fault all their work stands within a test of the same (work).
  if (standing_.follows_loop && kernel_ != nullptr && !context_.may_end) {
    leave_if_over(duty_nodes, duties);
  }
}

void EmitKernel::leave_unless_on(DutyNodes duty_nodes, Duties duties) {
  if (duties.empty()) return line("if (!gyre::is_on(state, guard)) return;");
  line("if (!gyre::is_on(state, guard)) {");
  ++depth_;
  line("if (" + std::string(first_thread) + ") {");
  ++depth_;
  for (std::size_t i = 0; i < duties.size(); ++i) hand_on_nothing(*duty_nodes[i], duties[i]);
  --depth_;
  line("}");
  line("return;");
  --depth_;
  line("}");
}

// Decisions know by themselves that the launch is over. What they read stands in memory only.
void EmitKernel::leave_if_over(DutyNodes duty_nodes, Duties duties) {
  std::vector<std::string> arguments = {"state"};
  for (const plan::Node* node : duty_nodes) {
    const auto* loop = std::get_if<plan::WhileNode>(node);
    if (loop != nullptr) arguments.push_back(number(context_.names.number(loop->region)) + "u");
  }
  const std::string is_over = call("gyre::is_over", arguments);
  if (duties.empty()) return line("if (" + is_over + ") return;");
  line("if (" + is_over + ") {");
  ++depth_;
  // By the block that decides else: others may have looked before it did.
  line(has_block_of_epilogue_ ? "if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) {"
                              : "if (" + std::string(first_thread) + ") {");
  ++depth_;
  const auto declared = std::exchange(declared_, {});
  const bool looks_late = std::exchange(looks_late_, true);
  do_duties(duty_nodes, duties);
  declared_ = declared;
  looks_late_ = looks_late;
  --depth_;
  line("}");
  line("return;");
  --depth_;
  line("}");
}

// What knows nothing of the launch is computed while the launch begins.
void EmitKernel::early_steps() {
  if (kernel_ == nullptr || checked_ || context_.may_end) return;
  plan::Symbols later;
  plan::Symbols early;
  for (std::size_t i = 0; i < kernel_->prologue.size(); ++i) {
    const plan::ScalarStep& one = kernel_->prologue[i];
    plan::SlotUse use;
    use.add(context_.plan, one);
    const bool reads_early =
        std::includes(early.begin(), early.end(), use.read.begin(), use.read.end());
    const bool overtakes = plan::meet(use.computed, later) || plan::meet(use.read, later);
    if (std::holds_alternative<plan::Compute>(one.kind) && reads_early && !overtakes) {
      step(one);
      early_steps_.insert(i);
      early.insert(use.computed.begin(), use.computed.end());
    } else {
      later.insert(use.computed.begin(), use.computed.end());
      later.insert(use.read.begin(), use.read.end());
    }
  }
}

bool EmitKernel::reads_in_epilogue() const {
  return kernel_ != nullptr && (kernel_->last_block || has_block_of_epilogue_);
}

// What only the end of the kernel needs. The block that ends last reads it there, beside the
// partials that it waits for, and so does one that runs no points: kept from the entry on, it would
// cost every thread registers.
void EmitKernel::read_for_decisions(DutyNodes duty_nodes, Duties duties, bool begins) {
  if (kernel_ != nullptr) load_cells(kernel_->epilogue_reads);
  for (std::size_t i = 0; i < duties.size(); ++i) {
    if (!looks_late_) look_at_launch(*duty_nodes[i], duties[i], begins);
  }
}

// One thread of a large grid needs it: that one brings it to shared memory, and no thread has
// registers less for its sweep.
bool EmitKernel::brings_late(Duties duties) const {
  const auto finishes = [](const plan::ScalarStep& step) {
    return std::holds_alternative<plan::Finish>(step.kind);
  };
  return kernel_ != nullptr && kernel_->sweep && !kernel_->last_block && !context_.may_end &&
         !(duties.empty() && kernel_->epilogue_reads.empty()) &&
         std::none_of(kernel_->epilogue.begin(), kernel_->epilogue.end(), finishes);
}

void EmitKernel::bring_late(DutyNodes duty_nodes, Duties duties) {
  std::vector<std::string> cells;
  for (const plan::Cell& cell : kernel_->epilogue_reads) {
    const std::string type = cpp_type(context_.plan[cell.slot].type);
    late_.push_back(type + " " + expr_.name(cell.slot) + " = late.cell<" + type + ">(" +
                    number(cells.size()) + ");");
    cells.push_back(number(context_.layout.cell(cell)));
    declared_.insert(cell.slot);
  }
  std::vector<std::string> loops;
  for (std::size_t i = 0; i < duties.size(); ++i) {
    const std::string node = number(duties[i].node);
    if (const auto* loop = std::get_if<plan::WhileNode>(duty_nodes[i])) {
      late_.push_back("const gyre::LoopView loop" + node + " = late.look_at_loop(" +
                      number(loops.size()) + ");");
      loops.push_back(number(context_.layout.loop(context_.loop_numbers.at(loop))));
    } else if (!std::holds_alternative<plan::ForkNode>(*duty_nodes[i])) {
      late_.push_back("const bool runs" + node + " = late.runs();");
    }
  }
  line("__shared__ gyre::Late<gyre::Offsets<" + joined(cells) + ">, gyre::Offsets<" +
       joined(loops) + ">> late;");
  line("if (" + std::string(first_thread) + ") late.begin(state);");
}

void EmitKernel::take_late() {
  if (late_.empty()) return;
  line("late.wait();");
  for (const std::string& declaration : late_) line(declaration);
}

void EmitKernel::load_cells(const std::vector<plan::Cell>& cells) {
  for (const plan::Cell& cell : cells) {
    line(cpp_type(context_.plan[cell.slot].type) + " " + expr_.name(cell.slot) + " = " +
         loaded_cell(cell) + ";");
    declared_.insert(cell.slot);
  }
}

void EmitKernel::read_partials() {
  for (const plan::ScalarStep& one : kernel_->prologue) {
    const auto* finish = std::get_if<plan::Finish>(&one.kind);
    if (finish == nullptr) continue;
    early_partials_.insert(finish->reduction);
    line("const auto partials" + number(finish->reduction) + " = gyre::read_partials<" +
         fold_of(finish->reduction) + ">(state, " +
         number(context_.layout.partials(finish->reduction)) + ");");
  }
}

}  // namespace gyre::jit
