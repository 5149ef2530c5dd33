#include "emit_kernel.hpp"
#include "emit_text.hpp"

namespace gyre::jit {

void EmitKernel::statements(const std::vector<plan::Statement>& list) {
  struct Emit {
    EmitKernel& self;
    ModuleContext& context;

    void operator()(const plan::Define& op) const {
      const std::string value = self.expression(op.value);
      self.line(cpp_type(context.plan[op.local].type) + " " + self.expr_.name(op.local) + " = " +
                value + ";");
      self.stop_if_bad();
    }
    void operator()(const plan::Set& op) const {
      self.line(self.expr_.name(op.local) + " = " + self.expression(op.value) + ";");
      self.stop_if_bad();
    }
    void operator()(const plan::Store& op) const {
      self.stored_.insert(op.buffer);
      const std::string type = cpp_type(ir::loaded_type(context.plan[op.buffer].type));
      const std::string buffer = self.expr_.name(op.buffer);
      const bool adds = op.kind == plan::Store::Kind::ScatterAdd;
      const std::string function = adds ? "gyre::add_to" : "gyre::store";
      if (context.options.checked) {
        self.line("{");
        self.line("  const long long at = " + self.expr_.place(op.buffer, op.index) + ";");
        self.line("  if (at < 0 || bad) { bad = true; return; }");
        self.line("  const " + type + " value = " + self.expression(op.value) + ";");
        self.line("  if (bad) return;");
        self.line("  " + function + "(" + buffer + " + at, value);");
        self.line("}");
        return;
      }
      const std::string where = self.expr_.place(op.buffer, op.index);
      const ir::ScalarType element = context.plan[op.buffer].type;
      const bool plain = element != ir::ScalarType::Bool && !ir::is_storage_only(element) && !adds;
      if (plain) {
        self.line(buffer + "[" + where + "] = " + self.expression(op.value) + ";");
      } else {
        self.line(call(function, {buffer + " + " + where, self.expression(op.value)}) + ";");
      }
    }
    void operator()(const plan::Contribute& op) const {
      self.line("term" + number(op.reduction) + " = " + self.expression(op.value) + ";");
      self.stop_if_bad();
    }
    void operator()(const plan::Choose& op) const {
      const EmitKernel::InRegion inside(self, op.region);
      if (context.options.checked) {
        self.mark_place();
        const std::string holds = "holds" + number(self.statement_);
        self.line("const bool " + holds + " = " + self.expression(op.condition) + ";");
        self.stop_if_bad();
        self.line("if (" + holds + ") {");
      } else {
        self.line("if (" + self.expression(op.condition) + ") {");
      }
      self.nested(op.then);
      if (!op.otherwise.empty()) {
        self.line("} else {");
        self.nested(op.otherwise);
      }
      self.line("}");
    }
    void operator()(const plan::Repeat& op) const {
      const EmitKernel::InRegion inside(self, op.region);
      const std::uint32_t place = self.statement_;
      const std::string trips = "trips" + number(place);
      const std::string limit = "limit" + number(place);
      if (context.options.checked) self.mark_place();
      self.line("const unsigned long long " + limit + " = " +
                (op.limit ? "static_cast<unsigned long long>(gyre::ops::max(0LL, "
                            "static_cast<long long>(" +
                                self.expression(op.limit) + ")))"
                          : "gyre::control(state).max_trips") +
                ";");
      self.stop_if_bad();
      self.line("for (unsigned long long " + trips + " = 0;; ++" + trips + ") {");
      ++self.depth_;
      self.mark_place();
      const std::string first = op.test_last ? trips + " != 0 && " : "";
      self.line("if (" + first + "!(" + self.expression(op.condition) + ")) break;");
      self.stop_if_bad();
      self.line("if (" + trips + " >= " + limit + ") {");
      self.line("  gyre::report_trip_limit(state, here);");
      self.line("  return;");
      self.line("}");
      --self.depth_;
      self.nested(op.body);
      self.line("}");
    }
    void operator()(const plan::RepeatOver& op) const {
      const EmitKernel::InRegion inside(self, op.region);
      const std::string at = number(self.statement_);
      const std::string type = cpp_type(context.plan[op.range.index].type);
      self.mark_place();
      self.line("const long long begin" + at + " = " + self.expression(op.range.begin) + ";");
      self.line("const long long end" + at + " = " + self.expression(op.range.end) + ";");
      self.line("const long long step" + at + " = " +
                (op.range.step ? self.expression(op.range.step) : "1") + ";");
      self.stop_if_bad();
      if (op.range.step) {
        self.line("if (step" + at + " == 0) {");
        self.line("  gyre::report_zero_step(state, here);");
        self.line("  return;");
        self.line("}");
      }
      self.line("const unsigned long long count" + at + " = gyre::ops::range_extent(begin" + at +
                ", end" + at + ", step" + at + ");");
      self.line("for (unsigned long long trip" + at + " = 0; trip" + at + " < count" + at +
                "; ++trip" + at + ") {");
      self.line("  const " + type + " " + self.expr_.name(op.range.index) + " = static_cast<" +
                type + ">(begin" + at + " + static_cast<long long>(trip" + at + ") * step" + at +
                ");");
      self.nested(op.body);
      self.line("}");
    }
    void operator()(const plan::Leave&) const { self.line("break;"); }
    void operator()(const plan::NextTrip&) const { self.line("continue;"); }
  };
  for (const plan::Statement& statement : list) {
    begin_statement();
    std::visit(Emit{*this, context_}, statement.kind);
  }
}

void EmitKernel::nested(const std::vector<plan::Statement>& list) {
  ++depth_;
  statements(list);
  --depth_;
}

}  // namespace gyre::jit
