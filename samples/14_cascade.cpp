// A gated cascade: a cheap detector looks at every row, and the expensive classifier runs only for
// batches in which it fires, on the rows for which it does.
#include "forwards/cascade.hpp"

#include <cstdio>

int main() {
  forwards::CascadeModel model({.depth = 4, .width = 64, .narrow = 16, .classes = 10}, 3);
  model.threshold = 0.5F;
  auto cascade = gyre::compile(forwards::cascade_program({.depth = 4}));
  bind_weights(cascade, model);
  std::printf("on %s\n", std::string(cascade.executor()).c_str());

  constexpr std::size_t rows = 4;
  bool right = true;
  std::uint64_t classified = 0;
  std::vector<std::int32_t> fired(rows);
  std::vector<std::int32_t> label(rows);
  cascade.bind("fired", fired);
  cascade.bind("label", label);
  for (std::uint64_t batch = 0; batch < 12; ++batch) {
    const auto x = forwards::make_values(batch, rows * 64);
    cascade.bind("x", x, {rows, 64});
    const auto times = cascade.run().arms("cascade/if#0")[0];

    classified += times;
    std::printf("batch %2d: %-22s labels", static_cast<int>(batch),
                times == 0 ? "nothing there" : "classified");
    for (std::size_t r = 0; r < rows; ++r) {
      const float* first = x.data() + 64 * r;
      right = right && label[r] == forwards::plain::cascade(model, {first, first + 64});
      std::printf(" %2d", label[r]);
    }
    std::puts("");
  }
  std::printf("the classifier ran for %d of 12 batches\n", static_cast<int>(classified));
  return right && classified > 0 && classified < 12 ? 0 : 1;
}
