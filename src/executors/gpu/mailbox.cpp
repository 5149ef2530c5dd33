#include "mailbox.hpp"

namespace gyre::executors {
namespace {

// Places in lines of the cache of their own.
std::size_t aligned(std::size_t bytes) {
  return (bytes + 127) / 128 * 128;
}

}  // namespace

Mailbox::Mailbox(std::size_t request_bytes, std::size_t result_bytes, std::uint32_t places)
    : request_bytes_(aligned(request_bytes)),
      result_bytes_(aligned(result_bytes)),
      places_(places),
      requests_(request_bytes_ * places, cuda::PinnedMemory::Access::Mapped),
      results_(result_bytes_ * places, cuda::PinnedMemory::Access::Mapped) {}

}  // namespace gyre::executors
