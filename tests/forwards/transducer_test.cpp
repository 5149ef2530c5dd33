// Transducers beside a plain one that has the same arithmetic and hears one recording after the
// other.
#include "forwards/transducer.hpp"

#include "forwards/plain_transducer.hpp"
#include "forwards/token_ring.hpp"
#include "gyre/executors/make_executor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

// exp and tanh may differ in their last bits from the plain one's: choices closer than this may
// too.
constexpr float clear_label_lead = 1e-5F;

std::vector<TransducerShape> some_shapes() {
  return {
      {.encoder = 8,
       .predictor = 8,
       .joint = 8,
       .vocabulary = 4,
       .most_frames = 12,
       .symbols_per_frame = 1},
      {.encoder = 12,
       .predictor = 16,
       .joint = 20,
       .vocabulary = 11,
       .most_frames = 20,
       .symbols_per_frame = 3},
      {.encoder = 33,
       .predictor = 7,
       .joint = 16,
       .vocabulary = 28,
       .most_frames = 15,
       .symbols_per_frame = 6},
  };
}

std::vector<std::int32_t> random_frame_counts(std::uint64_t seed, std::size_t members, int most) {
  Generator generator(seed);
  std::vector<std::int32_t> counts(members);
  for (auto& count : counts) count = static_cast<std::int32_t>(generator.below(most + 1));
  return counts;
}

// A transducer made ready, and run on one batch after the other.
class TransducerRun {
 public:
  explicit TransducerRun(const TransducerWeights& weights,
                         const gyre::CompileOptions& options = {.executor = "cpu"})
      : weights_(weights), executable_(gyre::compile(transducer_decode(weights.shape), options)) {
    weights_.bind(executable_);
  }

  gyre::Executable& executable() { return executable_; }
  gyre::Result decode(Recordings& recordings) {
    recordings.bind(executable_);
    executable_.keep("emitted", {recordings.members, 1});
    return executable_.run();
  }
  plain::Heard plainly(const Recordings& recordings, std::size_t m) const {
    const auto size = static_cast<std::size_t>(weights_.shape.most_frames * weights_.shape.encoder);
    return plain::Transducer(weights_).hear(&recordings.frames[m * size],
                                            recordings.frame_count[m]);
  }

 private:
  TransducerWeights weights_;
  gyre::Executable executable_;
};

TEST(TransducerDecode, HearsWhatThePlainOneHearsInAThousandRecordings) {
  std::uint64_t seed = 0;
  int too_close = 0, nothing = 0, blank_frames = 0, full_frames = 0, some = 0;
  for (const TransducerShape& shape : some_shapes()) {
    for (const float blank_lead : {-2.0F, 0.0F, 1.0F, 3.0F}) {
      TransducerRun run(make_transducer_weights(shape, seed += 100, blank_lead));
      for (const std::size_t members : {1U, 3U, 8U, 30U, 50U}) {
        const auto counts = random_frame_counts(++seed, members, shape.most_frames);
        Recordings recordings(shape, counts, ++seed);

        ASSERT_TRUE(run.decode(recordings).completed());

        for (std::size_t m = 0; m < members; ++m) {
          const auto heard = run.plainly(recordings, m);
          std::vector<int> at(static_cast<std::size_t>(shape.most_frames));
          for (const std::int32_t frame : heard.at_frame) ++at[static_cast<std::size_t>(frame)];
          at.resize(static_cast<std::size_t>(counts[m]));
          nothing += counts[m] == 0;
          for (const int count : at) {
            blank_frames += count == 0;
            full_frames += count == shape.symbols_per_frame;
            some += count > 0 && count < shape.symbols_per_frame;
          }
          if (heard.least_lead < clear_label_lead) {
            ++too_close;
            continue;
          }
          ASSERT_EQ(recordings.of(recordings.symbols, m), heard.symbols);
          ASSERT_EQ(recordings.of(recordings.at_frame, m), heard.at_frame);
        }
      }
    }
  }
  EXPECT_GT(nothing, 20);
  EXPECT_GT(blank_frames, 1000);
  EXPECT_GT(full_frames, 1000);
  EXPECT_GT(some, 200);
  EXPECT_LT(too_close, 10);
}

TEST(TransducerDecode, MakesNoTripWithoutFrames) {
  const TransducerShape shape = some_shapes()[1];
  TransducerRun run(make_transducer_weights(shape, 1, 0));
  Recordings recordings(shape, {0, 0, 0}, 2);

  const auto result = run.decode(recordings);

  EXPECT_EQ(result.trips("transducer/while#0"), 0U);
  EXPECT_EQ(recordings.length, (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(TransducerDecode, GoesThroughAFrameAsOftenAsTheOneWithMostSymbolsNeeds) {
  const TransducerShape shape = some_shapes()[1];
  TransducerRun run(make_transducer_weights(shape, 1, 1));
  Recordings recordings(shape, {20, 7, 13}, 2);

  const auto result = run.decode(recordings);

  std::vector<int> most(static_cast<std::size_t>(shape.most_frames));
  for (std::size_t m = 0; m < 3; ++m) {
    std::vector<int> at(most.size());
    for (const std::int32_t frame : run.plainly(recordings, m).at_frame)
      ++at[static_cast<std::size_t>(frame)];
    for (std::size_t t = 0; t < at.size(); ++t) most[t] = std::max(most[t], at[t]);
  }
  std::int64_t rounds = 0;
  for (const int count : most) rounds += std::min(count + 1, shape.symbols_per_frame);
  EXPECT_EQ(result.trips("transducer/while#0"), 20U);
  EXPECT_EQ(result.get<std::int64_t>("rounds"), rounds);
}

TEST(TransducerDecode, CanBeReadAlong) {
  const TransducerShape shape = some_shapes()[1];
  TransducerRun run(make_transducer_weights(shape, 1, 1));
  Recordings recordings(shape, {20, 7, 13}, 2);
  recordings.bind(run.executable());
  TokenRing ring(run.executable(), {0, 0, 0}, shape.most_symbols());

  run.executable().run();

  std::vector<std::vector<std::int32_t>> told(3);
  for (const auto& [member, number, symbol] : ring.news()) told[member].push_back(symbol);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(told[m], recordings.of(recordings.symbols, m));
}

TEST(TransducerDecode, KeepsItsPromises) {
  for (const TransducerShape& shape : some_shapes()) {
    TransducerRun run(make_transducer_weights(shape, 3, 1), {.executor = "cpu", .checked = true});
    Recordings recordings(shape, random_frame_counts(4, 5, shape.most_frames), 5);

    const auto result = run.decode(recordings);

    EXPECT_TRUE(result.completed()) << result.describe();
  }
}

TEST(TransducerDecode, HearsTheSameOnEveryExecutor) {
  const TransducerShape shape = some_shapes()[1];
  const auto weights = make_transducer_weights(shape, 5, 1);
  for (const auto& info : gyre::executors::available_executors()) {
    if (!info.available) continue;
    TransducerRun run(weights, {.executor = std::string(info.name)});
    Recordings recordings(shape, {9, 20, 0, 4}, 6);

    ASSERT_TRUE(run.decode(recordings).completed()) << info.name;

    for (std::size_t m = 0; m < 4; ++m) {
      const auto heard = run.plainly(recordings, m);
      ASSERT_GT(heard.least_lead, clear_label_lead);
      EXPECT_EQ(recordings.of(recordings.symbols, m), heard.symbols) << info.name;
      EXPECT_EQ(recordings.of(recordings.at_frame, m), heard.at_frame) << info.name;
    }
  }
}

}  // namespace
}  // namespace forwards
