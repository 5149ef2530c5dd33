#include "interrupt.hpp"

namespace gyre::cli {
namespace {

volatile std::sig_atomic_t signals = 0;

void note(int /*signal*/) {
  signals = 1;
}

}  // namespace

Interrupt::Interrupt() {
  signals = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  // The handler goes once it was called, so that a run which does not listen can still be ended.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool Interrupt::requested() const {
  return signals != 0;
}

}  // namespace gyre::cli
