#include "residual_ring.hpp"

#include <algorithm>
#include <span>

namespace gyre::solvers {

void ResidualRing::read_places(std::int64_t begin, std::int64_t end,
                               std::vector<double>& words) const {
  if (begin >= end) return;
  const std::size_t before = words.size();
  words.resize(before + static_cast<std::size_t>(2 * (end - begin)));
  executable_->peek("history", 2 * begin, std::span(words).subspan(before));
}

std::vector<ResidualRing::Entry> ResidualRing::read(std::int64_t first, std::int64_t last) const {
  std::vector<double> words;
  if (last < first || kept_ == 0) return {};
  const std::int64_t begin = first % kept_;
  if (last - first >= kept_ - 1) {
    read_places(0, kept_, words);
  } else {
    const std::int64_t end = begin + (last - first) + 1;
    read_places(begin, std::min(end, kept_), words);
    read_places(0, end - kept_, words);
  }
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto trip = static_cast<std::int64_t>(words[i]) - 1;
    if (first <= trip && trip <= last) entries.push_back({trip, words[i + 1]});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& one, const Entry& other) { return one.trip < other.trip; });
  return entries;
}

}  // namespace gyre::solvers
