#include "gyre/dispatch/shape.hpp"

namespace gyre::dispatch {

std::string describe(const Shape& shape) {
  std::string text = shape.program;
  if (!shape.mode.empty()) text += " (" + shape.mode + ")";
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    text += (i == 0 ? " " : " x ") + std::to_string(shape.sizes[i]);
  }
  return text;
}

}  // namespace gyre::dispatch
