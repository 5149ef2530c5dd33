#include "emit_kernel.hpp"
#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/teams.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

// Whether the term stands in no branch.
bool is_fed_by_all(const std::vector<plan::Statement>& body, std::uint32_t reduction) {
  return std::any_of(body.begin(), body.end(), [&](const plan::Statement& statement) {
    const auto* contribute = std::get_if<plan::Contribute>(&statement.kind);
    return contribute != nullptr && contribute->reduction == reduction;
  });
}

}  // namespace

void EmitKernel::sweep(const plan::Sweep& sweep) {
  begin_statement();
  if (!watched_.empty()) {
    line("here.watch(" + number(statement_) + ", " + number(context_.names.number(*region_)) +
         ");");
  }
  ranges(sweep);
  points(sweep);
}

void EmitKernel::strands(const plan::Sweep& sweep) {
  for (const std::uint32_t reduction : plan::reductions_fed(sweep)) {
    line("gyre::Strand<" + fold_of(reduction) + "> strand" + number(reduction) + ";");
  }
}

void EmitKernel::leave_partials(const plan::Sweep& sweep, const std::string& block) {
  for (const std::uint32_t reduction : plan::reductions_fed(sweep)) {
    line("gyre::leave_partial<" + number(folds_++) + ">(state, " +
         number(context_.layout.partials(reduction)) + ", strand" + number(reduction) + ", points" +
         (block.empty() ? "" : ", " + block) + ");");
  }
}

void EmitKernel::ranges(const plan::Sweep& sweep) {
  const bool is_uncertain =
      std::any_of(sweep.ranges.begin(), sweep.ranges.end(), ir::step_may_be_zero);
  if (is_uncertain) mark_place();
  std::string points;
  for (std::size_t i = 0; i < sweep.ranges.size(); ++i) {
    const std::string range = "range" + number(i);
    line("const gyre::Range " + range + spaced(expr_.range(sweep.ranges[i])) + ";");
    points += (i == 0 ? "" : " * ") + range + ".count";
  }
  if (is_uncertain) line("if (here.bad) return;");
  if (points.empty()) points = "1";
  if (has_block_of_epilogue_) {
    line("const bool does_epilogue = blockIdx.x + 1 == gridDim.x;");
    points = "does_epilogue ? 0 : " + points;
  }
  line("const long long points = " + points + ";");
}

void EmitKernel::points(const plan::Sweep& sweep) {
  if (form_ == FoldForm::Staged) return staged_points(sweep);
  strands(sweep);
  if (shares_points_) {
    const unsigned lanes = is_run_by_team_ ? plan::choose_lanes(sweep.team, {}, {}) : 0;
    line("const gyre::Team team{" + (lanes != 0 ? number(lanes) : "lanes") +
         (has_block_of_epilogue_ ? ", gridDim.x - 1" : "") + "};");
  }
  const std::string team = shares_points_ ? "team." : "gyre::";
  line("for (long long point = " + team + "first_point(); point < points; point += " + team +
       (shares_points_ ? "next_point()" : "next_point") + ") {");
  ++depth_;
  indices(sweep);
  if (points_end_early_) line("here.start(point);");
  body(sweep);
  --depth_;
  line("}");
  line("gyre::let_next_start();");
  leave_partials(sweep);
}

void EmitKernel::indices(const plan::Sweep& sweep) {
  const std::size_t last = sweep.ranges.size() - 1;
  if (sweep.ranges.size() > 1) line("unsigned long long rest = point;");
  for (std::size_t i = sweep.ranges.size(); i-- > 0;) {
    const std::string range = "range" + number(i);
    const ir::SymbolId index = sweep.ranges[i].index;
    const std::string value = last == 0 ? range + "[point]"
                              : i == 0  ? range + "[rest]"
                                        : range + ".take(rest)";
    line("const " + cpp_type(context_.plan[index].type) + " " + expr_.name(index) + " = " + value +
         ";");
  }
}

void EmitKernel::body(const plan::Sweep& sweep) {
  term_index_ = sweep.ranges.size() == 1 ? expr_.name(sweep.ranges[0].index) : "0";
  // A term that stands in a branch, or behind an early end, is added where every point comes by.
  late_terms_.clear();
  for (const std::uint32_t reduction : plan::reductions_fed(sweep)) {
    if (!points_end_early_ && is_fed_by_all(sweep.body, reduction)) continue;
    late_terms_.insert(reduction);
    line(cpp_type(context_.plan.reductions[reduction].type) + " term" + number(reduction) + "{};");
  }
  if (points_end_early_) {
    line("[&] {");
    ++depth_;
  }
  statements(sweep.body);
  if (points_end_early_) {
    --depth_;
    line("}();");
  }
  for (const std::uint32_t reduction : late_terms_) {
    add_term(reduction, "term" + number(reduction));
  }
}

void EmitKernel::add_term(std::uint32_t reduction, const std::string& term) {
  line("strand" + number(reduction) + ".add(" + term + ", " + term_index_ + ");");
}

}  // namespace gyre::jit
