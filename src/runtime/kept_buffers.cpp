#include "kept_buffers.hpp"

#include "bindings.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/host_memory.hpp"
#include "own_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gyre {
namespace {

// Each word at once, since somebody may be writing it.
template <class Word>
void copy_words(const std::byte* from, std::span<std::byte> to) {
  const auto* source = reinterpret_cast<const Word*>(from);
  for (std::size_t i = 0; i < to.size() / sizeof(Word); ++i) {
    const Word word = __atomic_load_n(source + i, __ATOMIC_RELAXED);
    std::copy_n(reinterpret_cast<const std::byte*>(&word), sizeof(Word),
                to.data() + i * sizeof(Word));
  }
}

}  // namespace

ir::BufferView KeptBuffers::make(std::string_view buffer, std::vector<std::int64_t> extents,
                                 std::uint64_t edition) {
  const auto symbol = std::find_if(symbols_.begin(), symbols_.end(), [&](const ir::Symbol& one) {
    return one.name == buffer && one.kind == ir::SymbolKind::Buffer;
  });
  if (symbol == symbols_.end() || symbol->intent != ir::Intent::Out) {
    throw UsageError("'" + std::string(buffer) +
                     "' is no buffer of this program that is 'out', and only those can be kept");
  }
  check_rank(*symbol, extents);
  ir::BufferView view{symbol->type, std::move(extents), nullptr, edition};
  const std::size_t bytes = bytes_to_own(symbol->name, symbol->type, view.extents, "kept");
  auto made = take_host_memory(bytes, "buffer '" + symbol->name + "', which is kept",
                               [&] { return std::vector<std::byte>(bytes); });
  Kept& kept = kept_[static_cast<ir::SymbolId>(symbol - symbols_.begin())];
  kept = {std::move(made), true};
  view.data = kept.memory.data();
  return view;
}

std::map<ir::SymbolId, KeptBuffers::Kept>::const_iterator KeptBuffers::find(
    std::string_view buffer) const {
  return std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) {
    return one.second.is_bound && symbols_[static_cast<std::size_t>(one.first)].name == buffer;
  });
}

void KeptBuffers::forget(std::string_view buffer) {
  if (const auto kept = find(buffer); kept != kept_.end()) kept_[kept->first].is_bound = false;
}

void KeptBuffers::launched() {
  for (auto& [buffer, kept] : kept_) kept.is_launched = kept.is_launched || kept.is_bound;
}

void KeptBuffers::peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
                       std::span<std::byte> to, executors::Executor& executor) const {
  const auto kept = find(buffer);
  if (kept == kept_.end()) {
    throw UsageError("'" + std::string(buffer) + "' is no buffer that is kept");
  }
  const ir::Symbol& symbol = symbols_[static_cast<std::size_t>(kept->first)];
  if (type != symbol.type) {
    throw UsageError("buffer '" + symbol.name + "' is of " + std::string(name_of(symbol.type)) +
                     ", and elements of " + std::string(name_of(type)) + " are asked for");
  }
  const std::size_t size = ir::size_of(type);
  const std::size_t elements = kept->second.memory.size() / size;
  if (first < 0 || static_cast<std::size_t>(first) > elements ||
      to.size() / size > elements - static_cast<std::size_t>(first)) {
    throw UsageError("buffer '" + symbol.name + "' has " + std::to_string(elements) +
                     " elements, and " + std::to_string(to.size() / size) + " from number " +
                     std::to_string(first) + " on are asked for");
  }
  const std::size_t offset = static_cast<std::size_t>(first) * size;
  if (kept->second.is_launched && executor.peek(kept->first, offset, to)) return;
  const std::byte* from = kept->second.memory.data() + offset;
  switch (size) {
    case 8: return copy_words<std::uint64_t>(from, to);
    case 4: return copy_words<std::uint32_t>(from, to);
    case 2: return copy_words<std::uint16_t>(from, to);
    default: return copy_words<std::uint8_t>(from, to);
  }
}

}  // namespace gyre
