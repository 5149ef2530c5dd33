// Greedy decode beside a plain decoder that has the same arithmetic and no batch, no pages and no
// loop on a device.
#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"
#include "gyre/executors/make_executor.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

// exp may differ in its last bits from the plain decoder's (on cpu it does not): choices closer
// than this may too.
constexpr float clear_lead = 1e-5F;

// How often each of the ways that a member can go was seen.
struct Seen {
  int nothing_to_do = 0, one_token = 0, stopped_at_once = 0, stopped_at_the_limit = 0,
      stopped_before = 0, at_the_limit = 0, too_close = 0;

  void note(const Request& request, const plain::Decoded& decoded) {
    const std::size_t more = decoded.tokens.size() - request.prompt.size();
    const bool at_limit = static_cast<std::int32_t>(decoded.tokens.size()) == request.most_tokens;
    const bool stopped = decoded.ended == end_of_sequence;
    nothing_to_do += more == 0;
    one_token += more == 1 && at_limit;
    stopped_at_once += more == 1 && stopped;
    stopped_at_the_limit += more > 1 && stopped && at_limit;
    stopped_before += more > 1 && stopped && !at_limit;
    at_the_limit += more > 1 && !stopped;
    too_close += decoded.least_lead < clear_lead;
  }
};

void expect_plain(const DecoderWeights& weights, const std::vector<Request>& requests,
                  const Batch& batch, Seen& seen) {
  for (std::size_t m = 0; m < requests.size(); ++m) {
    const auto decoded = plain::greedy_decode(weights, requests[m]);
    seen.note(requests[m], decoded);
    if (decoded.least_lead < clear_lead) continue;
    ASSERT_EQ(batch.sequence(m), decoded.tokens) << "member " << m;
    ASSERT_EQ(batch.ended[m], decoded.ended) << "member " << m;
  }
}

TEST(GreedyDecode, GivesThePlainDecodersTokensForThousandsOfPrompts) {
  Seen seen;
  std::uint64_t seed = 100;
  for (const DecoderShape& shape : some_shapes()) {
    const auto weights = make_decoder_weights(shape, ++seed);
    DecodeRun run(greedy_decode(shape), weights, {.executor = "cpu"});
    for (std::size_t round = 0; round < 60; ++round) {
      const std::size_t members = 1 + round % 16;
      const auto requests = random_requests(++seed, members, shape);
      Batch batch(shape, requests);

      const auto result = run.decode(batch);

      ASSERT_TRUE(result.completed()) << result.describe();
      expect_plain(weights, requests, batch, seen);
    }
  }
  EXPECT_GT(seen.nothing_to_do, 100);
  EXPECT_GT(seen.one_token, 10);
  EXPECT_GT(seen.stopped_at_once, 10);
  EXPECT_GT(seen.stopped_at_the_limit, 5);
  EXPECT_GT(seen.stopped_before, 100);
  EXPECT_GT(seen.at_the_limit, 100);
  EXPECT_LT(seen.too_close, 20);
}

// One prompt, whose tokens are known.
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

TEST(GreedyDecode, LetsEveryMemberEndAtALengthOfItsOwn) {
  const DecoderShape shape = some_shapes()[1];
  const auto weights = make_decoder_weights(shape, 6);
  std::vector<Request> requests;
  for (std::int32_t m = 0; m < 38; ++m)
    requests.push_back({.prompt = {m % 24}, .most_tokens = m + 2});
  Batch batch(shape, requests);
  DecodeRun run(greedy_decode(shape), weights, {.executor = "cpu"});

  const auto result = run.decode(batch);

  EXPECT_EQ(result.get<std::int64_t>("steps"), 38);
  for (std::size_t m = 0; m < 38; ++m) {
    EXPECT_EQ(batch.sequence(m), plain::greedy_decode(weights, requests[m]).tokens);
  }
}

TEST(GreedyDecode, HasTheSameBitsInEveryBatch) {
  const DecoderShape shape = some_shapes()[2];
  const auto weights = make_decoder_weights(shape, 7);
  const auto requests = random_requests(8, 12, shape);
  DecodeRun run(greedy_decode(shape), weights, {.executor = "cpu"});
  Batch all(shape, requests);
  run.decode(all);
  const auto logits = run.logits(all);
  const std::size_t of_a_member = logits.size() / requests.size();

  for (std::size_t m = 0; m < requests.size(); ++m) {
    Batch one(shape, {requests[m]});
    run.decode(one);

    const auto own = run.logits(one);
    EXPECT_TRUE(std::equal(own.begin(), own.end(),
                           logits.begin() + static_cast<std::ptrdiff_t>(m * of_a_member)));
    EXPECT_EQ(one.sequence(0), all.sequence(m));
  }
}

// Tokens on every executor of this machine are those of cpu, and the bits of logits are the same on
// all GPU executors: exp alone may differ between the host and a GPU.
TEST(GreedyDecode, AgreesOnEveryExecutor) {
  const DecoderShape shape = some_shapes()[1];
  const auto weights = make_decoder_weights(shape, 9);
  const auto requests = random_requests(10, 5, shape);
  Batch expected(shape, requests);
  DecodeRun on_cpu(greedy_decode(shape), weights, {.executor = "cpu", .threads = 1});
  on_cpu.decode(expected);
  const auto expected_logits = on_cpu.logits(expected);
  std::vector<float> gpu_logits;

  for (const auto& info : gyre::executors::available_executors()) {
    if (!info.available) continue;
    const std::string executor(info.name);
    Batch batch(shape, requests);
    DecodeRun run(greedy_decode(shape), weights, {.executor = executor});

    ASSERT_TRUE(run.decode(batch).completed()) << executor;

    const auto logits = run.logits(batch);
    ASSERT_EQ(logits.size(), expected_logits.size());
    for (std::size_t m = 0; m < requests.size(); ++m)
      EXPECT_EQ(batch.sequence(m), expected.sequence(m)) << executor;
    for (std::size_t i = 0; i < logits.size(); ++i)
      ASSERT_NEAR(logits[i], expected_logits[i], 1e-4) << executor;
    if (executor == "cpu") {
      EXPECT_EQ(logits, expected_logits);
      continue;
    }
    if (gpu_logits.empty()) gpu_logits = logits;
    EXPECT_EQ(logits, gpu_logits) << executor;
  }
}

}  // namespace
}  // namespace forwards
