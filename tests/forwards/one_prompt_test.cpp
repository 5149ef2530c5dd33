// Where the decode of one prompt begins and ends: its limit, its stop token, its pages.
#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

class OnePrompt : public testing::Test {
 protected:
  OnePrompt()
      : full_(plain::greedy_decode(weights_, {.prompt = {3, 1}, .most_tokens = 40}).tokens) {}

  // Decodes with this request's stop token and limit; gives the batch of one.
  Batch decode(std::int32_t stop_token, std::int32_t most_tokens) {
    Batch batch(shape_, {{.prompt = {3, 1}, .stop_token = stop_token, .most_tokens = most_tokens}});
    trips_ = run_.decode(batch).get<std::int64_t>("steps");
    return batch;
  }
  Tokens first(std::size_t count) const {
    return {full_.begin(), full_.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  DecoderShape shape_ = some_shapes()[1];
  DecoderWeights weights_ = make_decoder_weights(shape_, 5);
  DecodeRun run_{greedy_decode(shape_), weights_, {.executor = "cpu"}};
  Tokens full_;
  std::int64_t trips_ = 0;
};

TEST_F(OnePrompt, MakesNoTripWhereTheLimitIsReached) {
  const Batch batch = decode(-1, 2);

  EXPECT_EQ(batch.sequence(0), first(2));
  EXPECT_EQ(batch.ended[0], at_most_tokens);
  EXPECT_EQ(trips_, 0);
}

TEST_F(OnePrompt, DecodesOneToken) {
  const Batch batch = decode(-1, 3);

  EXPECT_EQ(batch.sequence(0), first(3));
  EXPECT_EQ(batch.ended[0], at_most_tokens);
  EXPECT_EQ(trips_, 2);
}

TEST_F(OnePrompt, StopsAtItsFirstToken) {
  const Batch batch = decode(full_[2], 40);

  EXPECT_EQ(batch.sequence(0), first(3));
  EXPECT_EQ(batch.ended[0], end_of_sequence);
}

TEST_F(OnePrompt, StopsExactlyAtTheLimitBecauseOfItsToken) {
  std::size_t at = 2;
  for (std::size_t i = 2; i < 12; ++i) {
    if (std::find(full_.begin() + 2, full_.end(), full_[i]) ==
        full_.begin() + static_cast<std::ptrdiff_t>(i))
      at = i;
  }

  const Batch batch = decode(full_[at], static_cast<std::int32_t>(at + 1));

  EXPECT_EQ(batch.sequence(0), first(at + 1));
  EXPECT_EQ(batch.ended[0], end_of_sequence);
}

TEST_F(OnePrompt, IsNotStoppedByATokenOfThePrompt) {
  for (const std::int32_t token : {3, 1}) {
    const Batch batch = decode(token, 3);

    EXPECT_EQ(batch.sequence(0), first(3));
  }
}

TEST_F(OnePrompt, FillsEveryPosition) {
  const Batch batch = decode(-1, 40);

  EXPECT_EQ(batch.sequence(0), full_);
  EXPECT_EQ(trips_, 39);
}

TEST_F(OnePrompt, GoesOnFromWhereItsLimitWas) {
  Batch batch = decode(-1, 7);
  batch.most_tokens[0] = 31;
  Batch larger(shape_, {{.prompt = {3, 1}, .stop_token = -1, .most_tokens = 31}});
  larger.tokens = batch.tokens;
  larger.cached = batch.cached;
  larger.ended = batch.ended;
  // Its pages are the same and more; the cache of the first launch goes along.
  for (int layer = 0; layer < shape_.layers; ++layer) {
    const auto count = static_cast<std::ptrdiff_t>(batch.pages * shape_.page * shape_.width);
    const auto room = static_cast<std::ptrdiff_t>(larger.pages * shape_.page * shape_.width);
    std::copy_n(batch.cache.keys.begin() + layer * count, count,
                larger.cache.keys.begin() + layer * room);
    std::copy_n(batch.cache.values.begin() + layer * count, count,
                larger.cache.values.begin() + layer * room);
  }

  const auto result = run_.decode(larger);

  EXPECT_EQ(larger.sequence(0), first(31));
  EXPECT_EQ(result.get<std::int64_t>("steps"), 31 - 7);
}

TEST_F(OnePrompt, StaysEndedBehindItsStopToken) {
  Batch batch = decode(full_[5], 40);
  const Tokens ended = batch.sequence(0);

  const auto result = run_.decode(batch);

  EXPECT_EQ(result.get<std::int64_t>("steps"), 0);
  EXPECT_EQ(batch.sequence(0), ended);
  EXPECT_EQ(batch.ended[0], end_of_sequence);
}

TEST_F(OnePrompt, WaitsForAPageAndGoesOnWithIt) {
  Batch batch(shape_, {{.prompt = {3, 1}, .stop_token = -1, .most_tokens = 40}});
  const auto page = batch.page_of(0, 2);
  batch.page_of(0, 2) = -1;

  run_.decode(batch);

  // Position 8 has no page, so that its token is known and not what follows it.
  EXPECT_EQ(batch.ended[0], out_of_pages);
  EXPECT_EQ(batch.sequence(0), first(2 * 4 + 1));

  batch.page_of(0, 2) = page;
  run_.decode(batch);

  EXPECT_EQ(batch.sequence(0), full_);
  EXPECT_EQ(batch.ended[0], at_most_tokens);
}

TEST_F(OnePrompt, TakesTheLeastOfEquallyLikelyTokens) {
  DecoderWeights tied = weights_;
  const auto width = static_cast<std::ptrdiff_t>(shape_.width);
  for (std::ptrdiff_t v = 1; v < shape_.vocabulary; v += 2) {
    std::copy_n(tied.unembedding.begin() + (v - 1) * width, width,
                tied.unembedding.begin() + v * width);
  }
  DecodeRun run(greedy_decode(shape_), tied, {.executor = "cpu"});
  Batch batch(shape_, {{.prompt = {3}, .most_tokens = 40}});

  run.decode(batch);

  const Tokens tokens = batch.sequence(0);
  ASSERT_EQ(tokens.size(), 40U);
  for (std::size_t i = 1; i < tokens.size(); ++i) EXPECT_EQ(tokens[i] % 2, 0) << i;
}

}  // namespace
}  // namespace forwards
