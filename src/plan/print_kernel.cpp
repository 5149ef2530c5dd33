#include "print_kernel.hpp"

#include "gyre/text/lexer.hpp"
#include "gyre/text/printer.hpp"

namespace gyre::plan {
namespace {

template <class List, class Name>
std::string joined(const List& list, Name name) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + name(item);
  return text;
}

std::string team_text(ir::Team team) {
  return team == ir::Team::Warp ? " team warp" : team == ir::Team::Block ? " team block" : "";
}

}  // namespace

PrintKernel::PrintKernel(const Plan& plan) : plan_(plan) {
  symbols_.symbols = plan.symbols;
}

std::string PrintKernel::expr(const ir::Expr& expr) const {
  return text::print_expr(symbols_, expr);
}

std::string PrintKernel::range(const ir::Range& range) const {
  // Bounds have the index's type, so that a literal needs none.
  const auto bound = [&](const ir::Expr& value) {
    const auto* literal = ir::as<ir::Literal>(value);
    return literal != nullptr ? to_string(literal->value) : expr(value);
  };
  return plan_[range.index].name + " in " + bound(range.begin) + ".." + bound(range.end) +
         (range.step ? " step " + bound(range.step) : "");
}

std::string PrintKernel::step(const ScalarStep& step) const {
  struct Text {
    const PrintKernel& self;
    std::string operator()(const Compute& op) const {
      return self.plan_[op.slot].name + " = " + self.expr(op.value);
    }
    std::string operator()(const Finish& op) const {
      const Reduction& reduction = self.plan_.reductions[op.reduction];
      return self.plan_[op.slot].name + " = finish " + std::string(ir::name_of(reduction.op)) +
             " #" + std::to_string(op.reduction);
    }
    std::string operator()(const RecordStop& op) const {
      const std::string when = op.condition ? " if " + self.plan_[*op.condition].name : "";
      return "stop " + text::escape(op.label) + (op.code ? ", " + self.expr(op.code) : "") + when;
    }
    std::string operator()(const CheckStep& op) const { return "check_step " + self.expr(op.step); }
    std::string operator()(const CountTrips& op) const {
      return "count_trips " + self.expr(op.trips);
    }
    std::string operator()(const CountArm& op) const { return "count_arm " + self.expr(op.arm); }
  };
  return std::visit(Text{*this}, step.kind);
}

void PrintKernel::statements(const std::vector<Statement>& body, const std::string& indent,
                             std::vector<std::string>& out) const {
  struct Lines {
    const PrintKernel& self;
    const std::string& indent;
    std::vector<std::string>& out;

    void add(const std::string& text) const { out.push_back(indent + text); }
    void nested(const std::vector<Statement>& list) const {
      self.statements(list, indent + "  ", out);
    }
    std::string name(ir::SymbolId id) const { return self.plan_[id].name; }

    void operator()(const Define& op) const {
      add("let " + name(op.local) + " = " + self.expr(op.value));
    }
    void operator()(const Set& op) const { add(name(op.local) + " = " + self.expr(op.value)); }
    void operator()(const Store& op) const {
      const auto index = joined(op.index, [&](const ir::Expr& e) { return self.expr(e); });
      add((op.kind == Store::Kind::Own ? "" : "scatter ") + name(op.buffer) + "[" + index + "] " +
          (op.kind == Store::Kind::ScatterAdd ? "+= " : "= ") + self.expr(op.value));
    }
    void operator()(const Contribute& op) const {
      const Reduction& reduction = self.plan_.reductions[op.reduction];
      add(std::string(ir::name_of(reduction.op)) + " #" + std::to_string(op.reduction) + " <- " +
          self.expr(op.value));
    }
    void operator()(const Choose& op) const {
      add("if " + self.expr(op.condition));
      nested(op.then);
      if (op.otherwise.empty()) return;
      add("else");
      nested(op.otherwise);
    }
    void operator()(const Repeat& op) const {
      const std::string limit = op.limit ? " limit " + self.expr(op.limit) : "";
      add((op.test_last ? "do while " : "while ") + self.expr(op.condition) + limit);
      nested(op.body);
    }
    void operator()(const RepeatOver& op) const {
      add((op.shared ? "foreach " : "for ") + self.range(op.range));
      nested(op.body);
    }
    void operator()(const Leave&) const { add("break"); }
    void operator()(const NextTrip&) const { add("continue"); }
  };
  for (const Statement& statement : body) std::visit(Lines{*this, indent, out}, statement.kind);
}

std::vector<std::string> PrintKernel::lines(const Kernel& kernel) const {
  std::vector<std::string> out;
  const auto cell = [&](const Cell& one) {
    return plan_[one.slot].name + (one.version == Version::Shadow ? "'" : "");
  };
  if (!kernel.reads.empty()) out.push_back("reads " + joined(kernel.reads, cell));
  for (const ScalarStep& one : kernel.prologue) out.push_back(step(one));
  if (kernel.sweep) {
    const auto ranges = joined(kernel.sweep->ranges, [&](const ir::Range& r) { return range(r); });
    out.push_back(ranges.empty() ? "once" : "sweep " + ranges + team_text(kernel.sweep->team));
    statements(kernel.sweep->body, "  ", out);
  }
  if (!kernel.epilogue.empty()) {
    const std::string read = joined(kernel.epilogue_reads, cell);
    out.push_back((kernel.last_block ? "last block" : "one block") +
                  (read.empty() ? "" : ", reads " + read));
    for (const ScalarStep& one : kernel.epilogue) out.push_back("  " + step(one));
  }
  if (!kernel.writes.empty()) out.push_back("writes " + joined(kernel.writes, cell));
  if (!kernel.shadows.empty()) {
    out.push_back("keeps " + joined(kernel.shadows, [&](ir::SymbolId slot) {
                    return plan_[slot].name + "' = " + plan_[slot].name;
                  }));
  }
  return out;
}

}  // namespace gyre::plan
