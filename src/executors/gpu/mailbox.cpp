#include "mailbox.hpp"

#include <cstring>

namespace gyre::executors {
namespace {

constexpr std::size_t word_bytes = 2 * sizeof(std::uint64_t);

// Places in lines of the cache of their own.
std::size_t aligned(std::size_t bytes) {
  return (bytes + 127) / 128 * 128;
}

// What the memory had before is no launch's.
cuda::PinnedMemory clear_memory(std::size_t bytes) {
  cuda::PinnedMemory memory(bytes, cuda::PinnedMemory::Access::Mapped);
  std::memset(memory.data(), 0, bytes);
  return memory;
}

}  // namespace

Mailbox::Mailbox(std::size_t request_bytes, std::size_t result_words, std::size_t last_word,
                 std::uint32_t places)
    : request_bytes_(aligned(request_bytes)),
      result_words_(result_words),
      last_word_(last_word),
      result_bytes_(aligned(word_bytes * result_words)),
      places_(places),
      requests_(request_bytes_ * places, cuda::PinnedMemory::Access::Mapped),
      results_(clear_memory(result_bytes_ * places)) {}

std::uint32_t Mailbox::last_teller(std::uint64_t launch) const {
  return static_cast<std::uint32_t>(halves(launch)[2 * last_word_ + 1] >> 32);
}

bool Mailbox::has_result(std::uint64_t launch) const {
  const auto number = static_cast<std::uint32_t>(launch);
  if (last_teller(launch) != number) return false;
  const Halves all = halves(launch);
  for (std::size_t i = 0; i < 2 * result_words_; ++i) {
    if (static_cast<std::uint32_t>(all[i] >> 32) != number) return false;
  }
  return true;
}

std::vector<std::uint64_t> Mailbox::result(std::uint64_t launch) const {
  const Halves all = halves(launch);
  std::vector<std::uint64_t> words(result_words_);
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = (all[2 * i + 1] << 32) | (all[2 * i] & 0xffffffffu);
  }
  return words;
}

}  // namespace gyre::executors
