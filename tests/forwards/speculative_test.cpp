// Speculative decode beside greedy decode with the target alone.
#include "forwards/speculative.hpp"

#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"
#include "gyre/executors/make_executor.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

// A draft that thinks as the target does, but for noise of this size.
DecoderWeights draft_of(const DecoderWeights& target, std::uint64_t seed, float noise) {
  DecoderWeights draft = target;
  DecoderWeights::each(draft, [&](const char*, auto& values, const auto&) {
    const auto other = make_values(++seed, values.size(), noise);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += other[i];
  });
  return draft;
}

class SpeculativeRun {
 public:
  SpeculativeRun(const DecoderWeights& target, const DecoderWeights& draft, int proposals,
                 const gyre::CompileOptions& options = {.executor = "cpu"})
      : target_(target),
        draft_(draft),
        executable_(
            gyre::compile(speculative_decode({target.shape, draft.shape, proposals}), options)),
        kept_(static_cast<std::size_t>(proposals) + 1) {
    target_.bind(executable_);
    draft_.bind(executable_, "draft_");
  }

  // One launch. The draft's cache stays for the next one of as many pages.
  gyre::Result decode(Batch& batch) {
    if (draft_cache_.extents.empty() || draft_cache_.extents[1] != batch.pages) {
      draft_cache_ = PageCache(draft_.shape, batch.pages);
    }
    batch.bind(executable_);
    draft_cache_.bind(executable_, "draft_");
    executable_.keep("emitted", {batch.members, batch.shape.positions});
    executable_.bind("kept", kept_);
    return executable_.run();
  }
  // Of the last launch: how many rounds kept 0, 1, … proposals.
  const std::vector<std::int64_t>& kept() const { return kept_; }

 private:
  DecoderWeights target_, draft_;
  gyre::Executable executable_;
  std::vector<std::int64_t> kept_;
  PageCache draft_cache_;
};

// Whatever the draft proposes: these ways to be wrong, and how often.
struct Draft {
  const char* name;
  float noise;

  friend void PrintTo(const Draft& draft, std::ostream* out) { *out << draft.name; }
};

class SpeculativeDecode : public testing::TestWithParam<Draft> {};

