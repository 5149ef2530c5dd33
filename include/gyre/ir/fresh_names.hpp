/// Names for what passes add to a program.
#pragma once

#include "gyre/ir/program.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gyre::ir {

/// Hands out names that no symbol of `program` has and that were not handed out before.
class FreshNames {
 public:
  explicit FreshNames(const Program& program);

  /// `base`, or `base_2`, `base_3`, ….
  std::string operator()(const std::string& base);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> last_number_;
};

}  // namespace gyre::ir
