#include "emit_kernel.hpp"
#include "emit_text.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

// Whether trips may be laid out side by side: plain statements, and few of them.
bool is_plain_body(const std::vector<plan::Statement>& body) {
  return std::all_of(body.begin(), body.end(), [](const plan::Statement& statement) {
    const bool is_plain = std::holds_alternative<plan::Define>(statement.kind) ||
                          std::holds_alternative<plan::Set>(statement.kind) ||
                          std::holds_alternative<plan::Store>(statement.kind);
    const auto exprs = plan::exprs_of(statement);
    return is_plain && std::none_of(exprs.begin(), exprs.end(), [](const ir::Expr& expr) {
             return expr && ir::contains_fold(expr);
           });
  });
}

}  // namespace

void EmitKernel::statements(const std::vector<plan::Statement>& list) {
  for (std::span<const plan::Statement> left = list; !left.empty();) {
    const std::size_t together = std::max<std::size_t>(1, folds_together(left));
    if (together > 1) {
      statements_that_fold(left.first(together));
    } else {
      statement(left.front());
    }
    left = left.subspan(together);
  }
}

void EmitKernel::statement(const plan::Statement& statement) {
  begin_statement();
  std::visit([&](const auto& op) { emit(op); }, statement.kind);
}

void EmitKernel::nested(const std::vector<plan::Statement>& list) {
  ++depth_;
  statements(list);
  --depth_;
}

void EmitKernel::emit(const plan::Define& op) {
  const std::string value = expr_.whole(op.value);
  run(cpp_type(context_.plan[op.local].type) + " " + expr_.name(op.local) + " = " + value + ";");
}

void EmitKernel::emit(const plan::Set& op) {
  run(expr_.name(op.local) + " = " + expr_.whole(op.value) + ";");
}

void EmitKernel::emit(const plan::Store& op) {
  stored_.insert(op.buffer);
  const bool adds = op.kind == plan::Store::Kind::ScatterAdd;
  // In the order in which faults are told: the index, the value, the store.
  const std::vector<std::string> index = expr_.each(op.index);
  const std::string value = expr_.whole(op.value);
  if (checked_) {
    run(expr_.view(op.buffer) + (adds ? ".add" : ".store") + "(here, " + expr_.next_access() +
        ", {" + joined(index) + "}, " + value + ");");
    return;
  }
  if (shares_points_ && !thread_alone_) {
    const bool is_met = met_.contains(op.buffer);
    if (is_met) meet();
    const std::string at = expr_.name(op.buffer) + " + " + expr_.place(op.buffer, index);
    run(call(adds ? "team.add_to" : "team.store", {at, value}) + ";");
    if (is_met) meet();
    return;
  }
  if (!adds && is_plain(context_.plan[op.buffer].type)) {
    run(expr_.element(op.buffer, index) + " = " + value_to_store(op.buffer, value) + ";");
    return;
  }
  const std::string at = expr_.name(op.buffer) + " + " + expr_.place(op.buffer, index);
  run(call(adds ? "gyre::add_to" : "gyre::store", {at, value}) + ";");
}

void EmitKernel::emit(const plan::Contribute& op) {
  const std::string term = expr_.whole(op.value);
  if (late_terms_.contains(op.reduction)) {
    run("term" + number(op.reduction) + " = " + term + ";");
  } else {
    add_term(op.reduction, term);
  }
}

void EmitKernel::emit(const plan::Choose& op) {
  const InRegion inside(*this, op.region);
  std::string condition = expr_.whole(op.condition);
  if (checked_ && expr_.has_accessed()) {
    const std::string holds = "holds" + number(statement_);
    run("const bool " + holds + " = " + condition + ";");
    condition = holds;
  }
  line("if (" + condition + ") {");
  nested(op.then);
  if (!op.otherwise.empty()) {
    line("} else {");
    nested(op.otherwise);
  }
  line("}");
}

void EmitKernel::emit(const plan::Repeat& op) {
  const InRegion inside(*this, op.region);
  const std::string trip = "trip" + number(statement_);
  const std::string limit = "limit" + number(statement_);
  const std::string holds = "holds" + number(statement_);
  run("const unsigned long long " + limit + " = " +
      (op.limit ? call("gyre::limit_of", {expr_.whole(op.limit)}) : context_.run_limit()) + ";");
  const std::string first = op.test_last ? trip + " == 0 || " : "";
  const std::string condition = first + expr_(op.condition);
  line("for (unsigned long long " + trip + " = 0;; ++" + trip + ") {");
  ++depth_;
  run("const bool " + holds + " = " + without_outer_parentheses(condition) + ";");
  line("if (!" + holds + ") break;");
  line("if (" + trip + " >= " + limit + ") {");
  ++depth_;
  mark_place();
  line("return gyre::end_at_limit(here);");
  --depth_;
  line("}");
  --depth_;
  nested(op.body);
  line("}");
}

void EmitKernel::emit(const plan::RepeatOver& op) {
  const InRegion inside(*this, op.region);
  const std::string range = "range" + number(statement_);
  const std::string trip = "trip" + number(statement_);
  if (op.shared && !met_.empty()) meet();
  const std::string declared = "const gyre::Range " + range + spaced(expr_.range(op.range)) + ";";
  if (ir::step_may_be_zero(op.range)) {
    mark_place();
    line(declared);
    line("if (here.bad) return;");
  } else {
    run(declared);
  }
  if (op.shared && shares_points_) return shared_trips(op, range, trip);
  // The loads of several trips wait for memory together.
  if (!checked_ && is_plain_body(op.body)) line("#pragma unroll 4");
  line("for (unsigned long long " + trip + " = 0; " + trip + " < " + range + ".count; ++" + trip +
       ") {");
  trip_body(op, range, trip);
}

void EmitKernel::trip_body(const plan::RepeatOver& op, const std::string& range,
                           const std::string& trip) {
  line("  const " + cpp_type(context_.plan[op.range.index].type) + " " +
       expr_.name(op.range.index) + " = " + range + "[" + trip + "];");
  nested(op.body);
  line("}");
}

void EmitKernel::shared_trips(const plan::RepeatOver& op, const std::string& range,
                              const std::string& trip) {
  line("for (unsigned long long " + trip + " = team.lane(); " + trip + " < " + range + ".count; " +
       trip + " += team.lanes) {");
  thread_alone_ = true;
  const Folds folds = expr_.fold_as(form_ == FoldForm::Long ? Folds::Long : Folds::Short);
  trip_body(op, range, trip);
  expr_.fold_as(folds);
  thread_alone_ = false;
  if (!met_.empty()) meet();
}

void EmitKernel::meet() {
  // Twice in a row is once.
  const std::string text = indented("team.meet();", depth_) + "\n";
  if (!body_.ends_with(text)) body_ += text;
}

void EmitKernel::emit(const plan::Leave&) {
  line("break;");
}

void EmitKernel::emit(const plan::NextTrip&) {
  line("continue;");
}

}  // namespace gyre::jit
