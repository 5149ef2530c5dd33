/// Whether an address is memory of this process at all.
#pragma once

#include <cstdint>

namespace gyre {

/// Whether the host can read the word at `address`. Reads nothing itself, so an address that it
/// cannot is no fault.
bool host_can_read(std::uintptr_t address);

}  // namespace gyre
