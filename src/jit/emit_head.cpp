// What stands before the body of a kernel: its parameters, what it promises the compiler, and views
// of its buffers.
#include "emit_kernel.hpp"
#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"
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

}  // namespace

std::string EmitKernel::buffer_parameter(ir::SymbolId buffer) const {
  const bool is_stored = stored_.contains(buffer);
  // What other blocks store and the last one loads is nobody's alone, nor what a team loads back.
  const bool is_shared = is_stored && (late_loads_.contains(buffer) || met_.contains(buffer));
  return (is_stored ? "" : "const ") + cpp_storage(context_.plan[buffer].type) +
         (is_shared ? "* " : "* __restrict__ ") + expr_.name(buffer);
}

std::string EmitKernel::head(DutyNodes duty_nodes, Duties duties, EmittedKernel& emitted) {
  using Kind = Parameter::Kind;
  std::vector<std::string> parameters = {"gyre::State state"};
  const auto take = [&](const Parameter& parameter, const std::string& text) {
    emitted.parameters.push_back(parameter);
    parameters.push_back(text);
  };
  for (const ir::SymbolId buffer : expr_.buffers()) {
    take({Kind::Buffer, buffer, 0}, buffer_parameter(buffer));
  }
  for (const ir::SymbolId buffer : watched_) {
    take({Kind::Shadow, buffer, 0}, "gyre::Shadow* " + expr_.shadow(buffer));
  }
  for (const ir::SymbolId size : expr_.sizes()) {
    take({Kind::Size, size, 0}, "long long " + expr_.name(size));
  }
  for (std::size_t i = 0; i < duties.size(); ++i) {
    if (!takes_decision(*duty_nodes[i], duties[i])) continue;
    take({Kind::Decision, {}, duties[i].node},
         "unsigned long long decision" + number(duties[i].node));
  }
  if (standing_.guarded) {
    take({Kind::Guard}, "unsigned guard");
    const bool ends_trip = std::any_of(duties.begin(), duties.end(), [](const Duty& duty) {
      return duty.kind == Duty::Kind::NextTrip;
    });
    if (ends_trip) take({Kind::NextGuard}, "unsigned next_guard");
  }
  if (emitted.begins) {
    take({Kind::Requests}, "const char* requests");
    take({Kind::Places}, "unsigned places");
    take({Kind::RequestBytes}, "unsigned request_bytes");
  }
  if (shares_points_ && !is_run_by_team_) take({Kind::Lanes}, "unsigned lanes");
  if (form_ == FoldForm::Staged) take({Kind::StageElements}, "unsigned stage_elements");
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

}  // namespace gyre::jit
