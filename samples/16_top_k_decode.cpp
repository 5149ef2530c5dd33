// One prompt eight times, each with dice of its own: the next token is drawn among the five
// likeliest, by a temperature that grows from member to member.
#include "forwards/batch.hpp"
#include "forwards/decoder_weights.hpp"
#include "forwards/plain_decoder.hpp"
#include "forwards/top_k.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace forwards;

int main() {
  const DecoderShape shape{.layers = 2,
                           .width = 64,
                           .heads = 4,
                           .hidden = 128,
                           .vocabulary = 96,
                           .positions = 64,
                           .page = 16};
  const DecoderWeights weights = make_decoder_weights(shape, 1);
  const Request request{.prompt = {42}, .stop_token = 17, .most_tokens = 24};
  std::vector<float> temperature;
  std::vector<std::int64_t> seed;
  for (int m = 0; m < 8; ++m) {
    temperature.push_back(0.2F * static_cast<float>(m));
    seed.push_back(1000 + m);
  }
  Batch batch(shape, std::vector<Request>(8, request));

  auto top_k = gyre::compile(top_k_decode(shape, 5));
  weights.bind(top_k);
  batch.bind(top_k);
  top_k.bind("temperature", temperature);
  top_k.bind("seed", seed);
  top_k.keep("emitted", {batch.members, 1});
  top_k.keep("logits", {batch.members, 1, shape.vocabulary});
  const auto result = top_k.run();

  std::vector<Tokens> sequences;
  for (std::size_t m = 0; m < 8; ++m) {
    sequences.push_back(batch.sequence(m));
    std::printf("%.1f:", static_cast<double>(temperature[m]));
    for (const std::int32_t token : sequences[m]) std::printf(" %d", token);
    std::printf("\n");
  }
  std::printf("%s, the host waited %llu times\n", result.describe().c_str(),
              static_cast<unsigned long long>(result.host_syncs()));

  // At 0 there is nothing to draw, and the same dice fall the same way again.
  const bool is_greedy = sequences[0] == plain::greedy_decode(weights, request).tokens;
  Batch again(shape, std::vector<Request>(8, request));
  again.bind(top_k);
  top_k.run();
  return result.completed() && is_greedy && again.tokens == batch.tokens ? 0 : 1;
}
