// Greedy decode beside a plain decoder that has the same arithmetic and no batch, no pages and no
// loop on a device.
#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"
#include "gyre/executors/make_executor.hpp"

#include <algorithm>
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

// A product as a user's own code makes it, in one strand.
void own_product(gyre::Program& p, const MatrixProduct& of) {
  const auto work = [of](gyre::HostCallContext& c) {
    const auto inputs = static_cast<std::size_t>(of.inputs);
    const auto outputs = static_cast<std::size_t>(of.outputs);
    const float* w =
        c.span(of.weights).data() + static_cast<std::size_t>(of.layer) * inputs * outputs;
    const auto x = c.span(of.x);
    const auto y = c.span(of.y);
    for (std::size_t i = 0; i < y.size(); ++i) {
      float product = of.adds ? y[i] : 0;
      for (std::size_t k = 0; k < inputs; ++k) {
        product += x[i / outputs * inputs + k] * w[i % outputs * inputs + k];
      }
      y[i] = product;
    }
  };
  p.call("product", reads(of.x, of.weights), updates(of.y), work);
}

TEST(GreedyDecode, TakesProductsFromTheCaller) {
  for (const DecoderShape& shape : some_shapes()) {
    const auto weights = make_decoder_weights(shape, 11);
    const auto requests = random_requests(12, 9, shape);
    DecodeRun in_language(greedy_decode(shape), weights, {.executor = "cpu"});
    DecodeRun by_calls(greedy_decode(shape, own_product), weights, {.executor = "cpu"});
    Batch expected(shape, requests);
    Batch batch(shape, requests);

    in_language.decode(expected);
    by_calls.decode(batch);

    EXPECT_EQ(batch.tokens, expected.tokens);
    EXPECT_EQ(batch.ended, expected.ended);
    const auto expected_logits = in_language.logits(expected);
    const auto logits = by_calls.logits(batch);
    for (std::size_t i = 0; i < logits.size(); ++i)
      ASSERT_NEAR(logits[i], expected_logits[i], 1e-4);
  }
}

// What it scatters lands in places of its own, and no index leaves its buffer.
TEST(GreedyDecode, KeepsItsPromises) {
  for (const DecoderShape& shape : some_shapes()) {
    const auto weights = make_decoder_weights(shape, 15);
    DecodeRun run(greedy_decode(shape), weights, {.executor = "cpu", .checked = true});
    Batch batch(shape, random_requests(16, 6, shape));

    const auto result = run.decode(batch);

    EXPECT_TRUE(result.completed()) << result.describe();
  }
}

TEST(GreedyDecode, CanBeMadeATripAtATime) {
  const DecoderShape shape = some_shapes()[2];
  const auto weights = make_decoder_weights(shape, 13);
  const auto requests = random_requests(14, 7, shape);
  DecodeRun at_once(greedy_decode(shape), weights, {.executor = "cpu"});
  Batch expected(shape, requests);
  const auto trips = at_once.decode(expected).get<std::int64_t>("steps");
  Batch batch(shape, requests);
  std::vector<std::int32_t> position(requests.size());
  std::vector<std::int32_t> left(1);
  std::vector<float> x(requests.size() * static_cast<std::size_t>(shape.width));
  std::vector<float> logits(requests.size() * static_cast<std::size_t>(shape.vocabulary));
  std::vector<std::int64_t> emitted(requests.size());
  std::vector<gyre::Executable> steps;
  for (auto* program : {greedy_begin, greedy_trip}) {
    steps.push_back(gyre::compile(program(shape), {.executor = "cpu"}));
    weights.bind(steps.back());
    batch.bind(steps.back());
    steps.back().bind("row_position", position, {1, batch.members});
    steps.back().bind("row", x, {1, batch.members, shape.width});
    steps.back().bind("logits", logits, {batch.members, 1, shape.vocabulary});
    steps.back().bind("emitted", emitted, {batch.members, 1});
  }
  steps[1].bind("left", left);

  steps[0].run();
  std::int64_t made = 0;
  do {
    steps[1].run();
    ++made;
  } while (left[0] != 0);

  EXPECT_EQ(made, trips);
  EXPECT_EQ(batch.tokens, expected.tokens);
  EXPECT_EQ(batch.length, expected.length);
  EXPECT_EQ(batch.ended, expected.ended);
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
