// Decodes a batch of prompts in one launch, each until its own end, while the host reads along.
#include "forwards/batch.hpp"
#include "forwards/decoder_weights.hpp"
#include "forwards/greedy.hpp"
#include "forwards/plain_decoder.hpp"
#include "forwards/token_ring.hpp"

#include <chrono>
#include <cstdio>
#include <vector>

using namespace forwards;

const char* reason(std::int32_t ended) {
  switch (ended) {
    case end_of_sequence: return "end of sequence";
    case at_most_tokens: return "as many tokens as it may have";
    case out_of_pages: return "no page for more";
    default: return "not ended";
  }
}

int main() {
  const DecoderShape shape{.layers = 2,
                           .width = 64,
                           .heads = 4,
                           .hidden = 128,
                           .vocabulary = 96,
                           .positions = 128,
                           .page = 16};
  const DecoderWeights weights = make_decoder_weights(shape, 1);
  const std::vector<Request> requests = {
      {.prompt = {1, 2, 3}, .stop_token = 17, .most_tokens = 128},
      {.prompt = {42}, .stop_token = 23, .most_tokens = 100},
      {.prompt = {7, 7, 7, 7, 7, 7, 7, 7}, .stop_token = 5, .most_tokens = 20},
  };
  Batch batch(shape, requests);

  auto greedy = gyre::compile(greedy_decode(shape));
  weights.bind(greedy);
  batch.bind(greedy);
  TokenRing ring(greedy, batch.prompt_length, 128);
  ring.keep_logits(shape.vocabulary);

  auto launch = greedy.launch();
  std::size_t heard = 0;
  bool is_over = false;
  while (!is_over) {
    is_over = launch.wait_for(std::chrono::milliseconds(1));
    const auto tokens = ring.news();
    heard += tokens.size();
    for (const auto& [member, position, token] : tokens) {
      if (member == 1) std::printf("%d ", token);
    }
  }
  const auto& result = launch.result();
  std::printf("\n%s on %.*s: %lld trips, %llu waits of the host\n", result.describe().c_str(),
              static_cast<int>(greedy.executor().size()), greedy.executor().data(),
              static_cast<long long>(result.get<std::int64_t>("steps")),
              static_cast<unsigned long long>(result.host_syncs()));

  bool right = result.completed();
  std::size_t decoded = 0;
  for (std::size_t m = 0; m < requests.size(); ++m) {
    decoded += batch.sequence(m).size() - requests[m].prompt.size();
    std::printf("member %zu: %d tokens, %s\n", m, batch.length[m], reason(batch.ended[m]));
    right = right && batch.sequence(m) == plain::greedy_decode(weights, requests[m]).tokens;
  }
  return right && heard == decoded ? 0 : 1;
}
