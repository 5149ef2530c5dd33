/// How numbers and calls are written in emitted code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::jit {

inline std::string number(std::uint64_t value) {
  return std::to_string(value);
}

/// `function(a, b)`.
inline std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  std::string text = function + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

}  // namespace gyre::jit
