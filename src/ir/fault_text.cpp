#include "gyre/ir/fault_text.hpp"

namespace gyre::ir {
namespace {

std::string in_brackets(std::span<const std::int64_t> numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return "[" + text + "]";
}

}  // namespace

std::string out_of_bounds_text(const std::string& buffer, std::span<const std::int64_t> index,
                               ScalarType type, std::span<const std::int64_t> extents) {
  return buffer + in_brackets(index) + " is outside " + std::string(name_of(type)) +
         in_brackets(extents);
}

std::string broken_promise_text(const std::string& buffer, std::span<const std::int64_t> index) {
  return "two indices meet at " + buffer + in_brackets(index) + ", which one of them writes";
}

std::string zero_step_text() {
  return "the step is 0";
}

}  // namespace gyre::ir
