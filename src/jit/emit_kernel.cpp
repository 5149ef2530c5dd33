#include "emit_kernel.hpp"

#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/teams.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

// The epilogue waits for what a kernel before has left, and takes about as long as the sweep.
bool waits_in_epilogue(const plan::Kernel& kernel) {
  return kernel.sweep && !kernel.last_block &&
         std::any_of(kernel.epilogue.begin(), kernel.epilogue.end(), [](const auto& step) {
           return std::holds_alternative<plan::Finish>(step.kind);
         });
}

}  // namespace

bool has_long_form(const plan::Kernel& kernel, const EmitOptions& options) {
  if (!kernel.sweep || options.checked || needs_checks(kernel)) return false;
  return plan::is_run_by_team(*kernel.sweep) ||
         (!points_may_fail(*kernel.sweep) && plan::folds_within_points(*kernel.sweep));
}

EmitKernel::EmitKernel(ModuleContext& context, const plan::Kernel* kernel, std::uint32_t number,
                       FoldForm form)
    : EmitKernel(context, kernel, number, nullptr, form) {}

EmitKernel::EmitKernel(ModuleContext& context, const plan::Kernel* kernel, std::uint32_t number,
                       EmitExpr* shared, FoldForm form)
    : context_(context),
      kernel_(kernel),
      number_(number),
      checked_(kernel != nullptr && (context.options.checked || needs_checks(*kernel))),
      points_end_early_(kernel != nullptr && kernel->sweep &&
                        (checked_ || points_may_fail(*kernel->sweep))),
      form_(form),
      is_run_by_team_(kernel != nullptr && shared == nullptr &&
                      has_long_form(*kernel, context.options) &&
                      plan::is_run_by_team(*kernel->sweep)),
      shares_points_(is_run_by_team_ || (form == FoldForm::Long &&
                                         plan::may_share_points(context.plan, *kernel->sweep))),
      own_expr_(context.plan, checked_,
                shares_points_            ? Folds::Shared
                : form == FoldForm::Short ? Folds::Short
                                          : Folds::Long),
      expr_(shared == nullptr ? own_expr_ : *shared),
      watched_(kernel != nullptr && context.options.checked ? watched_buffers(*kernel)
                                                            : std::set<ir::SymbolId>()),
      region_(kernel != nullptr ? &kernel->region : nullptr) {
  if (kernel == nullptr) return;
  if (shares_points_) met_ = plan::met_by_team(context.plan, *kernel->sweep);
  plan::Accesses late;
  for (const plan::ScalarStep& one : kernel->epilogue) {
    if (const auto slot = plan::slot_of(one)) late_slots_.insert(*slot);
    plan::add_reads(context.plan, plan::value_of(one), late);
  }
  late_loads_ = std::move(late.loads);
}

std::string EmitKernel::operator()(const std::vector<const plan::Node*>& duty_nodes,
                                   const std::vector<Duty>& duties, Standing standing,
                                   EmittedKernel& emitted) {
  standing_ = standing;
  has_block_of_epilogue_ = kernel_ != nullptr && waits_in_epilogue(*kernel_);
  emitted.has_block_of_epilogue = has_block_of_epilogue_;
  // What an arm met is known behind its fork alone.
  looks_late_ = context_.may_end || std::any_of(duties.begin(), duties.end(), [](const Duty& duty) {
                  return duty.kind == Duty::Kind::JoinFork;
                });
  entry(duty_nodes, duties, emitted.begins);
  if (kernel_ != nullptr) work(duty_nodes, duties);
  const bool has_epilogue = kernel_ != nullptr && !kernel_->epilogue.empty();
  if (!has_epilogue && !duties.empty()) {
    line("if (" + std::string(first_thread) + ") {");
    ++depth_;
    take_late();
    do_duties(duty_nodes, duties);
    --depth_;
    line("}");
  }
  const std::string checks = views();
  return "// " + emitted.region + "\n" + head(duty_nodes, duties, emitted) + checks + body_ + "}\n";
}

void EmitKernel::work(DutyNodes duty_nodes, Duties duties) {
  // What may end early is a lambda: its duties come after it, whether it ended or not.
  if (context_.may_end) {
    line("if (!gyre::ended(state, " + number(number_) + ")) [&] {");
    ++depth_;
  }
  if (checked_ || may_fault(*kernel_)) line("gyre::Here here{state, " + number(number_) + "};");
  prologue();
  if (kernel_->sweep) sweep(*kernel_->sweep);
  if (!kernel_->epilogue.empty()) epilogue(duty_nodes, duties);
  if (context_.may_end) {
    --depth_;
    line("}();");
  }
  for (const ir::SymbolId buffer : watched_) line(expr_.view(buffer) + ".end_sweep();");
}

void EmitKernel::begin_statement() {
  expr_.begin_statement();
  ++statement_;
}

void EmitKernel::mark_place() {
  line("here.move_to(" + number(statement_) + ", " + number(context_.names.number(*region_)) +
       ");");
}

void EmitKernel::run(const std::string& text) {
  const bool may_fail = checked_ && expr_.has_accessed();
  if (may_fail) mark_place();
  line(text);
  if (may_fail) line("if (here.bad) return;");
}

}  // namespace gyre::jit
