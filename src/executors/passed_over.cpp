#include "passed_over.hpp"

#include "gyre/base/log.hpp"

#include <mutex>
#include <set>

namespace gyre::executors {
namespace {

bool is_new(const std::string& line) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  return said.insert(line).second;
}

// `a, b and c`.
std::string listed(const std::vector<std::string>& names) {
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  return text;
}

}  // namespace

void PassedOver::add(std::string_view executor, const std::string& reason, bool expected) {
  expected_ = expected_ && expected;
  if (groups_.empty() || groups_.back().reason != reason) {
    groups_.push_back({{}, reason});
  }
  groups_.back().executors.emplace_back(executor);
}

void PassedOver::tell(std::string_view taken) const {
  if (groups_.empty()) return;
  const std::string told = line(taken);
  if (!is_new(told)) return;
  log::write(expected_ ? log::Level::Info : log::Level::Warn, told);
}

std::string PassedOver::line(std::string_view taken) const {
  std::string text = "running on " + std::string(taken);
  for (const Group& group : groups_) {
    text += "; not on " + listed(group.executors) + ": " + group.reason;
  }
  return text;
}

}  // namespace gyre::executors
