#include "reserved_words.hpp"

#include <iterator>
#include <set>
#include <sstream>

namespace gyre::jit {
namespace {

using Words = std::set<std::string>;

Words words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

}  // namespace

bool is_reserved(const std::string& name) {
  static const Words words = words_of(
      "alignas and arm asm assert auto bad block blockDim blockIdx bool break case catch char "
      "chip class compl concept const constexpr continue crew cudaGraphSetConditional decltype "
      "default delete do double else enum explicit export extern false float for friend "
      "goes_on goto gridDim guard gyre here home if inline input_cells int lanes late letters "
      "long memcpy mutable namespace new next_guard noexcept not nullptr on operator or "
      "output_cells own places point points present private protected public register "
      "request_bytes requests requires rest result_bytes results return rows shadow short "
      "signed sizeof stage stage_elements state static struct switch team template this "
      "threadIdx throw true try typedef typeid typename union unsigned using virtual void "
      "volatile warpSize while xor");
  return words.contains(name);
}

bool looks_emitted(const std::string& name) {
  static const Words words = words_of(
      "arm decision entry fold folds heads holds kept labels limit loop partials range room row "
      "rows runs staged strand term terms tile trip");
  const auto digits = name.find_last_not_of("0123456789") + 1;
  return digits < name.size() && words.contains(name.substr(0, digits));
}

}  // namespace gyre::jit
