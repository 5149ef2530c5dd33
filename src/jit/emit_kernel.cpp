#include "emit_kernel.hpp"

#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/teams.hpp"
#include "parameter_list.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

bool has_shared_loops(const plan::Sweep& sweep) {
  bool found = false;
  plan::for_each_statement(sweep.body, [&](const plan::Statement& statement) {
    const auto* over = std::get_if<plan::RepeatOver>(&statement.kind);
    found = found || (over != nullptr && over->shared);
  });
  return found;
}

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
                                   const std::vector<Duty>& duties, bool guarded,
                                   EmittedKernel& emitted) {
  guarded_ = guarded;
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

std::string EmitKernel::head(const std::vector<const plan::Node*>& duty_nodes,
                             const std::vector<Duty>& duties, EmittedKernel& emitted) {
  std::vector<std::string> parameters = {"gyre::State state"};
  for (const ir::SymbolId buffer : expr_.buffers()) {
    emitted.parameters.push_back({Parameter::Kind::Buffer, buffer, 0});
    const bool is_stored = stored_.contains(buffer);
    // What other blocks store and the last one loads is nobody's alone, nor what a team loads back.
    const bool is_shared = is_stored && (late_loads_.contains(buffer) || met_.contains(buffer));
    parameters.push_back((is_stored ? "" : "const ") + cpp_storage(context_.plan[buffer].type) +
                         (is_shared ? "* " : "* __restrict__ ") + expr_.name(buffer));
  }
  for (const ir::SymbolId buffer : watched_) {
    emitted.parameters.push_back({Parameter::Kind::Shadow, buffer, 0});
    parameters.push_back("gyre::Shadow* " + expr_.shadow(buffer));
  }
  for (const ir::SymbolId size : expr_.sizes()) {
    emitted.parameters.push_back({Parameter::Kind::Size, size, 0});
    parameters.push_back("long long " + expr_.name(size));
  }
  for (std::size_t i = 0; i < duties.size(); ++i) {
    if (!takes_decision(*duty_nodes[i], duties[i])) continue;
    emitted.parameters.push_back({Parameter::Kind::Decision, {}, duties[i].node});
    parameters.push_back("unsigned long long decision" + number(duties[i].node));
  }
  if (guarded_) {
    emitted.parameters.push_back({Parameter::Kind::Guard});
    parameters.emplace_back("unsigned guard");
    const bool ends_trip = std::any_of(duties.begin(), duties.end(), [](const Duty& duty) {
      return duty.kind == Duty::Kind::NextTrip;
    });
    if (ends_trip) {
      emitted.parameters.push_back({Parameter::Kind::NextGuard});
      parameters.emplace_back("unsigned next_guard");
    }
  }
  if (emitted.begins) {
    using Kind = Parameter::Kind;
    for (const Kind kind : {Kind::Requests, Kind::Places, Kind::RequestBytes}) {
      emitted.parameters.push_back({kind});
    }
    parameters.insert(parameters.end(),
                      {"const char* requests", "unsigned places", "unsigned request_bytes"});
  }
  if (shares_points_ && !is_run_by_team_) {
    emitted.parameters.push_back({Parameter::Kind::Lanes, {}, 0});
    parameters.emplace_back("unsigned lanes");
  }
  if (form_ == FoldForm::Staged) {
    emitted.parameters.push_back({Parameter::Kind::StageElements, {}, 0});
    parameters.emplace_back("unsigned stage_elements");
  }
  return "extern \"C\" __global__ void __launch_bounds__(" + number(emitted.threads) +
         blocks_at_once() + ")\n" + parameter_list(emitted.name + "(", parameters) + " {\n";
}

// How many blocks a multiprocessor is to have at once, where the compiler left alone would rather
// spill registers than do with fewer: in sweeps beside much scalar work, under a promise, or with
// folds within a point beside which they do more than store one and add to one of the device.
std::string EmitKernel::blocks_at_once() const {
  // With loops within such a kernel keeps much, and would keep all of it in registers.
  if (is_run_by_team_) return has_shared_loops(*kernel_->sweep) ? ", 2" : ", 4";
  if (form_ == FoldForm::Staged) return ", 3";
  if (form_ == FoldForm::Long) return shares_points_ ? "" : ", 3";
  if (kernel_ == nullptr || !kernel_->sweep) return "";
  if (kernel_->prologue.size() > 8) return ", 4";
  const bool has_more = !kernel_->epilogue.empty() || kernel_->sweep->body.size() > 2;
  const bool folds = has_long_form(*kernel_, context_.options);
  if (!kernel_->sweep->promised && !(has_more && folds)) return "";
  return folds && kernel_->epilogue.size() <= 16 ? ", 5" : ", 4";
}

std::string EmitKernel::views() {
  std::string text;
  for (const ir::SymbolId buffer : expr_.viewed()) {
    const ir::Symbol& symbol = context_.plan[buffer];
    const bool is_watched = watched_.contains(buffer);
    const std::string element =
        (stored_.contains(buffer) ? "" : "const ") + cpp_storage(symbol.type);
    std::string value = "{" + expr_.name(buffer) + ", " +
                        number(static_cast<std::uint32_t>(buffer)) + ", {" +
                        joined(expr_.extents(buffer)) + "}}";
    if (is_watched) value = "{" + value + ", " + expr_.shadow(buffer) + "}";
    text += std::string("  const gyre::") + (is_watched ? "Watched<" : "Checked<") + element +
            ", " + number(symbol.extents.size()) + "> " + expr_.view(buffer) + value + ";\n";
  }
  return text;
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
