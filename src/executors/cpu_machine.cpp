#include "cpu_machine.hpp"

#include <algorithm>
#include <cstring>

namespace gyre::executors::cpu {
namespace {

// Past a cache line, so that element i of several registers does not fall into one cache set.
constexpr std::size_t register_gap = 64;

std::size_t bytes_of(const RegisterInfo& info, const std::vector<Context>& contexts) {
  const std::size_t lanes =
      info.context == every_context ? 1 : static_cast<std::size_t>(contexts[info.context].capacity);
  const std::size_t bytes = lanes * ir::size_of(info.type);
  return (bytes + register_gap - 1) / register_gap * register_gap + register_gap;
}

}  // namespace

Machine::Machine(const Body& body, Shared& shared, int root_lanes)
    : body_(body),
      shared_(shared),
      registers_(body.registers.size()),
      storage_(body.registers.size()),
      constants_(body.presets.size()),
      contexts_(body.parents.size()),
      fold_scratch_(body.parents.size()),
      lane_stack_(std::max(max_terms, root_lanes)) {
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    Context& context = contexts_[i];
    context.capacity = i == 0 ? root_lanes : max_terms;
    context.state.resize(static_cast<std::size_t>(context.capacity));
    context.offsets.resize(static_cast<std::size_t>(context.capacity));
    if (i == 0) continue;
    context.parent = &contexts_[body.parents[i]];
    context.owners.resize(static_cast<std::size_t>(context.capacity));
    context.segments.resize(static_cast<std::size_t>(context.capacity));
  }

  std::size_t bytes = register_gap;
  for (const RegisterInfo& info : body.registers) bytes += bytes_of(info, contexts_);
  memory_ = std::make_unique<std::byte[]>(bytes);
  void* at = memory_.get();
  std::align(register_gap, bytes - register_gap, at, bytes);
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    storage_[i] = at;
    registers_[i].data = at;
    at = static_cast<std::byte*>(at) + bytes_of(body.registers[i], contexts_);
  }
  for (std::size_t i = 0; i < body.presets.size(); ++i) {
    const Preset& preset = body.presets[i];
    constants_[i] = preset.constant;
    registers_[preset.reg].data = preset.is_symbol
                                      ? &shared.current[static_cast<std::size_t>(preset.symbol)]
                                      : &constants_[i];
  }
}

void Machine::prepare() {
  for (const Instr& instr : body_.preamble) instr.run(*this, root(), instr, Lanes{nullptr, 1});
}

void Machine::run_block(int lanes, std::int64_t linear) {
  Context& context = root();
  context.start(lanes);
  context.linear = linear;
  execute(body_.code, context, Lanes{nullptr, lanes});
}

void Machine::execute(const Code& code, Context& context, Lanes lanes) {
  const LaneFrame frame(lane_stack_);
  std::uint32_t epoch = context.epoch;
  for (const Instr& instr : code) {
    if (lanes.count == 0) return;
    instr.run(*this, context, instr, lanes);
    if (context.epoch == epoch) continue;
    lanes = survivors(context, lanes);
    epoch = context.epoch;
  }
}

Lanes Machine::survivors(Context& context, const Lanes& lanes) {
  if (!context.dirty) return lanes;
  std::int32_t* list = lane_stack_.take();
  int count = 0;
  for_each_lane(lanes, [&](int lane) {
    if (context.state[static_cast<std::size_t>(lane)] == Running) list[count++] = lane;
  });
  if (count == lanes.count) return lanes;
  return {list, count};
}

std::int64_t Machine::integer_at(RegId id, int lane) const {
  const Register& r = registers_[id];
  if (r.form == Form::Sequence) return r.first + lane * r.step;
  const int at = r.form == Form::Uniform ? 0 : lane;
  return body_.registers[id].type == ir::ScalarType::I32
             ? static_cast<const std::int32_t*>(r.data)[at]
             : static_cast<const std::int64_t*>(r.data)[at];
}

ir::Value Machine::result(std::size_t number) {
  const RegId id = body_.results[number];
  return ir::dispatch(body_.registers[id].type,
                      [&](auto zero) { return ir::Value(operand<decltype(zero)>(id, root())[0]); });
}

void Machine::fail(Context& context, int lane, const Site& site, const Ending& ending) {
  FaultFound found{site.statement, 0, {}, body_.regions[site.region], ending};
  int point = lane;
  for (Context* at = &context; at->parent != nullptr; at = at->parent) {
    const Segment& segment = at->segment_of(point);
    found.terms.insert(found.terms.begin(), at->done + point - segment.first);
    point = segment.lane;
  }
  found.linear = root().linear + point;
  // Terms before this one go on, so that a lesser fault may follow a greater one.
  if (!fault_ || found < *fault_) fault_ = std::move(found);
  kill(context, lane);
}

void Machine::kill(Context& context, int lane) {
  if (context.parent == nullptr) return context.mark(lane, Dead);
  const Segment& segment = context.segment_of(lane);
  for (int term = lane; term < segment.first + segment.count; ++term) context.mark(term, Dead);
  kill(*context.parent, segment.lane);
}

}  // namespace gyre::executors::cpu
