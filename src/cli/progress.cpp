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

std::function<bool(std::uint64_t)> Progress::watch() {
  if (!on_terminal_) return {};
  return [this](std::uint64_t trips) { return show(trips); };
}

bool Progress::show(std::uint64_t trips) {
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (elapsed >= patience) {
    shown_ = true;
    fmt::print(stderr, "{}{} trips, {:.1f} s", wipe, trips,
               std::chrono::duration<double>(elapsed).count());
    std::fflush(stderr);
  }
  return true;
}

}  // namespace gyre::cli
