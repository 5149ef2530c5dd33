// Speculative decode in one launch: a decoder of one layer proposes, one of four decides, and the
// tokens are those of the large one alone.
#include "forwards/batch.hpp"
#include "forwards/decoder_weights.hpp"
#include "forwards/greedy.hpp"
#include "forwards/speculative.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace forwards;

int main() {
  const DecoderShape shape{.layers = 4,
                           .width = 64,
                           .heads = 4,
                           .hidden = 128,
                           .vocabulary = 96,
                           .positions = 128,
                           .page = 16};
  const DecoderPair decoders = make_decoder_pair(shape, 1, 0.25F);
  const std::vector<Request> requests = {
      {.prompt = {1, 2, 3}, .stop_token = 17, .most_tokens = 128},
      {.prompt = {42}, .stop_token = 23, .most_tokens = 100},
      {.prompt = {7, 7, 7, 7, 7, 7, 7, 7}, .stop_token = 5, .most_tokens = 90},
  };

  Batch alone(shape, requests);
  auto greedy = gyre::compile(greedy_decode(shape));
  decoders.target.bind(greedy);
  alone.bind(greedy);
  greedy.keep("emitted", {alone.members, 1});
  greedy.keep("logits", {alone.members, 1, shape.vocabulary});
  const auto trips = greedy.run().get<std::int64_t>("steps");

  constexpr int proposals = 4;
  Batch batch(shape, requests);
  PageCache draft_cache(decoders.draft.shape, batch.pages);
  std::vector<std::int64_t> kept(proposals + 1);
  auto speculative = gyre::compile(speculative_decode({shape, decoders.draft.shape, proposals}));
  decoders.target.bind(speculative);
  decoders.draft.bind(speculative, "draft_");
  batch.bind(speculative);
  draft_cache.bind(speculative, "draft_");
  speculative.keep("emitted", {batch.members, 1});
  speculative.bind("kept", kept);
  const auto result = speculative.run();

  std::printf("%s: %lld rounds where greedy decode takes %lld trips; the host waited %llu times\n",
              result.describe().c_str(), static_cast<long long>(result.get<std::int64_t>("rounds")),
              static_cast<long long>(trips), static_cast<unsigned long long>(result.host_syncs()));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::printf("%zu of %d proposals kept: %lld times\n", i, proposals,
                static_cast<long long>(kept[i]));
  }
  const bool same = batch.tokens == alone.tokens && batch.ended == alone.ended;
  std::printf("the tokens are %s\n", same ? "the same" : "others");
  return same && result.completed() ? 0 : 1;
}
