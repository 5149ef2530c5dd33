// Top-k decode beside a plain decoder that is told the same draws.
#include "forwards/top_k.hpp"

#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/ir/scalar_ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

// exp may differ in its last bits from the plain decoder's: choices closer than this may too.
constexpr float clear_top_lead = 1e-5F;

// A batch whose members have temperatures and seeds.
struct Sampled {
  Sampled(const DecoderShape& shape, const std::vector<Request>& of)
      : requests(of), batch(shape, of) {
    for (std::size_t m = 0; m < of.size(); ++m) {
      temperature.push_back(0.25F * static_cast<float>(m % 5));
      seed.push_back(static_cast<std::int64_t>(1000 * m + 7));
    }
  }
  gyre::Result decode(DecodeRun& run) {
    run.executable().bind("temperature", temperature);
    run.executable().bind("seed", seed);
    return run.decode(batch);
  }
  plain::Decoded plainly(const DecoderWeights& weights, std::size_t k, std::size_t m) const {
    return plain::top_k_decode(weights, requests[m], k, temperature[m], [&](std::size_t position) {
      return gyre::ops::uniform_f32(seed[m], static_cast<std::int64_t>(position), std::int64_t{0});
    });
  }

  std::vector<Request> requests;
  Batch batch;
  std::vector<float> temperature;
  std::vector<std::int64_t> seed;
};

TEST(TopKDecode, GivesThePlainDecodersTokensForAThousandPrompts) {
  std::uint64_t seed = 500;
  int too_close = 0;
  std::vector<int> ended(3);
  for (const DecoderShape& shape : some_shapes()) {
    for (const int k : {1, 3, 5}) {
      const auto weights = make_decoder_weights(shape, ++seed);
      DecodeRun run(top_k_decode(shape, k), weights, {.executor = "cpu"});
      for (const std::size_t members : {1U, 4U, 10U, 20U, 50U}) {
        Sampled sampled(shape, random_requests(++seed, members, shape));

        ASSERT_TRUE(sampled.decode(run).completed());

        for (std::size_t m = 0; m < members; ++m) {
          const auto decoded = sampled.plainly(weights, static_cast<std::size_t>(k), m);
          ++ended[static_cast<std::size_t>(decoded.ended)];
          if (decoded.least_lead < clear_top_lead) {
            ++too_close;
            continue;
          }
          ASSERT_EQ(sampled.batch.sequence(m), decoded.tokens) << "k " << k << ", member " << m;
          ASSERT_EQ(sampled.batch.ended[m], decoded.ended);
        }
      }
    }
  }
  EXPECT_LT(too_close, 50);
  EXPECT_GT(ended[end_of_sequence], 100);
  EXPECT_GT(ended[at_most_tokens], 100);
}

TEST(TopKDecode, IsGreedyWhereThereIsNothingToDraw) {
  const DecoderShape shape = some_shapes()[1];
  const auto weights = make_decoder_weights(shape, 3);
  const auto requests = random_requests(4, 8, shape);
  DecodeRun greedy(greedy_decode(shape), weights, {.executor = "cpu"});
  Batch expected(shape, requests);
  greedy.decode(expected);

  for (const int k : {1, 6}) {
    DecodeRun run(top_k_decode(shape, k), weights, {.executor = "cpu"});
    Sampled sampled(shape, requests);
    // Of one candidate any temperature will do.
    if (k > 1) std::fill(sampled.temperature.begin(), sampled.temperature.end(), 0.0F);
    sampled.decode(run);

    EXPECT_EQ(sampled.batch.tokens, expected.tokens) << k;
  }
}

TEST(TopKDecode, DrawsAmongAllTokensWhereThereAreFewer) {
  const DecoderShape shape = some_shapes()[0];
  const auto weights = make_decoder_weights(shape, 3);
  DecodeRun run(top_k_decode(shape, 100), weights, {.executor = "cpu"});
  Sampled sampled(shape, random_requests(4, 8, shape));

  ASSERT_TRUE(sampled.decode(run).completed());

  for (std::size_t m = 0; m < 8; ++m) {
    EXPECT_EQ(sampled.batch.sequence(m), sampled.plainly(weights, 5, m).tokens);
  }
}

