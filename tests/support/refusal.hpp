/// What a misuse is told, for tests.
#pragma once

#include "gyre/base/error.hpp"

#include <string>

namespace gyre::support {

/// The message of the UsageError that `action` ends in, or "accepted".
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gyre::support
