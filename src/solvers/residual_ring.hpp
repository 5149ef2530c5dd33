/// The last residuals of a solve, as its program keeps them.
#pragma once

#include "gyre/runtime/executable.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gyre::solvers {

/// A buffer of the program, which stays where that runs: trip t has place t modulo its length, with
/// t + 1, by which its owner is known, and ‖r‖.
class ResidualRing {
 public:
  /// Where `kept` is 0 there is none.
  ResidualRing(std::shared_ptr<Executable> executable, std::int64_t kept)
      : executable_(std::move(executable)), kept_(kept) {}

  std::int64_t kept() const { return kept_; }

  struct Entry {
    std::int64_t trip;
    double residual;

    bool operator==(const Entry&) const = default;
  };
  /// What it holds of trips first .. last, both included, in order.
  std::vector<Entry> read(std::int64_t first, std::int64_t last) const;
  struct Look {
    std::vector<Entry> entries;
    /// The newest trip that was there; -1 for none.
    std::int64_t newest;
  };
  /// What it holds from trip `first` on while the solve runs, without what may change yet: entries
  /// that are half written, and the newest, whose residual is the true one in the end.
  Look look(std::int64_t first) const;

 private:
  void read_places(std::int64_t begin, std::int64_t end, std::vector<double>& words) const;

  std::shared_ptr<Executable> executable_;
  std::int64_t kept_;
};

}  // namespace gyre::solvers
