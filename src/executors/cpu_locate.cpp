#include "cpu_locate.hpp"

namespace gyre::executors::cpu {
namespace {

bool inside(std::int64_t index, std::int64_t extent) {
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(extent);
}

// The location as a sequence, where no index is a vector and all lanes of the block lie inside.
bool locate_sequence(Machine& machine, const Context& context, const Access& access,
                     const BoundBuffer& buffer, Location& location) {
  location = {};
  for (std::size_t d = 0; d < access.index.size(); ++d) {
    const Register& r = machine.reg(access.index[d]);
    if (r.form == Form::Vector) return false;
    const std::int64_t first = machine.integer_at(access.index[d], 0);
    const std::int64_t step = r.form == Form::Sequence ? r.step : 0;
    if (!inside(first, buffer.extents[d])) return false;
    if (!inside(machine.integer_at(access.index[d], context.lanes - 1), buffer.extents[d])) {
      return false;
    }
    location.first = location.first * buffer.extents[d] + first;
    location.step = location.step * buffer.extents[d] + step;
  }
  return true;
}

template <class I>
bool add_dimension(const I* index, std::int64_t extent, const Lanes& lanes, bool is_first,
                   std::int64_t* offsets) {
  bool outside = false;
  for_each_lane(lanes, [&](int i) {
    const auto at = static_cast<std::int64_t>(index[i]);
    outside |= !inside(at, extent);
    // Outside lanes may wrap here; they are never used.
    const auto before = is_first ? 0 : static_cast<std::uint64_t>(offsets[i]);
    offsets[i] = static_cast<std::int64_t>(before * static_cast<std::uint64_t>(extent) +
                                           static_cast<std::uint64_t>(at));
  });
  return outside;
}

bool add_uniform(std::int64_t index, std::int64_t extent, const Lanes& lanes, bool is_first,
                 std::int64_t* offsets) {
  for_each_lane(lanes, [&](int i) {
    const auto before = is_first ? 0 : static_cast<std::uint64_t>(offsets[i]);
    offsets[i] = static_cast<std::int64_t>(before * static_cast<std::uint64_t>(extent) +
                                           static_cast<std::uint64_t>(index));
  });
  return !inside(index, extent);
}

Location locate_each(Machine& machine, Context& context, const Access& access,
                     const BoundBuffer& buffer, Lanes& lanes) {
  std::int64_t* offsets = context.offsets.data();
  bool outside = false;
  for (std::size_t d = 0; d < access.index.size(); ++d) {
    const RegId id = access.index[d];
    const std::int64_t extent = buffer.extents[d];
    if (machine.reg(id).form == Form::Uniform) {
      outside |= add_uniform(machine.integer_at(id, 0), extent, lanes, d == 0, offsets);
    } else if (machine.body().registers[id].type == ir::ScalarType::I32) {
      outside |= add_dimension(machine.operand<std::int32_t>(id, context).data, extent, lanes,
                               d == 0, offsets);
    } else {
      outside |= add_dimension(machine.operand<std::int64_t>(id, context).data, extent, lanes,
                               d == 0, offsets);
    }
  }
  if (outside) {
    for_each_lane(lanes, [&](int i) { fails_outside(machine, context, access, i); });
    lanes = machine.survivors(context, lanes);
  }
  return {0, 0, offsets};
}

std::vector<std::int64_t> index_of(Machine& machine, const Access& access, int lane) {
  std::vector<std::int64_t> index;
  for (const RegId id : access.index) index.push_back(machine.integer_at(id, lane));
  return index;
}

void watch_lanes(Machine& machine, Context& context, const Access& access, const Location& location,
                 Watched watched, Lanes& lanes) {
  bool broken = false;
  for_each_lane(lanes, [&](int i) {
    const bool breaks = watched == Watched::Load
                            ? machine.watch->load_breaks(access.buffer, location[i])
                            : machine.watch->store_breaks(access.buffer, location[i]);
    if (!breaks) return;
    broken = true;
    const std::string& name =
        machine.shared().symbols[static_cast<std::size_t>(access.buffer)].name;
    // The promise is the sweep's own: it comes before all that its points do.
    const Site promise{0, 0};
    machine.fail(context, i, promise, broken_promise(name, index_of(machine, access, i)));
  });
  if (broken) lanes = machine.survivors(context, lanes);
}

}  // namespace

bool fails_outside(Machine& machine, Context& context, const Access& access, int lane) {
  // A term before this one may have ended the fold that the lane is a term of.
  if (context.state[static_cast<std::size_t>(lane)] != Running) return true;
  const auto symbol = static_cast<std::size_t>(access.buffer);
  const BoundBuffer& buffer = machine.shared().buffers[symbol];
  const std::vector<std::int64_t> index = index_of(machine, access, lane);
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (inside(index[d], buffer.extents[d])) continue;
    machine.fail(context, lane, access.site,
                 out_of_bounds(machine.shared().symbols[symbol].name, index, buffer));
    return true;
  }
  return false;
}

Location locate(Machine& machine, Context& context, const Access& access, Watched watched,
                Lanes& lanes) {
  const BoundBuffer& buffer = machine.shared().buffers[static_cast<std::size_t>(access.buffer)];
  Location location;
  if (!locate_sequence(machine, context, access, buffer, location)) {
    location = locate_each(machine, context, access, buffer, lanes);
  }
  if (machine.watch != nullptr && watched != Watched::Nothing) {
    watch_lanes(machine, context, access, location, watched, lanes);
  }
  return location;
}

}  // namespace gyre::executors::cpu
