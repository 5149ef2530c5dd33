#include "support/words.hpp"

#include <charconv>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace gyre::support {
namespace {

template <class T>
bool reads(std::string_view word, T& number) {
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<T>) {
    const bool is_negative = word.starts_with("-");
    const std::string_view digits = word.substr(is_negative ? 1 : 0);
    if (digits.starts_with("0x")) {
      const std::string_view hex = digits.substr(2);
      read = std::from_chars(hex.data(), hex.data() + hex.size(), number, std::chars_format::hex);
      if (is_negative) number = -number;
    } else {
      read = std::from_chars(word.data(), word.data() + word.size(), number);
    }
  } else {
    read = std::from_chars(word.data(), word.data() + word.size(), number);
  }
  return read.ec == std::errc() && read.ptr == word.data() + word.size();
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    const bool ends = (c == ' ' || c == ',') && depth == 0;
    if (!ends) word += c;
    if (ends && !word.empty()) words.push_back(std::move(word)), word.clear();
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

ir::Value parse_value(std::string_view word, ir::ScalarType type) {
  return ir::dispatch(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool>) {
      if (word == "true" || word == "false") return ir::Value(word == "true");
      unsigned byte = 0;
      if (reads(word, byte) && byte < 256) return ir::Value(byte != 0);
    } else {
      if (word == "least") return ir::Value(std::numeric_limits<T>::lowest());
      if (word == "greatest") return ir::Value(std::numeric_limits<T>::max());
      T number{};
      if (reads(word, number)) return ir::Value(number);
    }
    throw std::runtime_error("'" + std::string(word) + "' is no " + std::string(name_of(type)));
  });
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace gyre::support
