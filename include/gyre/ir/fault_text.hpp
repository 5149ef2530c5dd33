/// What each fault says of itself: the same words wherever a program runs.
///
/// Leaves out where it happened and which of several faults is told.
#pragma once

#include "gyre/ir/scalar_type.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace gyre::ir {

/// `x[12] is outside f64[10]`: of the element at `index` of a buffer of that name and shape.
std::string out_of_bounds_text(const std::string& buffer, std::span<const std::int64_t> index,
                               ScalarType type, std::span<const std::int64_t> extents);
/// `two indices meet at x[3], which one of them writes`.
std::string broken_promise_text(const std::string& buffer, std::span<const std::int64_t> index);
std::string zero_step_text();

}  // namespace gyre::ir
