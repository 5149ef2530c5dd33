#include "emit_resident_kernel.hpp"

#include "emit_text.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"

#include <algorithm>

namespace gyre::jit {

std::string kept_name(const Residence& residence, std::uint32_t rows, std::size_t buffer) {
  std::size_t before = 0;
  for (const auto& [number, one] : residence.rows) before += number < rows ? one.buffers.size() : 0;
  return "kept" + number(before + buffer);
}

std::string cell_variable(EmitExpr& expr, const plan::Cell& cell) {
  return (cell.version == plan::Version::Home ? "home." : "shadow.") + expr.name(cell.slot);
}

EmitResidentKernel::EmitResidentKernel(ModuleContext& context, const plan::Kernel& kernel,
                                       std::uint32_t number, Residence& residence)
    : EmitKernel(context, &kernel, number, &residence.expr), residence_(residence) {
  folds_ = residence.folds;
}

EmitResidentKernel::EmitResidentKernel(ModuleContext& context, Residence& residence)
    : EmitKernel(context, nullptr, 0, &residence.expr), residence_(residence) {}

std::string EmitResidentKernel::operator()() {
  line("// " + kernel_->region);
  line("{");
  ++depth_;
  if (plan::may_fault(*kernel_)) line("gyre::Here here{state, " + number(number_) + "};");
  load_cells(kernel_->reads);
  load_cells(kernel_->epilogue_reads);
  meet_before(part_of(context_.plan, kernel_->prologue));
  prologue();
  if (kernel_->sweep) {
    meet_before(part_of(*kernel_->sweep));
    sweep(*kernel_->sweep);
    leave_if_points_failed(*kernel_->sweep);
  }
  late_scalars();
  --depth_;
  line("}");
  leave_if_stopped();
  residence_.folds = folds_;
  return body_;
}

// What one block does where it has one to itself every thread does here, like all scalar work.
void EmitResidentKernel::late_scalars() {
  if (kernel_->epilogue.empty()) return;
  meet_before(part_of(context_.plan, kernel_->epilogue));
  for (const plan::ScalarStep& one : kernel_->epilogue) step(one);
  store_slots(true);
}

void EmitResidentKernel::meet_before(const Part& part) {
  if (residence_.hazards.needs_meeting(part)) line("crew.meet();");
}

void EmitResidentKernel::leave_if_points_failed(const plan::Sweep& sweep) {
  if (!plan::points_may_fail(sweep)) return;
  line("if (crew.has_failed()) return;");
  residence_.hazards.met();
}

void EmitResidentKernel::leave_if_stopped() {
  const auto stops = [](const std::vector<plan::ScalarStep>& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const plan::ScalarStep& step) {
      return std::holds_alternative<plan::RecordStop>(step.kind);
    });
  };
  if (stops(kernel_->prologue) || stops(kernel_->epilogue)) {
    line("if (crew.has_ended()) return;");
  }
}

std::string EmitResidentKernel::loaded_cell(const plan::Cell& cell) {
  return cell_variable(expr_, cell);
}

std::string EmitResidentKernel::stored_cell(const plan::Cell& cell, const std::string& value) {
  return cell_variable(expr_, cell) + " = " + value + ";";
}

void EmitResidentKernel::store_early_slots() {
  store_slots(false);
}

void EmitResidentKernel::stop(std::uint32_t label, const std::string& code) {
  run("crew.stop(" + number(label) + ", " + code + ");");
}

void EmitResidentKernel::count(const std::string& counter, const std::string& more) {
  run("crew.count(" + counter + ", " + more + ");");
}

// Where the blocks of a grid leave their values; nothing for other crews.
std::string EmitResidentKernel::place_of(std::uint32_t reduction) const {
  if (residence_.shape.crew != Crew::Grid) return "";
  return "state, " + number(context_.layout.partials(reduction)) + ", ";
}

std::string EmitResidentKernel::finished(std::uint32_t reduction) {
  const ResidentShape& shape = residence_.shape;
  if (shape.goes_in_rounds()) return EmitKernel::finished(reduction);
  return "gyre::finish<" + number(shape.strands) + ">(" + place_of(reduction) + "partials" +
         number(reduction) + ", terms" + number(reduction) + ")";
}

std::string EmitResidentKernel::value_to_store(ir::SymbolId buffer, const std::string& value) {
  if (!residence_.shape.copied.contains(buffer)) return value;
  return expr_.own_copy(buffer) + "[own] = " + value;
}

void EmitResidentKernel::add_term(std::uint32_t reduction, const std::string& term) {
  if (residence_.shape.goes_in_rounds()) return EmitKernel::add_term(reduction, term);
  line("tile" + number(reduction) + ".add(own, " + term + ", " + term_index_ + ");");
}

