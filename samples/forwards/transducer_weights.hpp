/// Weights of a transducer that nobody has trained, by a seed, and recordings for it.
#pragma once

#include "transducer.hpp"
#include "weights.hpp"

#include <string>
#include <utility>
#include <vector>

namespace forwards {

/// What a Transducer declares as `in`, by the same names.
struct TransducerWeights {
  TransducerShape shape;
  std::vector<float> embedding, input, recurrent, gate_bias, frame_projection, joint_bias,
      state_projection, output, output_bias;

  /// Calls `visit(name, values, extents)` for each of them.
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit) {
    const std::int64_t predictor = self.shape.predictor;
    const std::int64_t joint = self.shape.joint;
    const std::int64_t vocabulary = self.shape.vocabulary;
    using Extents = std::vector<std::int64_t>;
    visit("embedding", self.embedding, Extents{vocabulary, predictor});
    visit("input", self.input, Extents{4, predictor, predictor});
    visit("recurrent", self.recurrent, Extents{4, predictor, predictor});
    visit("gate_bias", self.gate_bias, Extents{4, predictor});
    visit("frame_projection", self.frame_projection, Extents{joint, self.shape.encoder});
    visit("joint_bias", self.joint_bias, Extents{joint});
    visit("state_projection", self.state_projection, Extents{joint, predictor});
    visit("output", self.output, Extents{vocabulary, joint});
    visit("output_bias", self.output_bias, Extents{vocabulary});
  }

  /// Binds all of them, which outlive the launches.
  void bind(gyre::Executable& executable) const {
    each(*this, [&](const char* name, const auto& values, auto extents) {
      executable.bind_steady(name, values, std::move(extents));
    });
  }
};

/// The more `blank_lead`, the fewer symbols come at a frame.
inline TransducerWeights make_transducer_weights(const TransducerShape& shape, std::uint64_t seed,
                                                 float blank_lead) {
  TransducerWeights weights;
  weights.shape = shape;
  TransducerWeights::each(weights, [&](const std::string& name, auto& values, const auto& extents) {
    std::size_t count = 1;
    for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
    const bool is_bias = name.ends_with("bias");
    values = is_bias ? make_values(++seed, count, 0.25F)
                     : make_weights(++seed, count, static_cast<std::size_t>(extents.back()));
  });
  // What an LSTM remembers is small beside a frame.
  for (float& value : weights.state_projection) value *= 4;
  weights.output_bias[blank] += blank_lead;
  return weights;
}

/// Recordings of so many frames each, whose encoder nobody has trained either, and what becomes of
/// them.
struct Recordings {
  Recordings(const TransducerShape& of, std::vector<std::int32_t> frames_of_each,
             std::uint64_t seed)
      : shape(of),
        members(static_cast<std::int64_t>(frames_of_each.size())),
        frame_count(std::move(frames_of_each)),
        frames(make_values(
            seed, frame_count.size() * static_cast<std::size_t>(of.most_frames * of.encoder))),
        symbols(frame_count.size() * static_cast<std::size_t>(of.most_symbols())),
        at_frame(symbols.size()),
        length(frame_count.size()) {}

  /// Calls `visit(name, values, extents)` for each buffer.
  template <class Visit>
  void each(const Visit& visit) {
    using Extents = std::vector<std::int64_t>;
    visit("frames", frames, Extents{members, shape.most_frames, shape.encoder});
    visit("frame_count", frame_count, Extents{members});
    visit("symbols", symbols, Extents{members, shape.most_symbols()});
    visit("at_frame", at_frame, Extents{members, shape.most_symbols()});
    visit("length", length, Extents{members});
  }
  void bind(gyre::Executable& executable) {
    each([&](const std::string& name, auto& memory, auto extents) {
      executable.bind(name, memory, std::move(extents));
    });
  }

  /// Of member `m`: its symbols, or the frames that they belong to.
  std::vector<std::int32_t> of(const std::vector<std::int32_t>& values, std::size_t m) const {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(m) * shape.most_symbols();
    return {first, first + length[m]};
  }

  TransducerShape shape;
  std::int64_t members;
  std::vector<std::int32_t> frame_count;
  std::vector<float> frames;
  std::vector<std::int32_t> symbols, at_frame, length;
};

}  // namespace forwards
