#include "cpu_control.hpp"

#include "cpu_machine.hpp"

#include <algorithm>

namespace gyre::executors::cpu {
namespace {

// The lanes for which `condition` is `wanted`.
Lanes choose(Machine& machine, const Operand<bool>& condition, bool wanted, const Lanes& lanes) {
  if (condition.stride == 0) return *condition.data == wanted ? lanes : Lanes{};
  std::int32_t* list = machine.lane_stack().take();
  int count = 0;
  for_each_lane(lanes, [&](int lane) {
    list[count] = lane;
    count += condition.data[lane] == wanted ? 1 : 0;
  });
  return count == lanes.count ? lanes : Lanes{list, count};
}

// Those that go on to the next trip, listed in `kept`, which outlives the trip.
Lanes next_trip(Machine& machine, Context& context, const Lanes& lanes, std::int32_t* kept) {
  if (context.dirty) {
    for_each_lane(lanes, [&](int lane) {
      context.state[static_cast<std::size_t>(lane)] &= static_cast<std::uint8_t>(~Waiting);
    });
  }
  Lanes live = machine.survivors(context, lanes);
  if (live.list != nullptr) {
    std::copy_n(live.list, live.count, kept);
    live.list = kept;
  }
  return live;
}

// Outside the loop that they left, lanes run again.
void end_loop(Context& context, const Lanes& lanes) {
  if (!context.dirty) return;
  for_each_lane(lanes, [&](int lane) { context.state[static_cast<std::size_t>(lane)] &= Dead; });
}

void fail_limit(Machine& machine, Context& context, const Lanes& lanes, const Site& site) {
  for_each_lane(lanes, [&](int lane) {
    if (context.state[static_cast<std::size_t>(lane)] != Running) return;
    machine.fail(context, lane, site, {ir::Status::TripLimit, ir::FaultKind::None, ""});
  });
}

std::uint64_t limit_of(Machine& machine, RegId limit, int lane) {
  if (limit == no_register) return machine.shared().max_trips;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(machine.integer_at(limit, lane), 0));
}

// Takes out the lanes that have made all the trips their limit allows. An empty body changes no
// condition: on to the limit at once.
Lanes within_limit(Machine& machine, Context& context, const Loop& loop, std::uint64_t trips,
                   bool tested, const Lanes& lanes) {
  const bool hopeless = tested && loop.body.empty();
  std::int32_t* over = machine.lane_stack().take();
  int count = 0;
  for_each_lane(lanes, [&](int lane) {
    if (hopeless || trips >= limit_of(machine, loop.limit, lane)) over[count++] = lane;
  });
  if (count == 0) return lanes;
  fail_limit(machine, context, {over, count}, loop.site);
  return machine.survivors(context, lanes);
}

std::int64_t step_at(Machine& machine, const Loop& loop, int lane) {
  return loop.step == no_register ? 1 : machine.integer_at(loop.step, lane);
}

bool is_uniform(Machine& machine, RegId id) {
  return id == no_register || machine.reg(id).form == Form::Uniform;
}

void count_trips(Machine& machine, const Loop& loop, const Lanes& lanes) {
  auto* counts = machine.storage<std::int64_t>(loop.count);
  const auto count_at = [&](int lane) {
    return static_cast<std::int64_t>(ops::range_extent(machine.integer_at(loop.begin, lane),
                                                       machine.integer_at(loop.end, lane),
                                                       step_at(machine, loop, lane)));
  };
  if (is_uniform(machine, loop.begin) && is_uniform(machine, loop.end) &&
      is_uniform(machine, loop.step)) {
    return machine.set_value(loop.count, count_at(0));
  }
  for_each_lane(lanes, [&](int lane) { counts[lane] = count_at(lane); });
  machine.set_vector(loop.count);
}

Lanes with_trips_left(Machine& machine, const Context& context, const Loop& loop,
                      std::uint64_t trip, const Lanes& lanes) {
  const auto counts = machine.operand<std::int64_t>(loop.count, context);
  const auto left = [&](int lane) { return trip < static_cast<std::uint64_t>(counts[lane]); };
  if (counts.stride == 0) return left(0) ? lanes : Lanes{};
  std::int32_t* list = machine.lane_stack().take();
  int count = 0;
  for_each_lane(lanes, [&](int lane) {
    list[count] = lane;
    count += left(lane) ? 1 : 0;
  });
  return count == lanes.count ? lanes : Lanes{list, count};
}

template <class I>
void set_index(Machine& machine, Context& context, const Loop& loop, std::uint64_t trip,
               const Lanes& lanes) {
  const auto index_at = [&](int lane) {
    const auto begin = static_cast<std::uint64_t>(machine.integer_at(loop.begin, lane));
    const auto step = static_cast<std::uint64_t>(step_at(machine, loop, lane));
    return static_cast<I>(begin + step * trip);
  };
  if (is_uniform(machine, loop.begin) && is_uniform(machine, loop.step)) {
    return machine.set_value(loop.index, index_at(0));
  }
  I* out = machine.own_vector<I>(loop.index, context);
  for_each_lane(lanes, [&](int lane) { out[lane] = index_at(lane); });
}

}  // namespace

