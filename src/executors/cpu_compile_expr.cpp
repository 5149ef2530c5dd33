#include "cpu_compiler.hpp"
#include "cpu_control.hpp"
#include "cpu_fold.hpp"
#include "cpu_fold_table.hpp"
#include "cpu_map.hpp"
#include "cpu_memory.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>

namespace gyre::executors::cpu {
namespace {

// Distinguishes loads from operators among the keys of known values.
constexpr std::uint64_t load_key = std::uint64_t{1} << 63;

bool can_fault(const ir::Expr& expr) {
  return ir::contains_load(expr) || ir::contains_fold(expr);
}

}  // namespace

RegId Compiler::compile(const ir::Expr& expr) {
  return std::visit([&](const auto& kind) { return compile_node(*expr, kind); }, expr->kind);
}

RegId Compiler::compile_once(const ir::Expr& expr) {
  const RegId value = compile(expr);
  if (versions_[value] == 0) return value;
  const RegId copy = add_register(expr->type, places_.back().context);
  emit_assign(copy, value);
  return copy;
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Literal& literal) {
  return preset(node.type, false, 0, literal.value.bits());
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Read& read) {
  const auto symbol = static_cast<std::uint32_t>(read.symbol);
  const auto local = locals_.find(symbol);
  if (local == locals_.end()) return preset(node.type, true, symbol, 0);
  return import(local->second, places_.back().context);
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Load& load) {
  const std::uint32_t access = add_access(load.buffer, load.index);
  const auto buffer = static_cast<std::uint32_t>(load.buffer);
  const auto stored = stored_.find(buffer);
  body_.accesses[access].stable = stored == stored_.end();

  const Key key =
      key_of(load_key | buffer, node.type, places_.back().context, body_.accesses[access].index,
             stored == stored_.end() ? 0 : stored->second);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;

  const RegId out = add_register(node.type, places_.back().context);
  emit({run_of_load(plan_[load.buffer].type), out, {}, access});
  remember(key, out);
  return out;
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Apply& apply) {
  const bool lazy =
      ((apply.op == ir::Op::And || apply.op == ir::Op::Or) && can_fault(apply.operands[1])) ||
      (apply.op == ir::Op::Select &&
       (can_fault(apply.operands[1]) || can_fault(apply.operands[2])));
  if (lazy) return compile_lazy(node, apply);
  std::array<RegId, 3> in = {no_register, no_register, no_register};
  for (std::size_t i = 0; i < apply.operands.size(); ++i) in.at(i) = compile(apply.operands[i]);
  return emit_pure(run_of_op(apply.op, apply.operands.back()->type), node.type, in);
}

RegId Compiler::compile_lazy(const ir::ExprNode& node, const ir::Apply& apply) {
  const RegId condition = compile_once(apply.operands[0]);
  const RegId out = add_register(node.type, places_.back().context);
  const auto branch = static_cast<std::uint32_t>(body_.branches.size());
  body_.branches.emplace_back();
  const auto arm = [&](const ir::Expr& value) {
    Code code;
    within(code, [&] { emit_assign(out, compile(value)); });
    return code;
  };
  const auto keep = [&] {
    Code code;
    within(code, [&] { emit_assign(out, condition); });
    return code;
  };
  Code then;
  Code otherwise;
  if (apply.op == ir::Op::Select) {
    then = arm(apply.operands[1]);
    otherwise = arm(apply.operands[2]);
  } else if (apply.op == ir::Op::And) {
    then = arm(apply.operands[1]);
    otherwise = keep();
  } else {
    then = keep();
    otherwise = arm(apply.operands[1]);
  }
  body_.branches[branch] = {std::move(then), std::move(otherwise)};
  emit({&run_branch, no_register, {condition, no_register, no_register}, branch});
  return out;
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Cast& cast) {
  const RegId operand = compile(cast.operand);
  if (cast.operand->type == node.type) return operand;
  return emit_pure(run_of_cast(node.type, cast.operand->type), node.type,
                   {operand, no_register, no_register});
}

RegId Compiler::compile_step(const ir::Range& range) {
  if (!range.step) return no_register;
  const RegId step = compile_once(range.step);
  const auto check = static_cast<std::uint32_t>(body_.step_checks.size());
  body_.step_checks.push_back(site());
  emit({&run_step_check, no_register, {step, no_register, no_register}, check});
  return step;
}

RegId Compiler::compile_node(const ir::ExprNode& node, const ir::Fold& fold) {
  GYRE_CHECK(!fold.ranges.empty(), "a fold over no range");
  FoldCode code;
  code.table = &fold_table(fold.op, fold.operand->type);
  for (const ir::Range& range : fold.ranges) {
    const RegId begin = compile_once(range.begin);
    const RegId end = compile_once(range.end);
    code.ranges.push_back({begin, end, compile_step(range), no_register});
  }
  const Place outside = places_.back();
  code.context = static_cast<std::uint32_t>(body_.parents.size());
  body_.parents.push_back(outside.context);
  for (std::size_t d = 0; d < fold.ranges.size(); ++d) {
    code.ranges[d].index = add_register(fold.ranges[d].begin->type, code.context);
    locals_[static_cast<std::uint32_t>(fold.ranges[d].index)] = code.ranges[d].index;
  }
  code.spread = add_register(fold.operand->type, code.context);

  const std::size_t mark = known_mark();
  Code operand;
  places_.push_back({&operand, code.context});
  const auto* product = ir::as<ir::Apply>(fold.operand);
  if (fold.op == ir::FoldOp::Sum && product != nullptr && product->op == ir::Op::Mul) {
    code.operand = compile(product->operands[0]);
    code.factor = compile(product->operands[1]);
  } else {
    code.operand = compile(fold.operand);
    code.factor = no_register;
  }
  places_.pop_back();
  forget_since(mark);
  code.body = std::move(operand);

  const RegId out = add_register(node.type, outside.context);
  emit({&run_fold, out, {}, static_cast<std::uint32_t>(body_.folds.size())});
  body_.folds.push_back(std::move(code));
  return out;
}

RegId Compiler::import(RegId reg, std::uint32_t to) {
  const RegisterInfo info = body_.registers[reg];
  if (info.context == every_context || info.context == to) return reg;
  // The nearest place that writes code for the parent is where this fold will be run from.
  const std::uint32_t parent = body_.parents[to];
  const auto place = std::find_if(places_.rbegin(), places_.rend(),
                                  [&](const Place& p) { return p.context == parent; });
  GYRE_CHECK(place != places_.rend(), "a value is read where it does not live");
  RegId from = reg;
  if (info.context != parent) {
    // Written on behalf of the parent, so nothing here may take it for its own.
    const Place here = *place;
    places_.push_back(here);
    from = import(reg, parent);
    places_.pop_back();
  }
  return emit_pure(run_of_expand(info.type), info.type, {from, no_register, no_register});
}

}  // namespace gyre::executors::cpu
