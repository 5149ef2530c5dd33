#include "gyre/base/host_memory.hpp"

#include "gyre/base/error.hpp"

#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gyre {
namespace {

std::uintptr_t address_of(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

// Pages of this process with the given protection, as long as it lives.
class Pages {
 public:
  explicit Pages(int protection)
      : bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        memory_(mmap(nullptr, bytes_, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Pages() { munmap(memory_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::uintptr_t begin() const { return address_of(memory_); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* memory_;
};

TEST(HostCanRead, TheStackTheHeapAndConstants) {
  const int on_stack = 0;
  const auto on_heap = std::make_unique<char[]>(3);
  static const char constant = 'c';

  EXPECT_TRUE(host_can_read(address_of(&on_stack)));
  EXPECT_TRUE(host_can_read(address_of(on_heap.get() + 2)));
  EXPECT_TRUE(host_can_read(address_of(&constant)));
}

TEST(HostCanRead, EveryByteOfAPageThatMayBeReadOnly) {
  const Pages pages(PROT_READ);

  EXPECT_TRUE(host_can_read(pages.begin()));
  EXPECT_TRUE(host_can_read(pages.begin() + pages.bytes() - 1));
}

TEST(HostCanRead, NotWhatIsOnlyReserved) {
  const Pages pages(PROT_NONE);

  EXPECT_FALSE(host_can_read(pages.begin()));
  EXPECT_FALSE(host_can_read(pages.begin() + pages.bytes() - 1));
}

TEST(HostCanRead, NotWhatWasGivenBackAndNotNull) {
  std::uintptr_t gone = 0;
  { gone = Pages(PROT_READ | PROT_WRITE).begin(); }

  EXPECT_FALSE(host_can_read(gone));
  EXPECT_FALSE(host_can_read(0));
  EXPECT_FALSE(host_can_read(7));
}

TEST(HostCanRead, AsksWithoutChangingSignalsOrFailing) {
  sigset_t before;
  sigset_t after;
  sigprocmask(SIG_SETMASK, nullptr, &before);
  const std::uint64_t all_signals = ~std::uint64_t{0};

  host_can_read(address_of(&all_signals));
  sigprocmask(SIG_SETMASK, nullptr, &after);

  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
  }
}

TEST(TakeHostMemory, GivesWhatWasTaken) {
  EXPECT_EQ(take_host_memory(3, "three bytes", [] { return std::vector<char>(3, 'c'); }),
            std::vector<char>(3, 'c'));
}

TEST(TakeHostMemory, SaysHowMuchThereIsNotAndForWhat) {
  const auto refused = []() -> int { throw std::bad_alloc(); };

  try {
    take_host_memory(std::size_t{1} << 50, "temporaries", refused);
    FAIL() << "nothing was said";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(std::string(error.what()),
              "allocating 1125899906842624 bytes for temporaries failed: the host has not so much "
              "memory left (hint: bind smaller sizes, or free memory first)");
  }
}

}  // namespace
}  // namespace gyre
