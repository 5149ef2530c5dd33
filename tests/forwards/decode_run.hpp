/// Decoding a batch on some executor, for the tests of decode loops.
#pragma once

#include "forwards/batch.hpp"
#include "forwards/decoder_weights.hpp"
#include "forwards/plain_decoder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace forwards {

/// Sizes that differ in all that a decoder has, each small.
inline std::vector<DecoderShape> some_shapes() {
  return {
      {.layers = 1,
       .width = 8,
       .heads = 1,
       .hidden = 12,
       .vocabulary = 5,
       .positions = 12,
       .page = 1},
      {.layers = 2,
       .width = 16,
       .heads = 2,
       .hidden = 32,
       .vocabulary = 24,
       .positions = 40,
       .page = 4},
      {.layers = 3,
       .width = 12,
       .heads = 3,
       .hidden = 20,
       .vocabulary = 17,
       .positions = 25,
       .page = 7},
      {.layers = 1,
       .width = 32,
       .heads = 4,
       .hidden = 40,
       .vocabulary = 64,
       .positions = 30,
       .page = 64},
  };
}

inline Tokens random_tokens(Generator& generator, std::int64_t count, int vocabulary) {
  Tokens tokens(static_cast<std::size_t>(count));
  for (auto& token : tokens) token = static_cast<std::int32_t>(generator.below(vocabulary));
  return tokens;
}

/// A prompt of any length, to be decoded up to any number of tokens (sometimes to none), with a
/// stop token that may come.
inline Request random_request(Generator& generator, const DecoderShape& shape) {
  Request request;
  request.prompt =
      random_tokens(generator, 1 + generator.below(shape.positions / 3), shape.vocabulary);
  request.stop_token = static_cast<std::int32_t>(generator.below(shape.vocabulary));
  request.most_tokens = static_cast<std::int32_t>(1 + generator.below(shape.positions));
  return request;
}

inline std::vector<Request> random_requests(std::uint64_t seed, std::size_t count,
                                            const DecoderShape& shape) {
  Generator generator(seed);
  std::vector<Request> requests;
  while (requests.size() < count) requests.push_back(random_request(generator, shape));
  return requests;
}

/// A decode loop made ready, and run on one batch after the other.
class DecodeRun {
 public:
  DecodeRun(gyre::ir::Program program, const DecoderWeights& weights,
            const gyre::CompileOptions& options)
      : weights_(weights), executable_(gyre::compile(std::move(program), options)) {
    weights_.bind(executable_);
  }

  gyre::Executable& executable() { return executable_; }

  /// One launch, with room for every token to be looked at.
  gyre::Result decode(Batch& batch) {
    batch.bind(executable_);
    executable_.keep("emitted", {batch.members, weights_.shape.positions});
    executable_.keep("logits",
                     {batch.members, weights_.shape.positions, weights_.shape.vocabulary});
    return executable_.run();
  }
  /// The logits by which each position's token of the last launch was chosen, where it was not the
  /// prompt's.
  std::vector<float> logits(const Batch& batch) {
    std::vector<float> values(batch.tokens.size() *
                              static_cast<std::size_t>(weights_.shape.vocabulary));
    executable_.peek("logits", 0, values);
    return values;
  }

 private:
  DecoderWeights weights_;
  gyre::Executable executable_;
};

}  // namespace forwards
