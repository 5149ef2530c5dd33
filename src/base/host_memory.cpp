#include "gyre/base/host_memory.hpp"

#include "gyre/base/error.hpp"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

namespace gyre {

bool host_can_read(std::uintptr_t address) {
  // The kernel copies the set of signals in before it looks at what to do with it. What it is told
  // to do is nothing that exists, so it says EFAULT where it cannot read, else EINVAL.
  constexpr int nothing_that_exists = -1;
  constexpr std::size_t word = 8;
  const long result =
      syscall(SYS_rt_sigprocmask, nothing_that_exists, address & ~(word - 1), nullptr, word);
  return address >= word && !(result == -1 && errno == EFAULT);
}

void detail::no_host_memory(std::size_t bytes, const std::string& use) {
  throw EnvironmentError("allocating " + std::to_string(bytes) + " bytes for " + use +
                         " failed: the host has not so much memory left (hint: bind smaller sizes, "
                         "or free memory first)");
}

}  // namespace gyre
