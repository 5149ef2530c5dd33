#include "cpu_compile.hpp"

#include "cpu_compiler.hpp"
#include "cpu_control.hpp"
#include "cpu_map.hpp"
#include "cpu_memory.hpp"
#include "gyre/base/error.hpp"

#include <type_traits>

namespace gyre::executors::cpu {

Body compile_sweep(const plan::Plan& plan, const plan::Kernel& kernel) {
  return Compiler(plan, kernel.region).sweep(*kernel.sweep);
}

Body compile_scalars(const plan::Plan& plan, std::span<const ir::Expr> values,
                     const std::string& region) {
  return Compiler(plan, region).scalars(values);
}

Compiler::Compiler(const plan::Plan& plan, std::string region) : plan_(plan) {
  body_.parents.push_back(0);
  body_.regions.push_back(std::move(region));
}

Body Compiler::sweep(const plan::Sweep& sweep) {
  Code code;
  places_.push_back({&code, 0});
  for (const ir::Range& range : sweep.ranges) {
    const RegId index = add_register(range.begin->type, 0);
    locals_[static_cast<std::uint32_t>(range.index)] = index;
    body_.indices.push_back(index);
  }
  find_targets(sweep.body);
  compile(sweep.body);
  body_.code = std::move(code);
  return std::move(body_);
}

Body Compiler::scalars(std::span<const ir::Expr> values) {
  Code code;
  places_.push_back({&code, 0});
  for (const ir::Expr& value : values) body_.results.push_back(compile(value));
  body_.code = std::move(code);
  return std::move(body_);
}

void Compiler::compile(const std::vector<plan::Statement>& statements) {
  for (const plan::Statement& statement : statements) {
    statement_ = statements_++;
    std::visit([&](const auto& kind) { compile(kind); }, statement.kind);
  }
}

// A local with one Define and no Set is its value's register; others have one of their own.
void Compiler::compile(const plan::Define& define) {
  const auto symbol = static_cast<std::uint32_t>(define.local);
  const RegId value = compile_once(define.value);
  if (definitions_[symbol] < 2) {
    locals_[symbol] = value;
    return;
  }
  if (!locals_.contains(symbol)) {
    locals_[symbol] = add_register(define.value->type, places_.back().context);
  }
  emit_assign(locals_[symbol], value);
  versions_[locals_[symbol]] = ++clock_;
}

void Compiler::compile(const plan::Set& set) {
  const RegId value = compile(set.value);
  const RegId local = locals_.at(static_cast<std::uint32_t>(set.local));
  if (value != local) emit_assign(local, value);
  versions_[local] = ++clock_;
}

void Compiler::compile(const plan::Store& store) {
  const std::uint32_t access = add_access(store.buffer, store.index);
  const RegId value = compile(store.value);
  const ir::ScalarType element = plan_[store.buffer].type;
  const Run run = store.kind == plan::Store::Kind::ScatterAdd ? run_of_scatter_add(element)
                                                              : run_of_store(element);
  emit({run, no_register, {value, no_register, no_register}, access});
  stored_[static_cast<std::uint32_t>(store.buffer)] = ++clock_;
}

Contribution& Compiler::contribution(std::uint32_t reduction, bool repeats) {
  const auto found = std::find_if(body_.contributions.begin(), body_.contributions.end(),
                                  [&](const Contribution& c) { return c.reduction == reduction; });
  if (found != body_.contributions.end()) return *found;
  Contribution made{reduction, add_register(plan_.reductions[reduction].type, 0)};
  if (repeats) made.reached = add_register(ir::ScalarType::Bool, 0);
  versions_[made.term] = ++clock_;
  if (repeats) versions_[made.reached] = ++clock_;
  body_.contributions.push_back(made);
  return body_.contributions.back();
}

void Compiler::compile(const plan::Contribute& contribute) {
  const RegId value = compile(contribute.value);
  const Contribution c = contribution(contribute.reduction, loop_depth_ > 0);
  if (c.reached == no_register) {
    emit_assign(c.term, value);
  } else {
    // The first value is the term itself: -0.0 is not 0 + -0.0.
    const ir::ScalarType type = contribute.value->type;
    const RegId sum = emit_pure(run_of_op(ir::Op::Add, type), type, {c.term, value, no_register});
    const RegId term = emit_pure(run_of_op(ir::Op::Select, type), type, {c.reached, sum, value});
    emit_assign(c.term, term);
    emit_assign(c.reached, preset(ir::ScalarType::Bool, false, 0, 1));
    versions_[c.reached] = ++clock_;
  }
  versions_[c.term] = ++clock_;
}

void Compiler::compile(const plan::Choose& choose) {
  const std::uint32_t outside = region_;
  if (!choose.region.empty()) region_ = add_region(choose.region);
  const RegId condition = compile(choose.condition);
  const auto branch = static_cast<std::uint32_t>(body_.branches.size());
  body_.branches.emplace_back();
  Code then;
  Code otherwise;
  within(then, [&] { compile(choose.then); });
  within(otherwise, [&] { compile(choose.otherwise); });
  body_.branches[branch] = {std::move(then), std::move(otherwise)};
  region_ = outside;
  emit({&run_branch, no_register, {condition, no_register, no_register}, branch});
}

void Compiler::compile(const plan::Repeat& repeat) {
  Loop loop;
  if (repeat.limit) loop.limit = compile_once(repeat.limit);
  loop.test_last = repeat.test_last;
  const std::uint32_t outside = region_;
  if (!repeat.region.empty()) region_ = add_region(repeat.region);
  loop.site = site();
  ++loop_depth_;
  forget_targets(repeat.body);
  // A jump may skip what the body computes, so the test knows nothing of it.
  const auto test = [&] { within(loop.test, [&] { loop.condition = compile(repeat.condition); }); };
  test();
  within(loop.body, [&] { compile(repeat.body); });
  --loop_depth_;
  region_ = outside;
  emit({&run_repeat, no_register, {}, static_cast<std::uint32_t>(body_.loops.size())});
  body_.loops.push_back(std::move(loop));
}

void Compiler::compile(const plan::RepeatOver& repeat) {
  const std::uint32_t outside = region_;
  if (!repeat.region.empty()) region_ = add_region(repeat.region);
  Loop loop;
  loop.begin = compile_once(repeat.range.begin);
  loop.end = compile_once(repeat.range.end);
  loop.step = compile_step(repeat.range);
  loop.index = add_register(repeat.range.begin->type, places_.back().context);
  loop.count = add_register(ir::ScalarType::I64, places_.back().context);
  loop.site = site();
  locals_[static_cast<std::uint32_t>(repeat.range.index)] = loop.index;
  ++loop_depth_;
  forget_targets(repeat.body);
  versions_[loop.index] = ++clock_;
  within(loop.body, [&] { compile(repeat.body); });
  --loop_depth_;
  region_ = outside;
  emit({&run_repeat_over, no_register, {}, static_cast<std::uint32_t>(body_.loops.size())});
  body_.loops.push_back(std::move(loop));
}

void Compiler::compile(const plan::Leave&) {
  emit({&run_leave});
}

void Compiler::compile(const plan::NextTrip&) {
  emit({&run_next_trip});
}

namespace {

// Calls `function` on every statement, nested ones included.
template <class Function>
void for_each_statement(const std::vector<plan::Statement>& statements, Function function) {
  for (const plan::Statement& statement : statements) {
    function(statement);
    if (const auto* choose = std::get_if<plan::Choose>(&statement.kind)) {
      for_each_statement(choose->then, function);
      for_each_statement(choose->otherwise, function);
    } else if (const auto* repeat = std::get_if<plan::Repeat>(&statement.kind)) {
      for_each_statement(repeat->body, function);
    } else if (const auto* over = std::get_if<plan::RepeatOver>(&statement.kind)) {
      for_each_statement(over->body, function);
    }
  }
}

}  // namespace

void Compiler::find_targets(const std::vector<plan::Statement>& statements) {
  for_each_statement(statements, [&](const plan::Statement& statement) {
    if (const auto* define = std::get_if<plan::Define>(&statement.kind)) {
      ++definitions_[static_cast<std::uint32_t>(define->local)];
    } else if (const auto* set = std::get_if<plan::Set>(&statement.kind)) {
      ++definitions_[static_cast<std::uint32_t>(set->local)];
    } else if (const auto* store = std::get_if<plan::Store>(&statement.kind)) {
      stored_[static_cast<std::uint32_t>(store->buffer)] = ++clock_;
    }
  });
}

// Before a loop's body: its second trip sees what the first one wrote.
void Compiler::forget_targets(const std::vector<plan::Statement>& statements) {
  const auto forget_local = [&](ir::SymbolId id) {
    const auto local = locals_.find(static_cast<std::uint32_t>(id));
    if (local != locals_.end() && versions_[local->second] != 0) {
      versions_[local->second] = ++clock_;
    }
  };
  for_each_statement(statements, [&](const plan::Statement& statement) {
    if (const auto* define = std::get_if<plan::Define>(&statement.kind)) {
      forget_local(define->local);
    } else if (const auto* set = std::get_if<plan::Set>(&statement.kind)) {
      forget_local(set->local);
    } else if (const auto* store = std::get_if<plan::Store>(&statement.kind)) {
      stored_[static_cast<std::uint32_t>(store->buffer)] = ++clock_;
    } else if (const auto* contribute = std::get_if<plan::Contribute>(&statement.kind)) {
      const Contribution c = contribution(contribute->reduction, true);
      versions_[c.term] = ++clock_;
      if (c.reached != no_register) versions_[c.reached] = ++clock_;
    }
  });
}

}  // namespace gyre::executors::cpu
