#include "support/same_run.hpp"

#include <string>

namespace gyre::support {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

std::string text_of(const std::vector<std::uint64_t>& counts) {
  std::string text;
  for (const std::uint64_t count : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count);
  return "[" + text + "]";
}
std::string text_of(std::uint64_t count) {
  return std::to_string(count);
}

template <class Counts>
AssertionResult same_counts(const char* what, const Counts& expected, const Counts& actual) {
  for (const auto& [path, count] : expected) {
    const auto found = actual.find(path);
    if (found == actual.end()) return AssertionFailure() << what << " of " << path << " missing";
    if (found->second == count) continue;
    return AssertionFailure() << what << " of " << path << ": expected " << text_of(count)
                              << ", got " << text_of(found->second);
  }
  for (const auto& [path, count] : actual) {
    if (!expected.contains(path)) {
      return AssertionFailure() << what << " of " << path << ": expected none, got "
                                << text_of(count);
    }
  }
  return AssertionSuccess();
}

AssertionResult same_scalars(const ir::Outcome& expected, const ir::Outcome& actual) {
  if (expected.scalars.size() != actual.scalars.size()) {
    return AssertionFailure() << "expected " << expected.scalars.size() << " output scalars, got "
                              << actual.scalars.size();
  }
  for (const auto& [name, value] : expected.scalars) {
    const auto found = actual.scalars.find(name);
    if (found == actual.scalars.end()) return AssertionFailure() << "no output scalar " << name;
    if (same(value, found->second)) continue;
    return AssertionFailure() << name << ": expected " << to_string(value) << ", got "
                              << to_string(found->second);
  }
  return AssertionSuccess();
}

AssertionResult same_buffers(const OwnedArguments& expected, const OwnedArguments& actual) {
  for (const auto& [name, buffer] : expected.buffers) {
    const OwnedBuffer& other = actual.buffers.at(name);
    const std::int64_t count = buffer.element_count();
    for (std::int64_t i = 0; i < count; ++i) {
      if (same(buffer.at(i), other.at(i))) continue;
      return AssertionFailure() << name << " at element " << i << ": expected "
                                << to_string(buffer.at(i)) << ", got " << to_string(other.at(i));
    }
  }
  return AssertionSuccess();
}

AssertionResult same_end(const ir::Outcome& expected, const ir::Outcome& actual) {
  const bool same_detail =
      expected.fault == ir::FaultKind::BrokenPromise || expected.detail == actual.detail;
  if (expected.status == actual.status && expected.label == actual.label &&
      expected.code == actual.code && expected.region == actual.region &&
      expected.fault == actual.fault && same_detail) {
    return AssertionSuccess();
  }
  return AssertionFailure() << "expected " << describe(expected) << ", got " << describe(actual);
}

}  // namespace

AssertionResult same_run(const Run& expected, const Run& actual) {
  AssertionResult result = same_end(expected.outcome, actual.outcome);
  const ir::Status status = expected.outcome.status;
  if (!result || status == ir::Status::Cancelled) return result;
  result = same_counts("trips", expected.outcome.trips, actual.outcome.trips);
  if (result) result = same_counts("arms", expected.outcome.arms, actual.outcome.arms);
  const bool has_data = status == ir::Status::Completed || status == ir::Status::Stopped;
  if (result && has_data) result = same_scalars(expected.outcome, actual.outcome);
  if (result && has_data) result = same_buffers(expected.data, actual.data);
  return result;
}

}  // namespace gyre::support
