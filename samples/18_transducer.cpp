// Hears three recordings of different lengths in one launch: frames, and at each frame symbols
// until none is left to say.
#include "forwards/plain_transducer.hpp"
#include "forwards/transducer.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace forwards;

int main() {
  const TransducerShape shape{.encoder = 64,
                              .predictor = 64,
                              .joint = 64,
                              .vocabulary = 28,
                              .most_frames = 50,
                              .symbols_per_frame = 4};
  const TransducerWeights weights = make_transducer_weights(shape, 1, 1.0F);
  Recordings recordings(shape, {50, 31, 8}, 2);

  auto decode = gyre::compile(transducer_decode(shape));
  weights.bind(decode);
  recordings.bind(decode);
  decode.keep("emitted", {recordings.members, 1});
  const auto result = decode.run();

  std::printf("%s: %lld rounds for %d frames, the host waited %llu times\n",
              result.describe().c_str(), static_cast<long long>(result.get<std::int64_t>("rounds")),
              result.get<std::int32_t>("frames_done"),
              static_cast<unsigned long long>(result.host_syncs()));
  bool right = result.completed();
  for (std::size_t m = 0; m < recordings.frame_count.size(); ++m) {
    const auto symbols = recordings.of(recordings.symbols, m);
    for (const std::int32_t symbol : symbols) std::putchar('a' + symbol - 1);
    std::printf(" (%d frames)\n", recordings.frame_count[m]);

    const float* frames = &recordings.frames[m * recordings.frames.size() / 3];
    right = right &&
            symbols == plain::Transducer(weights).hear(frames, recordings.frame_count[m]).symbols;
  }
  return right ? 0 : 1;
}
