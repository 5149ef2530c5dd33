/// Random numbers as functions: a seed, a step and an element give the same bits on every machine.
///
/// No generator has a state that a launch would have to keep, or that one element would have to
/// wait for: draws differ because their step or their element does. Leaves out who advances the
/// step (docs/language.md).
///
/// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011, doi:10.1145/2063384.2063405: Philox4x32-10.
#pragma once

#include "gyre/ir/host_device.hpp"

namespace gyre::ops {

/// Four words of 32 bits: a counter of Philox4x32, and what it becomes.
struct Words4 {
  unsigned word[4];
};

/// Philox4x32-10: ten rounds of the bijection of counters that `key0` and `key1` choose.
GYRE_HOST_DEVICE inline Words4 philox(Words4 counter, unsigned key0, unsigned key1) {
  // The multipliers of the paper's table 2; the key moves on by the golden ratio and sqrt(3) - 1.
  constexpr unsigned long long multiplier0 = 0xD2511F53;
  constexpr unsigned long long multiplier1 = 0xCD9E8D57;
  constexpr unsigned weyl0 = 0x9E3779B9;
  constexpr unsigned weyl1 = 0xBB67AE85;

  Words4 x = counter;
  for (int round = 0; round < 10; ++round) {
    const unsigned long long product0 = multiplier0 * x.word[0];
    const unsigned long long product1 = multiplier1 * x.word[2];
    x = {{static_cast<unsigned>(product1 >> 32) ^ x.word[1] ^ key0, static_cast<unsigned>(product1),
          static_cast<unsigned>(product0 >> 32) ^ x.word[3] ^ key1,
          static_cast<unsigned>(product0)}};
    key0 += weyl0;
    key1 += weyl1;
  }
  return x;
}

/// What a draw is made of: two words of 64 bits.
struct Draw {
  unsigned long long first;
  unsigned long long second;
};

/// The draw of one element at one step: the seed is Philox's key, element and step its counter, the
/// low words in front.
GYRE_HOST_DEVICE inline Draw draw(long long seed, long long step, long long element) {
  using U = unsigned long long;
  const auto low = [](long long word) { return static_cast<unsigned>(static_cast<U>(word)); };
  const auto high = [](long long word) {
    return static_cast<unsigned>(static_cast<U>(word) >> 32);
  };
  const Words4 x =
      philox({{low(element), high(element), low(step), high(step)}}, low(seed), high(seed));
  return {static_cast<U>(x.word[1]) << 32 | x.word[0], static_cast<U>(x.word[3]) << 32 | x.word[2]};
}

/// 64 random bits.
template <class T>
GYRE_HOST_DEVICE T random(T seed, T step, T element) {
  return static_cast<T>(draw(seed, step, element).first);
}

/// The multiple of 2^-53 in [0, 1) that the upper 53 bits of `word` are.
GYRE_HOST_DEVICE inline double unit_interval(unsigned long long word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

/// Uniform in [0, 1): the upper 53 of the random bits, exactly.
template <class T>
GYRE_HOST_DEVICE double uniform(T seed, T step, T element) {
  return unit_interval(draw(seed, step, element).first);
}

/// Uniform in [0, 1): the upper 24 of the random bits, exactly. A rounded `uniform` could be 1.
template <class T>
GYRE_HOST_DEVICE float uniform_f32(T seed, T step, T element) {
  return static_cast<float>(static_cast<unsigned>(draw(seed, step, element).first >> 40)) *
         0x1p-24f;
}

/// Normal with mean 0 and variance 1, by the transform of Box and Muller (1958) of both words.
template <class T>
GYRE_HOST_DEVICE double normal(T seed, T step, T element) {
  const Draw words = draw(seed, step, element);
  // 1 - u is in (0, 1], so that the logarithm is finite.
  const double radius = GYRE_MATH(sqrt)(-2.0 * GYRE_MATH(log)(1.0 - unit_interval(words.first)));
  return radius * GYRE_MATH(cos)(6.283185307179586 * unit_interval(words.second));
}

}  // namespace gyre::ops
