/// What `auto` passed over on its way to an executor, told once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gyre::executors {

/// The executors that were not taken, each with its reason.
class PassedOver {
 public:
  /// `expected` where nobody would have counted on `executor` on this machine.
  void add(std::string_view executor, const std::string& reason, bool expected);

  /// Says in one line of the log what runs instead and why, unless this process has said just that
  /// before. A warning, or information where all of it was expected.
  void tell(std::string_view taken) const;

  /// That line.
  std::string line(std::string_view taken) const;

 private:
  struct Group {
    std::vector<std::string> executors;
    std::string reason;
  };

  /// Neighbours with one reason are one group.
  std::vector<Group> groups_;
  bool expected_ = true;
};

}  // namespace gyre::executors