void EmitResidentKernel::points(const plan::Sweep& sweep) {
  if (residence_.shape.goes_in_rounds()) return points_in_rounds(sweep);
  begin_folds(sweep);
  begin_own_points(sweep);
  expr_.enter(&sweep);
  if (points_end_early_) line("here.start(point);");
  const auto folded = fold_kept_rows(sweep);
  body(sweep);
  for (const ir::Expr& fold : folded) expr_.restore(fold);
  expr_.enter(nullptr);
  end_own_points();
  leave_folds(sweep);
}

std::vector<ir::Expr> EmitResidentKernel::fold_kept_rows(const plan::Sweep& sweep) {
  std::vector<ir::Expr> folded;
  if (residence_.rows.empty()) return folded;
  for (const plan::StagedFold& staged : plan::staged_folds(context_.plan, sweep)) {
    for (const auto& [index, rows] : residence_.rows) {
      if (!plan::goes_over(context_.plan, rows, sweep, staged.fold)) continue;
      fold_kept_row(staged.fold, index, static_cast<std::uint32_t>(folded.size()));
      folded.push_back(staged.fold);
      break;
    }
  }
  return folded;
}

void EmitResidentKernel::fold_kept_row(const ir::Expr& fold, std::uint32_t rows,
                                       std::uint32_t number_of_fold) {
  const auto& over = std::get<ir::Fold>(fold->kind);
  const auto& buffers = residence_.rows.at(rows).buffers;
  std::map<ir::SymbolId, std::string> names;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    names[buffers[i]] = kept_name(residence_, rows, i);
  const std::string kept = "rows" + number(rows);
  const std::string value = "fold" + number(number_of_fold);
  line("const " + cpp_type(fold->type) + " " + value + " = " + kept + ".has(own)");
  depth_ += 2;
  line("? " + expr_.fold_over(over, kept + ".range(own)", names));
  line(": " + expr_.whole(fold) + ";");
  depth_ -= 2;
  expr_.replace(fold, value);
}

void EmitResidentKernel::begin_folds(const plan::Sweep& sweep) {
  if (residence_.shape.goes_in_rounds()) return strands(sweep);
  for (const std::uint32_t reduction : plan::reductions_fed(sweep)) {
    line("gyre::Tile<" + fold_of(reduction) + ", " + number(residence_.shape.strands) + "> tile" +
         number(reduction) + ";");
  }
}

void EmitResidentKernel::leave_folds(const plan::Sweep& sweep) {
  const bool is_grid = residence_.shape.crew == Crew::Grid;
  for (const std::uint32_t reduction : plan::reductions_fed(sweep)) {
    line("terms" + number(reduction) + " = static_cast<int>(points);");
    line("gyre::leave(" + (is_grid ? place_of(reduction) : "crew, ") + "partials" +
         number(reduction) + ", tile" + number(reduction) + ", terms" + number(reduction) + ");");
  }
}

void EmitResidentKernel::begin_own_points(const plan::Sweep& sweep) {
  const ResidentShape& shape = residence_.shape;
  const std::string strands = number(shape.strands);
  line("#pragma unroll");
  line("for (int own = 0; own < " + number(shape.own()) + "; ++own) {");
  ++depth_;
  line("const long long point = " +
       (shape.crew == Crew::Grid
            ? "gyre::own_point<" + number(shape.threads) + ", " + strands + ">(own);"
            : "crew.thread() * " + strands + " + own;"));
  line("if (point >= points) continue;");
  indices(sweep);
}

void EmitResidentKernel::end_own_points() {
  --depth_;
  line("}");
}

std::string EmitResidentKernel::each_own_point(const plan::Sweep& sweep,
                                               const std::function<std::string()>& body) {
  line("{");
  ++depth_;
  ranges(sweep);
  begin_own_points(sweep);
  line(body());
  end_own_points();
  --depth_;
  line("}");
  return body_;
}

// The blocks of a grid go over all blocks of strands that a launch of its own would have.
void EmitResidentKernel::points_in_rounds(const plan::Sweep& sweep) {
  line(
      "for (unsigned block = blockIdx.x; block < gyre::strand_blocks(points); "
      "block += gridDim.x) {");
  ++depth_;
  strands(sweep);
  line(
      "for (long long point = gyre::first_point(block); point < points; "
      "point += gyre::next_point) {");
  ++depth_;
  indices(sweep);
  if (points_end_early_) line("here.start(point);");
  body(sweep);
  --depth_;
  line("}");
  leave_partials(sweep, "block");
  // The next round uses the same shared memory.
  if (!plan::reductions_fed(sweep).empty()) line("__syncthreads();");
  --depth_;
  line("}");
}

}  // namespace gyre::jit
