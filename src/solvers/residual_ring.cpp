#include "residual_ring.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace gyre::solvers {
namespace {

bool is_earlier(const ResidualRing::Entry& one, const ResidualRing::Entry& other) {
  return one.trip < other.trip;
}

}  // namespace

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
  std::sort(entries.begin(), entries.end(), is_earlier);
  return entries;
}

// More trips come while it is read. What two looks agree on is whole.
ResidualRing::Look ResidualRing::look(std::int64_t first) const {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  std::vector<Entry> entries = read(first, last);
  if (entries.empty()) return {{}, -1};
  const std::vector<Entry> again = read(first, last);
  const std::int64_t newest = again.empty() ? entries.back().trip : again.back().trip;
  std::erase_if(entries, [&](const Entry& entry) {
    const auto same = std::lower_bound(again.begin(), again.end(), entry, is_earlier);
    return entry.trip == newest || same == again.end() || !(*same == entry);
  });
  return {std::move(entries), newest};
}

}  // namespace gyre::solvers