void run_branch(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  const LaneFrame frame(machine.lane_stack());
  const Branch& branch = machine.body().branches[instr.side];
  const Operand<bool> condition = machine.operand<bool>(instr.in[0], context);
  // Both lists first: an arm may write the register that decides.
  const Lanes then = choose(machine, condition, true, lanes);
  const Lanes otherwise = choose(machine, condition, false, lanes);
  if (then.count != 0) machine.execute(branch.then, context, then);
  if (otherwise.count != 0) machine.execute(branch.otherwise, context, otherwise);
}

void run_repeat(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  const LaneFrame frame(machine.lane_stack());
  const Loop& loop = machine.body().loops[instr.side];
  std::int32_t* kept = machine.lane_stack().take();
  Lanes live = lanes;
  for (std::uint64_t trips = 0; live.count != 0; ++trips) {
    const LaneFrame trip_frame(machine.lane_stack());
    const bool tested = !loop.test_last || trips != 0;
    if (tested) {
      machine.execute(loop.test, context, live);
      live = machine.survivors(context, live);
      live = choose(machine, machine.operand<bool>(loop.condition, context), true, live);
    }
    live = within_limit(machine, context, loop, trips, tested, live);
    machine.execute(loop.body, context, live);
    live = next_trip(machine, context, live, kept);
  }
  end_loop(context, lanes);
}

void run_repeat_over(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  const LaneFrame frame(machine.lane_stack());
  const Loop& loop = machine.body().loops[instr.side];
  if (loop.body.empty()) return;
  count_trips(machine, loop, lanes);
  std::int32_t* kept = machine.lane_stack().take();
  Lanes live = lanes;
  for (std::uint64_t trip = 0; live.count != 0; ++trip) {
    const LaneFrame trip_frame(machine.lane_stack());
    live = with_trips_left(machine, context, loop, trip, live);
    if (live.count == 0) break;
    if (machine.body().registers[loop.index].type == ir::ScalarType::I32) {
      set_index<std::int32_t>(machine, context, loop, trip, live);
    } else {
      set_index<std::int64_t>(machine, context, loop, trip, live);
    }
    machine.execute(loop.body, context, live);
    live = next_trip(machine, context, live, kept);
  }
  end_loop(context, lanes);
}

void run_leave(Machine&, Context& context, const Instr&, const Lanes& lanes) {
  for_each_lane(lanes, [&](int lane) { context.mark(lane, Left); });
}

void run_next_trip(Machine&, Context& context, const Instr&, const Lanes& lanes) {
  for_each_lane(lanes, [&](int lane) { context.mark(lane, Waiting); });
}

void run_step_check(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  const Site& site = machine.body().step_checks[instr.side];
  for_each_lane(lanes, [&](int lane) {
    // A term before this one may have ended the fold that the lane is a term of.
    if (context.state[static_cast<std::size_t>(lane)] != Running) return;
    if (machine.integer_at(instr.in[0], lane) != 0) return;
    machine.fail(context, lane, site, zero_step());
  });
}

}  // namespace gyre::executors::cpu
