/// What tells one thing that is made ready from another.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace gyre::dispatch {

/// Two programs of equal sizes are two shapes, and so are two modes of one program.
struct Shape {
  std::string program;
  /// How it was made: executor, checked or not, precision, …; whatever the caller tells apart.
  std::string mode;
  std::vector<std::int64_t> sizes;

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

/// `decode (fast) 8 x 128`: for messages.
std::string describe(const Shape& shape);

}  // namespace gyre::dispatch
