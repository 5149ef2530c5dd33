/// The host's memory: whether an address is any, and what is said where none is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace gyre {

/// Whether the host can read the word at `address`. Reads nothing itself, so an address that it
/// cannot is no fault.
bool host_can_read(std::uintptr_t address);

namespace detail {
[[noreturn]] void no_host_memory(std::size_t bytes, const std::string& use);
}

/// What `take` gives, which takes `bytes` of the host's memory for `use`, as in "temporaries".
/// EnvironmentError that says both where there are not so many.
template <class Take>
auto take_host_memory(std::size_t bytes, const std::string& use, const Take& take) {
  try {
    return take();
  } catch (const std::bad_alloc&) {
    detail::no_host_memory(bytes, use);
  }
}

}  // namespace gyre