TEST_P(SpeculativeDecode, GivesTheTokensOfGreedyDecodeForAThousandPrompts) {
  std::uint64_t seed = 1000;
  for (const DecoderShape& shape : some_shapes()) {
    for (const int proposals : {1, 3, 4}) {
      const auto target = make_decoder_weights(shape, ++seed);
      DecodeRun greedy(greedy_decode(shape), target, {.executor = "cpu"});
      SpeculativeRun speculative(target, draft_of(target, ++seed, GetParam().noise), proposals);
      for (const std::size_t members : {1U, 5U, 9U, 13U}) {
        const auto requests = random_requests(++seed, members, shape);
        Batch expected(shape, requests);
        Batch batch(shape, requests);

        greedy.decode(expected);
        ASSERT_TRUE(speculative.decode(batch).completed());

        ASSERT_EQ(batch.tokens, expected.tokens);
        ASSERT_EQ(batch.length, expected.length);
        ASSERT_EQ(batch.ended, expected.ended);
        ASSERT_EQ(batch.cached, expected.cached);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Drafts, SpeculativeDecode,
                         testing::Values(Draft{"the_target", 0}, Draft{"close", 0.01F},
                                         Draft{"far", 0.05F}, Draft{"another", 3}),
                         [](const auto& of) { return of.param.name; });

TEST(SpeculativeDecode, KeepsEveryNumberOfProposals) {
  const DecoderShape shape = some_shapes()[1];
  const auto target = make_decoder_weights(shape, 4);
  SpeculativeRun run(target, draft_of(target, 5, 0.02F), 4);
  std::vector<std::int64_t> kept(5);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Batch batch(shape, random_requests(seed, 12, shape));
    run.decode(batch);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] += run.kept()[i];
  }

  for (const std::int64_t rounds : kept) EXPECT_GT(rounds, 20) << testing::PrintToString(kept);
}

TEST(SpeculativeDecode, KeepsAllProposalsOfADraftThatIsTheTarget) {
  const DecoderShape shape = some_shapes()[1];
  const auto target = make_decoder_weights(shape, 4);
  SpeculativeRun run(target, target, 3);
  // Nine rounds, each of three proposals and one token more.
  Batch batch(shape, {{.prompt = {1}, .stop_token = -1, .most_tokens = 1 + 36}});

  const auto result = run.decode(batch);

  EXPECT_EQ(result.get<std::int64_t>("rounds"), 9);
  EXPECT_EQ(run.kept(), (std::vector<std::int64_t>{0, 0, 0, 9}));
}

TEST(SpeculativeDecode, CountsEveryRoundOfEachMemberOnce) {
  const DecoderShape shape = some_shapes()[1];
  const auto target = make_decoder_weights(shape, 4);
  SpeculativeRun run(target, draft_of(target, 5, 0.02F), 4);
  Batch batch(shape, {{.prompt = {1}, .stop_token = -1, .most_tokens = 40}});

  const auto result = run.decode(batch);

  EXPECT_EQ(std::accumulate(run.kept().begin(), run.kept().end(), std::int64_t{0}),
            result.get<std::int64_t>("rounds"));
}

TEST(SpeculativeDecode, GoesOnWithAPageThatWasMissing) {
  const DecoderShape shape = some_shapes()[1];
  const auto target = make_decoder_weights(shape, 6);
  const std::vector<Request> requests = random_requests(7, 6, shape);
  DecodeRun greedy(greedy_decode(shape), target, {.executor = "cpu"});
  Batch expected(shape, requests);
  greedy.decode(expected);
  SpeculativeRun run(target, draft_of(target, 8, 0.01F), 4);
  Batch batch(shape, requests);
  const auto pages = batch.table;

  // A page more each time: members wait for it, and for nothing else.
  for (int there = 1; there <= shape.member_pages(); ++there) {
    batch.table = pages;
    for (std::size_t m = 0; m < requests.size(); ++m) {
      for (int i = there; i < shape.member_pages(); ++i) batch.page_of(m, i) = -1;
    }
    run.decode(batch);
  }

  EXPECT_EQ(batch.tokens, expected.tokens);
  EXPECT_EQ(batch.ended, expected.ended);
}

TEST(SpeculativeDecode, KeepsItsPromises) {
  for (const DecoderShape& shape : some_shapes()) {
    const auto target = make_decoder_weights(shape, 12);
    SpeculativeRun run(target, draft_of(target, 13, 0.02F), 3,
                       {.executor = "cpu", .checked = true});
    Batch batch(shape, random_requests(14, 5, shape));

    const auto result = run.decode(batch);

    EXPECT_TRUE(result.completed()) << result.describe();
  }
}

// On each executor the tokens are those of greedy decode there: the same bits, whatever exp gives.
TEST(SpeculativeDecode, IsGreedyDecodeOnEveryExecutor) {
  const DecoderShape shape = some_shapes()[0];
  const auto target = make_decoder_weights(shape, 9);
  const auto draft = draft_of(target, 10, 0.02F);
  const auto requests = random_requests(11, 4, shape);
  for (const auto& info : gyre::executors::available_executors()) {
    if (!info.available) continue;
    const std::string executor(info.name);
    DecodeRun greedy(greedy_decode(shape), target, {.executor = executor});
    SpeculativeRun speculative(target, draft, 3, {.executor = executor});
    Batch expected(shape, requests);
    Batch batch(shape, requests);

    greedy.decode(expected);
    const auto result = speculative.decode(batch);

    EXPECT_TRUE(result.completed()) << executor;
    EXPECT_EQ(batch.tokens, expected.tokens) << executor;
    EXPECT_EQ(batch.ended, expected.ended) << executor;
  }
}

}  // namespace
}  // namespace forwards
