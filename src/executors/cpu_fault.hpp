/// How a lane ends early, and which of many such endings is told.
#pragma once

#include "cpu_bytecode.hpp"
#include "gyre/ir/outcome.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gyre::executors::cpu {

struct BoundBuffer;

/// Why a lane ended: a fault, or Status::TripLimit.
struct Ending {
  ir::Status status = ir::Status::Fault;
  ir::FaultKind kind = ir::FaultKind::None;
  std::string detail;
};

/// An ending with its place in the order of faults.
struct FaultFound {
  std::uint32_t statement;
  std::int64_t linear;
  /// Within the statement: which term of a fold, which term of a fold in that, …
  std::vector<std::int64_t> terms;
  std::string region;
  Ending ending;

  bool operator<(const FaultFound& other) const {
    return std::tie(statement, linear, terms) <
           std::tie(other.statement, other.linear, other.terms);
  }
};

/// `x[12] is outside f64[10]`, with OutOfBounds.
Ending out_of_bounds(const std::string& name, const std::vector<std::int64_t>& index,
                     const BoundBuffer& buffer);
Ending zero_step();
Ending broken_promise(const std::string& name, const std::vector<std::int64_t>& index);

/// Watches a checked sweep, point after point, for two points that meet at one element.
class PromiseWatch {
 public:
  void start_point(std::int64_t linear) { linear_ = linear; }
  /// Whether this access breaks the promise.
  bool load_breaks(ir::SymbolId buffer, std::int64_t at);
  bool store_breaks(ir::SymbolId buffer, std::int64_t at);

 private:
  static constexpr std::int64_t nobody = -1;
  static constexpr std::int64_t several = -2;
  struct Visitors {
    std::int64_t writer = nobody;
    std::int64_t reader = nobody;
  };

  std::int64_t linear_ = 0;
  std::unordered_map<std::uint32_t, std::unordered_map<std::int64_t, Visitors>> seen_;
};

}  // namespace gyre::executors::cpu
