/// A schedule of rows within a program: sweeps over its chunks, by the names under which it is
/// bound.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/level_schedule.hpp"
#include "gyre/solvers/numbers.hpp"

#include <span>
#include <string>

namespace gyre::solvers {

class ScheduledRows {
 public:
  /// Declares `name`_chunks, _width, _begin and _order, of `n` rows.
  ScheduledRows(builder::Program& p, const std::string& name, const Index& n)
      : program_(p),
        chunks_(p.size(name + "_chunks")),
        width_(p.size(name + "_width")),
        begin_(p.in<std::int32_t>(name + "_begin", {chunks_ + 1})),
        order_(p.in<std::int32_t>(name + "_order", {n})) {}

  Index chunks() const { return chunks_; }
  /// Where in the order that chunk begins; as many as there are chunks: where the last one ends.
  Index begin_of(const Index& chunk) const { return as<std::int64_t>(begin_[chunk]); }
  /// The row at that place of the order.
  Index row(const Index& place) const { return as<std::int64_t>(order_[place]); }

  /// Runs `body` for each place of that chunk, at once. It stores by `scatter`, what no other place
  /// of the chunk touches.
  template <class Body>
  void sweep(const Index& chunk, const Body& body) const {
    const auto first = program_.let("first", begin_of(chunk));
    const auto end = program_.let("end", begin_of(chunk + 1));
    // As many points for every chunk: then the host knows how many threads it takes.
    program_.foreach(builder::range("lane", 0, width_), builder::independent,
                     [&](const Index& lane) {
                       const auto place = program_.let("place", first + lane);
                       program_.if_(place < end, [&] { body(place); });
                     });
  }

  /// The same for all chunks, one after the other; they are even in number.
  template <class Body>
  void sweep_all(const Body& body) const {
    // Two a trip: the kernel that counts on is then not the one that reads the count, and need not
    // wait for its last block.
    program_.for_(builder::range("chunk", 0, chunks_).step(2), [&](const Index& chunk) {
      sweep(chunk, body);
      sweep(chunk + 1, body);
    });
  }

 private:
  builder::Program& program_;
  builder::Size chunks_;
  builder::Size width_;
  builder::Buffer<std::int32_t> begin_;
  builder::Buffer<std::int32_t> order_;
};

/// Binds a schedule to what was declared under `name`. It must outlive the executable's runs.
inline void bind_schedule(Executable& executable, const std::string& name,
                          const LevelSchedule& schedule) {
  executable.set_size(name + "_chunks", schedule.chunks());
  executable.set_size(name + "_width", schedule.width);
  executable.bind_steady(name + "_begin", std::span(schedule.begin));
  executable.bind_steady(name + "_order", std::span(schedule.order));
}

}  // namespace gyre::solvers
