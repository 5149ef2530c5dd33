#include "overlap.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gyre::ir {
namespace {

/// A buffer's bytes, `first` and `last` included: an end past the last address would wrap.
struct ByteRange {
  std::uintptr_t first;
  std::uintptr_t last;
  std::size_t symbol;
  bool is_written;
};

std::vector<ByteRange> memory_of(std::span<const Symbol> symbols,
                                 std::span<const BufferView> views) {
  std::vector<ByteRange> bound;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].kind != SymbolKind::Buffer || symbols[i].intent == Intent::Temp) continue;
    const auto bytes =
        static_cast<std::uintptr_t>(views[i].element_count()) * size_of(views[i].type);
    if (bytes == 0) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(views[i].data);
    const auto last = first + std::min(bytes - 1, UINTPTR_MAX - first);
    bound.push_back({first, last, i, symbols[i].intent != Intent::In});
  }
  return bound;
}

[[noreturn]] void refuse(std::span<const Symbol> symbols, const ByteRange& one,
                         const ByteRange& other) {
  const auto [low, high] = std::minmax(
      one, other, [](const ByteRange& a, const ByteRange& b) { return a.symbol < b.symbol; });
  const Symbol& written = symbols[(low.is_written ? low : high).symbol];
  const Symbol& shared = symbols[(low.is_written ? high : low).symbol];
  throw UsageError("buffer '" + written.name + "' is written, and its memory overlaps that of '" +
                   shared.name + "'");
}

}  // namespace

void refuse_overlaps(std::span<const Symbol> symbols, std::span<const BufferView> views) {
  std::vector<ByteRange> bound = memory_of(symbols, views);
  std::sort(bound.begin(), bound.end(), [](const ByteRange& a, const ByteRange& b) {
    return a.first != b.first ? a.first < b.first : a.symbol < b.symbol;
  });

  // Of those that begin earlier, the one that reaches furthest meets this one if any does.
  const ByteRange* furthest = nullptr;
  const ByteRange* furthest_written = nullptr;
  for (const ByteRange& memory : bound) {
    const ByteRange* before = memory.is_written ? furthest : furthest_written;
    if (before != nullptr && memory.first <= before->last) refuse(symbols, memory, *before);
    if (furthest == nullptr || memory.last > furthest->last) furthest = &memory;
    if (memory.is_written &&
        (furthest_written == nullptr || memory.last > furthest_written->last)) {
      furthest_written = &memory;
    }
  }
}

}  // namespace gyre::ir
