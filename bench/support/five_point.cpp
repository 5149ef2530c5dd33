#include "support/five_point.hpp"

namespace gyre::bench {

HostSystem make_five_point(std::int64_t side) {
  HostSystem system;
  system.side = side;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      const std::int64_t at = y * side + x;
      const auto add = [&](std::int64_t column, double value) {
        system.col.push_back(static_cast<std::int32_t>(column));
        system.val.push_back(value);
      };
      if (y > 0) add(at - side, -1);
      if (x > 0) add(at - 1, -1);
      add(at, 4);
      if (x + 1 < side) add(at + 1, -1);
      if (y + 1 < side) add(at + side, -1);
      system.row.push_back(static_cast<std::int32_t>(system.col.size()));
      system.b.push_back(static_cast<double>(at * 31 % 17) - 8);
    }
  }
  return system;
}

}  // namespace gyre::bench
