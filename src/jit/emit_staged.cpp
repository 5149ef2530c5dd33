#include "emit_kernel.hpp"
#include "emit_text.hpp"

namespace gyre::jit {

// All lanes of a warp go round as long as the first has a point, since they bring rows together;
// those without a point of their own leave when that is done.
void EmitKernel::staged_points(const plan::Sweep& sweep) {
  const auto folds = plan::staged_folds(context_.plan, sweep);
  strands(sweep);
  line("const gyre::Stage stage{stage_elements, " +
       number(plan::staged_bytes_per_term(context_.plan, folds)) + "};");
  line("for (long long point = gyre::first_point(); stage.present(point, points) > 0;");
  line("     point += gyre::next_point) {");
  ++depth_;
  line("const int present = stage.present(point, points);");
  indices(sweep);
  for (std::uint32_t i = 0; i < folds.size(); ++i) staged_fold(folds[i], i);
  line("if (point >= points) continue;");
  body(sweep);
  --depth_;
  line("}");
  line("gyre::let_next_start();");
  leave_partials(sweep);
}

void EmitKernel::staged_fold(const plan::StagedFold& staged, std::uint32_t number_of_fold) {
  const auto& fold = std::get<ir::Fold>(staged.fold->kind);
  const std::string row = "row" + number(number_of_fold);
  const std::string value = "fold" + number(number_of_fold);
  line("const gyre::Row " + row + " = point < points ? gyre::Row{" +
       expr_.whole(fold.ranges[0].begin) + ", " + expr_.whole(fold.ranges[0].end) +
       "} : gyre::Row{};");
  line("const " + cpp_type(staged.fold->type) + " " + value + " = stage.fold<" +
       cpp_fold(fold.op, fold.operand->type) + ">(");
  depth_ += 2;
  line(row + ", present,");
  line("[&](const gyre::Rows& rows) {");
  ++depth_;
  std::map<ir::SymbolId, std::string> names;
  std::size_t bytes = 0;
  for (const ir::SymbolId buffer : staged.buffers) {
    const std::string name = "staged" + number(names.size());
    line("const auto " + name + " = stage.bring(" + expr_.name(buffer) + ", rows, " +
         number(bytes) + ");");
    names.emplace(buffer, name);
    bytes += ir::size_of(context_.plan[buffer].type);
  }
  line("return " + expr_.term(fold, "[=]", names) + ";");
  --depth_;
  line("},");
  line(expr_.term(fold, "[&]") + ");");
  depth_ -= 2;
  expr_.replace(staged.fold, value);
}

}  // namespace gyre::jit
