/// One program for requests of any number of rows: each runs in the executable of its bucket, which
/// is kept, and is told how many of its rows are live.
///
/// Leaves out choosing the buckets (plan_buckets.hpp), and requests that are put together.
#pragma once

#include "gyre/dispatch/buckets.hpp"
#include "gyre/dispatch/shape_cache.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/runtime/executable.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gyre::dispatch {

struct DispatchOptions {
  /// The program's size that is bound to the rows of a bucket.
  std::string rows = "n";
  /// Its `in` scalar, an i32 or i64, for how many of them are live. What stands behind those is
  /// padding: a program must leave what it keeps there alone.
  std::string live = "live";
  Buckets buckets = {};
  CacheLimits limits = {};
  /// Whether requests of different buckets may run at once. Otherwise they take turns, and their
  /// temporaries lie in one arena, which is as large as the largest bucket needs and stands beside
  /// the limits.
  bool side_by_side = false;
  /// What a driver takes for the graphs and kernels of an executable: measured, as by
  /// bench/shape_dispatch.cpp. It counts in the limits beside what the executable itself holds.
  std::size_t driver_bytes = 0;
  /// How executables of buckets are made. With an arena of the caller's theirs is that one, and
  /// requests wait for whatever else runs there.
  CompileOptions compile = {};
  /// The executor of requests for which nothing is made ready: those that no bucket holds, and
  /// those of shapes that have not been asked for often enough. Empty: `host_branch` where it and
  /// the buckets' executables run on a GPU, else `cpu`.
  std::string eager_executor = {};
};

/// Any thread may ask. Requests of one bucket run one after the other, and so do eager ones; unless
/// they may run side by side all requests do.
class Dispatcher {
 public:
  /// Compiles what eager requests run in. UsageError where the program has no such size or scalar,
  /// or the machine no executor of a name given.
  Dispatcher(ir::Program program, DispatchOptions options);

  /// Binds a request's buffers and scalars to an executable, for so many rows: those of a bucket,
  /// or of an eager request its own.
  using Bind = std::function<void(Executable&, std::int64_t rows)>;

  struct Answer {
    Result result;
    /// The rows that ran, padding included.
    std::int64_t rows = 0;
    bool eager = false;
  };

  /// Runs a request to its end. One without live rows runs nowhere, in no time, and its answer has
  /// no result. What `bind` throws comes through.
  std::optional<Answer> run(std::int64_t live, const Bind& bind);

  CacheCounts counts() const { return cache_.counts(); }
  /// What the arena of all buckets holds now; 0 where each has memory of its own.
  std::size_t arena_bytes() const {
    return options_.compile.arena ? options_.compile.arena->held_bytes() : 0;
  }

 private:
  /// An executable, and whose turn it is.
  struct Ready {
    std::mutex turn;
    Executable executable;
  };

  std::shared_ptr<Ready> make(const std::string& executor) const;
  /// The executable of a bucket, made with what the request binds; null: the request runs eagerly.
  std::shared_ptr<Ready> ready_for(std::int64_t live, std::int64_t rows, const Bind& bind);
  void bind_request(Executable& executable, std::int64_t live, std::int64_t rows,
                    const Bind& bind) const;
  Result run_in(Ready& ready, std::int64_t live, std::int64_t rows, const Bind& bind);

  ir::Program program_;
  DispatchOptions options_;
  /// Held by the request that runs, where they take turns.
  std::mutex turn_;
  std::shared_ptr<Ready> eager_;
  ShapeCache<Ready> cache_;
};

}  // namespace gyre::dispatch
