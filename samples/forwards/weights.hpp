/// Numbers for models that nobody has trained: they look random, and are the same on every machine.
///
/// Leaves out what a model does with them (dense.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forwards {

/// Draws one number after the other, by its seed alone.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  /// 64 bits, none of which shows a pattern: a Weyl sequence whose bits are mixed by two rounds of
  /// multiplying and folding the upper half onto the lower.
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    for (const std::uint64_t factor : {0xd6e8feb86659fd93U, 0xa0761d6478bd642fU}) {
      mixed = (mixed ^ (mixed >> 32)) * factor;
    }
    return mixed ^ (mixed >> 32);
  }
  /// In [-1, 1), a multiple of 2^-23: exact as a float, and so the same wherever it is computed.
  float uniform() {
    const auto whole = static_cast<std::int32_t>(bits() >> 40) - (1 << 23);
    return static_cast<float>(whole) / (1 << 23);
  }
  /// In [0, bound).
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

/// `count` numbers of [-scale, scale).
inline std::vector<float> make_values(std::uint64_t seed, std::size_t count, float scale = 1) {
  Generator generator(seed);
  std::vector<float> values(count);
  for (float& value : values) value = scale * generator.uniform();
  return values;
}

/// Weights of layers of `inputs` values that are followed by relu: of a size by which what goes
/// through many of them neither fades nor grows (He et al. 2015, "Delving deep into rectifiers").
inline std::vector<float> make_weights(std::uint64_t seed, std::size_t count, std::size_t inputs) {
  return make_values(seed, count, std::sqrt(6.0F / static_cast<float>(inputs)));
}

}  // namespace forwards
