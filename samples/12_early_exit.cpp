// A model that leaves early: a row of the batch is done behind the first block that is confident of
// it, and blocks that no row waits for do not run. Nobody asks the host after a block.
#include "forwards/early_exit.hpp"

#include <cstdio>

int main() {
  const forwards::EarlyExitModel model({.blocks = 6, .width = 64, .classes = 8}, 1);
  auto early_exit =
      gyre::compile(forwards::early_exit_program({.blocks = static_cast<int>(model.blocks)}));
  bind_weights(early_exit, model);
  std::printf("on %s\n", std::string(early_exit.executor()).c_str());

  bool right = true;
  std::uint64_t batch = 0;
  for (const std::size_t rows : {1, 1, 1, 1, 8, 64}) {
    const auto x = forwards::make_values(batch++, rows * 64);
    std::vector<std::int32_t> label(rows);
    std::vector<std::int32_t> left_after(rows);
    early_exit.bind("x", x, {static_cast<std::int64_t>(rows), 64});
    early_exit.bind("label", label);
    early_exit.bind("left_after", left_after);
    const gyre::Result result = early_exit.run();

    std::size_t left_by_first = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const float* first = x.data() + 64 * r;
      const auto expected = forwards::plain::early_exit(model, {first, first + 64});
      right = right && label[r] == expected.label && left_after[r] == expected.left_after;
      left_by_first += left_after[r] == 0;
    }
    std::printf("%2zu rows: %d of 6 blocks ran; the first was enough for %zu\n", rows,
                result.get<std::int32_t>("blocks_run"), left_by_first);
  }
  return right ? 0 : 1;
}
