// Reading along with a decode loop.
#include "forwards/token_ring.hpp"

#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

class ReadingAlong : public testing::Test {
 protected:
  ReadingAlong() : requests_(random_requests(3, 6, shape_)), batch_(shape_, requests_) {
    weights_.bind(executable_);
    batch_.bind(executable_);
  }

  // What each member has been told, prompt included.
  std::vector<Tokens> prompts() const {
    std::vector<Tokens> told;
    for (const Request& request : requests_) told.push_back(request.prompt);
    return told;
  }

  DecoderShape shape_ = some_shapes()[1];
  DecoderWeights weights_ = make_decoder_weights(shape_, 2);
  std::vector<Request> requests_;
  Batch batch_;
  gyre::Executable executable_ = gyre::compile(greedy_decode(shape_), {.executor = "cpu"});
};

TEST_F(ReadingAlong, TellsEveryTokenOnceAndInOrder) {
  TokenRing ring(executable_, batch_.prompt_length, shape_.positions);
  ring.keep_logits(shape_.vocabulary);
  std::vector<Tokens> told = prompts();

  auto launch = executable_.launch();
  bool is_over = false;
  while (!is_over) {
    is_over = launch.wait_for(std::chrono::milliseconds(0));
    for (const auto& [member, position, token] : ring.news()) {
      ASSERT_EQ(static_cast<std::size_t>(position), told[member].size());
      told[member].push_back(token);
    }
  }

  EXPECT_TRUE(launch.result().completed());
  for (std::size_t m = 0; m < told.size(); ++m) EXPECT_EQ(told[m], batch_.sequence(m)) << m;
  EXPECT_TRUE(ring.news().empty());
}

TEST_F(ReadingAlong, TellsTheLastTokensToOneWhoComesLate) {
  constexpr std::int32_t places = 3;
  TokenRing ring(executable_, batch_.prompt_length, places);
  ring.keep_logits(shape_.vocabulary);

  executable_.run();

  std::vector<std::vector<TokenRing::Token>> of(requests_.size());
  for (const auto& token : ring.news()) of[token.member].push_back(token);
  for (std::size_t m = 0; m < of.size(); ++m) {
    const Tokens sequence = batch_.sequence(m);
    const std::size_t decoded = sequence.size() - requests_[m].prompt.size();
    ASSERT_EQ(of[m].size(), std::min<std::size_t>(decoded, places)) << m;
    for (std::size_t i = 0; i < of[m].size(); ++i) {
      const std::size_t position = sequence.size() - of[m].size() + i;
      EXPECT_EQ(static_cast<std::size_t>(of[m][i].position), position);
      EXPECT_EQ(of[m][i].token, sequence[position]);
    }
  }
}

TEST_F(ReadingAlong, GivesTheLogitsOfATokenWhileTheyAreThere) {
  constexpr std::int32_t places = 4;
  TokenRing ring(executable_, batch_.prompt_length, places);
  ring.keep_logits(shape_.vocabulary);
  executable_.run();
  const std::size_t m = 2;
  const Tokens sequence = batch_.sequence(m);
  const auto end = static_cast<std::int32_t>(sequence.size());
  ASSERT_GE(sequence.size(), requests_[m].prompt.size() + places);

  for (std::int32_t position = end - places + 1; position < end; ++position) {
    const auto logits = ring.logits(m, position);

    ASSERT_TRUE(logits.has_value()) << position;
    EXPECT_EQ(plain::largest(*logits),
              static_cast<std::size_t>(sequence[static_cast<std::size_t>(position)]));
  }
  EXPECT_FALSE(ring.logits(m, end - places).has_value()) << "the next trip would overwrite them";
  EXPECT_FALSE(ring.logits(m, end - places - 1).has_value()) << "overwritten";
  EXPECT_FALSE(ring.logits(m, end).has_value()) << "not there yet";
}

}  // namespace
}  // namespace forwards
