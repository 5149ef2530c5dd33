// A mixture of experts, sent to in three ways: by a switch for the whole batch, by groups of rows
// of which those that are empty cost nothing, and without a branch, each row reading the weights of
// its own expert.
#include "forwards/mixture.hpp"

#include <algorithm>
#include <cstdio>

using forwards::Routing;

int main() {
  const forwards::MixtureModel model({.experts = 4, .width = 48, .hidden = 96}, 2);
  constexpr std::size_t rows = 6;
  const auto x = forwards::make_values(5, rows * 48);
  std::vector<std::vector<float>> batch;
  for (std::size_t r = 0; r < rows; ++r) batch.emplace_back(&x[48 * r], &x[48 * r] + 48);

  bool right = true;
  for (const auto routing : {Routing::Switch, Routing::Grouped, Routing::Indexed}) {
    auto mixture = gyre::compile(forwards::mixture_program({.experts = 4, .routing = routing}));
    bind_weights(mixture, model);
    std::vector<float> y(rows * 48);
    std::vector<std::int32_t> expert(rows);
    mixture.bind("x", x, {rows, 48});
    mixture.bind("y", y, {rows, 48});
    mixture.bind("expert", expert);
    const gyre::Result result = mixture.run();

    std::printf("%s: rows went to", std::string(mixture.executor()).c_str());
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t chosen = routing == Routing::Switch
                                     ? forwards::plain::expert_of_batch(model, batch)
                                     : forwards::plain::expert_of_row(model, batch[r]);
      const auto expected = forwards::plain::ask_expert(model, chosen, batch[r]);
      right = right && std::equal(expected.begin(), expected.end(), y.begin() + 48 * r);
      std::printf(" %d", expert[r]);
    }
    std::printf(routing == Routing::Grouped ? "; expert 0 ran %d times\n" : "\n",
                routing == Routing::Grouped ? static_cast<int>(result.arms("mixture/if#0")[0]) : 0);
  }
  return right ? 0 : 1;
}
