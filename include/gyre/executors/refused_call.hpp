/// A call of the user's that an executor cannot make.
#pragma once

#include "gyre/base/error.hpp"

namespace gyre::executors {

/// A call whose work cannot be part of a graph, in one sentence: its name, the region it stands in,
/// what it does, and what would be right. Nested in it is what the work threw, if it threw.
class RefusedCall : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace gyre::executors
