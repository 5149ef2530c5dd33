#include "progress.hpp"

#include <cstdio>

#include <fmt/core.h>
#include <unistd.h>

namespace gyre::cli {
namespace {

// Shorter runs need no company.
constexpr auto patience = std::chrono::milliseconds(500);
constexpr auto wipe = "\r\033[K";

}  // namespace

Progress::Progress()
    : on_terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (!shown_) return;
  std::fputs(wipe, stderr);
  std::fflush(stderr);
}

void Progress::show(std::uint64_t trips) {
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (!on_terminal_ || elapsed < patience) return;
  shown_ = true;
  fmt::print(stderr, "{}{} trips, {:.1f} s", wipe, trips,
             std::chrono::duration<double>(elapsed).count());
  std::fflush(stderr);
}

}  // namespace gyre::cli
