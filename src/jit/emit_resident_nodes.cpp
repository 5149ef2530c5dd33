#include "case_labels.hpp"
#include "emit_resident.hpp"
#include "gyre/base/error.hpp"

namespace gyre::jit {

void EmitResident::block(const plan::Block& block) {
  for (const plan::Node& node : block.nodes) {
    std::visit([&](const auto& one) { emit(one, node); }, node);
  }
}

void EmitResident::emit(const plan::Launch& launch, const plan::Node&) {
  const plan::Kernel& kernel = context_.plan.kernels[launch.kernel];
  const std::string text = EmitResidentKernel(context_, kernel, launch.kernel, residence_)();
  body_ += indented_lines(text, depth_ - 1);
}

void EmitResident::emit(const plan::Clear& clear, const plan::Node&) {
  const Part part{nullptr, {{clear.buffer, {false, true, false}}}};
  if (residence_.hazards.needs_meeting(part)) line("crew.meet();");
  line("crew.clear(" + expr_.name(clear.buffer) + ", " + elements(clear.buffer) + ");");
}

void EmitResident::emit(const plan::CopyBuffer& copy, const plan::Node&) {
  const Part part{nullptr, {{copy.to, {false, true, false}}, {copy.from, {true, false, false}}}};
  if (residence_.hazards.needs_meeting(part)) line("crew.meet();");
  line("crew.copy(" + joined({expr_.name(copy.to), expr_.name(copy.from), elements(copy.to)}) +
       ");");
}

void EmitResident::emit(const plan::RunCall& call, const plan::Node&) {
  GYRE_CHECK(false, "a resident loop calls '" + call.callee->name + "'");
}

void EmitResident::emit(const plan::ForkNode& fork, const plan::Node&) {
  GYRE_CHECK(false, "a resident loop holds " + fork.region);
}

// Arms are counted one after the other from `counter` on; 0: nobody asks.
void EmitResident::arm(const plan::Block& one, std::uint32_t counter, std::uint32_t number_of_arm) {
  ++depth_;
  if (counter != 0) line("crew.count(" + number(counter + 8 * number_of_arm) + ", 1);");
  block(one);
  --depth_;
}

void EmitResident::emit(const plan::IfNode& choice, const plan::Node&) {
  const std::uint32_t counter = context_.layout.counter(choice.region);
  const auto before = residence_.hazards.pending();
  if (!choice.region.empty()) line("// " + choice.region);
  line("if (" + cell_variable(expr_, {choice.predicate}) + ") {");
  arm(*choice.then, counter, 0);
  const auto behind_then = residence_.hazards.pending();
  residence_.hazards.resume(before);
  line("} else {");
  arm(*choice.otherwise, counter, 1);
  line("}");
  residence_.hazards.join(behind_then);
}

void EmitResident::emit(const plan::SwitchNode& many, const plan::Node& node) {
  const std::uint32_t counter = context_.layout.counter(many.region);
  const auto before = residence_.hazards.pending();
  auto behind = before;
  const auto count = static_cast<std::uint32_t>(many.cases.size());
  if (!many.region.empty()) line("// " + many.region);
  line("switch (" +
       emit_find_case(many, context_.numbers.at(&node), cell_variable(expr_, {many.selector})) +
       ") {");
  ++depth_;
  const auto one_case = [&](const std::string& label, const plan::Block& block, std::uint32_t i) {
    residence_.hazards.resume(before);
    line(label + ": {");
    arm(block, counter, i);
    line("  break;");
    line("}");
    const auto after = residence_.hazards.pending();
    behind.insert(behind.end(), after.begin(), after.end());
  };
  for (std::uint32_t i = 0; i < count; ++i) one_case("case " + number(i), many.cases[i], i);
  one_case("default", *many.otherwise, count);
  --depth_;
  line("}");
  residence_.hazards.resume(std::move(behind));
}

void EmitResident::emit(const plan::WhileNode& loop, const plan::Node&) {
  emit_loop(loop);
}

void EmitResident::emit_loop(const plan::WhileNode& loop) {
  const std::string entry = "entry" + number(context_.loop_numbers.at(&loop));
  const std::string limit =
      loop.limit            ? "gyre::limit_of(" + cell_variable(expr_, {*loop.limit}) + ")"
      : loop.constant_limit ? "gyre::limit_of(" + cpp_literal(ir::Value(*loop.constant_limit)) + ")"
                            : context_.run_limit();
  if (!loop.region.empty()) line("// " + loop.region);
  line("gyre::Entry " + entry + "{" + limit + "};");
  line("while (" +
       call("crew.goes_on",
            {entry, cell_variable(expr_, {loop.predicate}), loop.steady ? "true" : "false",
             number(context_.layout.counter(loop.region)),
             number(context_.names.number(loop.region))}) +
       ") {");
  // Before each trip, and at the end, all meet.
  residence_.hazards.met();
  ++depth_;
  if (context_.options.traced) line("if (crew.leads()) " + trace_trip(context_, loop) + ";");
  block(*loop.body);
  --depth_;
  line("}");
  line("if (crew.has_ended()) return;");
  residence_.hazards.met();
}

}  // namespace gyre::jit
