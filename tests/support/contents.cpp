#include "support/contents.hpp"

#include "gyre/ir/scalar_ops.hpp"
#include "support/random.hpp"
#include "support/words.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace gyre::support {
namespace {

[[noreturn]] void fail(std::string_view words, const std::string& what) {
  throw std::runtime_error("'" + std::string(words) + "': " + what);
}

// `cycle(1, 2)` has the name `cycle` and the words 1 and 2; `iota` has no words.
struct Pattern {
  std::string name;
  std::vector<std::string> words;
};

Pattern parse_pattern(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos) return {std::string(text), {}};
  if (text.back() != ')') fail(text, "a ')' is missing");
  return {std::string(text.substr(0, open)),
          split_words(text.substr(open + 1, text.size() - open - 2))};
}

class Filling {
 public:
  Filling(OwnedBuffer& buffer, std::string_view words)
      : buffer_(buffer), type_(ir::loaded_type(buffer.type)), words_(words) {}

  void run() {
    std::string_view base = words_;
    std::string_view changes;
    if (const auto open = words_.find('{'); open != std::string_view::npos) {
      if (words_.back() != '}') fail(words_, "a '}' is missing");
      base = words_.substr(0, open);
      changes = words_.substr(open + 1, words_.size() - open - 2);
    }
    if (base.starts_with('[')) {
      list(base);
    } else {
      pattern(parse_pattern(base));
    }
    change(split_words(changes));
  }

 private:
  // A bool may be any byte, as it lies in memory.
  void put(std::int64_t at, const std::string& word) {
    const ir::Value value = parse_value(word, type_);
    unsigned byte = 0;
    const auto end = word.data() + word.size();
    if (type_ == ir::ScalarType::Bool && std::from_chars(word.data(), end, byte).ptr == end) {
      buffer_.bytes[static_cast<std::size_t>(at)] = static_cast<std::byte>(byte);
    } else {
      put(at, value);
    }
  }
  void put(std::int64_t at, const ir::Value& value) {
    ir::store_element(buffer_.type, buffer_.bytes.data(), at, value);
  }

  void list(std::string_view text) {
    if (text.back() != ']') fail(words_, "a ']' is missing");
    const std::int64_t count = buffer_.element_count();
    std::int64_t at = 0;
    for (const std::string& word : split_words(text.substr(1, text.size() - 2))) {
      if (word == "|") {
        if (at == 0 || at % buffer_.extents.back() != 0) fail(words_, "a bar stands within a row");
        continue;
      }
      if (at < count) put(at, word);
      ++at;
    }
    if (at != count) {
      fail(words_, "the list has " + std::to_string(at) + " elements and the buffer " +
                       std::to_string(count));
    }
  }

  void pattern(const Pattern& pattern) {
    const std::size_t given = pattern.words.size();
    if (pattern.name == "all" && given == 1) return cycle(pattern.words);
    if (pattern.name == "cycle" && given > 0) return cycle(pattern.words);
    if (pattern.name == "iota" && given <= 2) return iota(pattern.words);
    if (pattern.name == "random" && given == 1) return random(pattern.words[0]);
    fail(words_, "expected [...], all(v), cycle(v, ...), iota(first, step) or random(seed)");
  }

  void cycle(const std::vector<std::string>& words) {
    const std::int64_t count = buffer_.element_count();
    for (std::int64_t i = 0; i < count; ++i) {
      put(i, words[static_cast<std::size_t>(i) % words.size()]);
    }
  }

  void iota(const std::vector<std::string>& words) {
    ir::dispatch(type_, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_same_v<T, bool>) {
        fail(words_, "a bool does not count");
      } else {
        const T first = words.empty() ? T{0} : parse_value(words[0], type_).as<T>();
        const T step = words.size() < 2 ? T{1} : parse_value(words[1], type_).as<T>();
        const std::int64_t count = buffer_.element_count();
        for (std::int64_t i = 0; i < count; ++i) {
          put(i, ir::Value(ops::add(first, ops::mul(static_cast<T>(i), step))));
        }
      }
    });
  }

  void random(const std::string& seed) {
    Random random(
        static_cast<std::uint64_t>(parse_value(seed, ir::ScalarType::I64).as<std::int64_t>()));
    const std::int64_t count = buffer_.element_count();
    for (std::int64_t i = 0; i < count; ++i) put(i, random_value(random));
  }

  ir::Value random_value(Random& random) const {
    return ir::dispatch(type_, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_same_v<T, bool>) {
        return ir::Value(random.chance(50));
      } else if constexpr (std::is_floating_point_v<T>) {
        constexpr int digits = std::numeric_limits<T>::digits - 1;
        const std::int64_t one = std::int64_t{1} << digits;
        const auto mantissa = static_cast<T>(random.between(one, 2 * one - 1));
        const auto magnitude =
            std::ldexp(mantissa, static_cast<int>(random.between(-4, 3)) - digits);
        return ir::Value(random.chance(50) ? -magnitude : magnitude);
      } else {
        return ir::Value(static_cast<T>(random.between(-100, 100)));
      }
    });
  }

  // `3: nan` comes as the words `3:` and `nan`.
  void change(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); i += 2) {
      std::int64_t at = 0;
      const std::string& place = words[i];
      const auto read = std::from_chars(place.data(), place.data() + place.size(), at);
      const bool is_place = read.ec == std::errc() && std::string_view(read.ptr) == ":";
      if (!is_place || i + 1 == words.size()) fail(words_, "a change is written ELEMENT: VALUE");
      if (at < 0 || at >= buffer_.element_count()) fail(words_, "there is no element " + place);
      put(at, words[i + 1]);
    }
  }

  OwnedBuffer& buffer_;
  ir::ScalarType type_;
  std::string_view words_;
};

}  // namespace

void fill_contents(OwnedBuffer& buffer, std::string_view words) {
  Filling(buffer, words).run();
}

}  // namespace gyre::support