TEST(TopKDecode, DrawsTheSameForASeedWhateverTheBatchAndTheLaunches) {
  const DecoderShape shape = some_shapes()[1];
  const auto weights = make_decoder_weights(shape, 5);
  DecodeRun run(top_k_decode(shape, 8), weights, {.executor = "cpu"});
  Sampled all(shape,
              std::vector<Request>(6, {.prompt = {2, 9}, .stop_token = -1, .most_tokens = 40}));
  std::fill(all.temperature.begin(), all.temperature.end(), 1.0F);
  all.decode(run);

  // Alone, and with a page that comes only for a second launch.
  Sampled one(shape, {all.requests[3]});
  one.temperature[0] = 1;
  one.seed[0] = all.seed[3];
  const auto page = std::exchange(one.batch.page_of(0, 4), -1);
  one.decode(run);
  EXPECT_EQ(one.batch.ended[0], out_of_pages);
  one.batch.page_of(0, 4) = page;
  one.decode(run);

  EXPECT_EQ(one.batch.sequence(0), all.batch.sequence(3));
  EXPECT_NE(all.batch.sequence(2), all.batch.sequence(3)) << "another seed";
}

TEST(TopKDecode, DrawsTokensAsOftenAsTheirLogitsSay) {
  const DecoderShape shape = some_shapes()[1];
  constexpr std::size_t k = 4;
  constexpr std::size_t draws = 4000;
  const auto weights = make_decoder_weights(shape, 6);
  DecodeRun run(top_k_decode(shape, k), weights, {.executor = "cpu"});
  Sampled sampled(shape,
                  std::vector<Request>(draws, {.prompt = {5}, .stop_token = -1, .most_tokens = 2}));
  std::fill(sampled.temperature.begin(), sampled.temperature.end(), 0.7F);

  sampled.decode(run);

  std::vector<int> count(static_cast<std::size_t>(shape.vocabulary));
  for (std::size_t m = 0; m < draws; ++m) {
    ++count[static_cast<std::size_t>(sampled.batch.sequence(m)[1])];
  }
  auto logits = plain::Decoder(weights).logits(5);
  std::vector<std::size_t> likely;
  std::vector<double> weight;
  double total = 0;
  for (std::size_t i = 0; i < k; ++i) {
    likely.push_back(plain::largest(logits));
    weight.push_back(std::exp(std::exchange(logits[likely.back()], -INFINITY) / 0.7));
    total += weight.back();
  }
  for (std::size_t i = 0; i < k; ++i) {
    const double expected = draws * weight[i] / total;
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(count[likely[i]], expected, 5 * std::sqrt(expected * (1 - weight[i] / total)));
    count[likely[i]] = 0;
  }
  EXPECT_EQ(*std::max_element(count.begin(), count.end()), 0) << "none but the k likeliest";
}

TEST(TopKDecode, KeepsItsPromises) {
  const DecoderShape shape = some_shapes()[1];
  DecodeRun run(top_k_decode(shape, 4), make_decoder_weights(shape, 9),
                {.executor = "cpu", .checked = true});
  Sampled sampled(shape, random_requests(10, 6, shape));

  const auto result = sampled.decode(run);

  EXPECT_TRUE(result.completed()) << result.describe();
}

TEST(TopKDecode, AgreesOnEveryExecutor) {
  const DecoderShape shape = some_shapes()[1];
  const auto weights = make_decoder_weights(shape, 7);
  const auto requests = random_requests(8, 4, shape);
  for (const auto& info : gyre::executors::available_executors()) {
    if (!info.available) continue;
    DecodeRun run(top_k_decode(shape, 4), weights, {.executor = std::string(info.name)});
    Sampled sampled(shape, requests);

    ASSERT_TRUE(sampled.decode(run).completed()) << info.name;

    for (std::size_t m = 0; m < requests.size(); ++m) {
      const auto decoded = sampled.plainly(weights, 4, m);
      if (decoded.least_lead < clear_top_lead) continue;
      EXPECT_EQ(sampled.batch.sequence(m), decoded.tokens) << info.name;
    }
  }
}

}  // namespace
}  // namespace forwards
