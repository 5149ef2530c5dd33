#include "driver_log.hpp"

#include <cstddef>
#include <mutex>

namespace gyre::cuda {
namespace {

// The functions of CUDA 12.9, spelt here because older headers lack them.
using LogCallback = void(CUDA_CB*)(void* data, int level, char* message, std::size_t length);
using RegisterCallback = CUresult(CUDAAPI*)(LogCallback callback, void* data, void** handle);

constexpr std::size_t longest_log = 2000;

std::string& heard() {
  thread_local std::string text;
  return text;
}

// Called by the driver, so nothing may leave it.
void CUDA_CB hear(void*, int, char* message, std::size_t length) noexcept {
  try {
    std::string& text = heard();
    if (text.size() + length > longest_log) return;
    if (!text.empty()) text += "; ";
    text.append(message, length);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  } catch (...) {
    // Out of memory while noting an error: the error itself still reaches the caller.
  }
}

}  // namespace

void listen_to_driver_log(const Driver& driver) {
  static std::once_flag once;
  std::call_once(once, [&] {
    const auto add =
        reinterpret_cast<RegisterCallback>(driver.find("cuLogsRegisterCallback", 12090));
    void* handle = nullptr;
    if (add != nullptr) add(&hear, nullptr, &handle);
  });
}

void forget_driver_log() {
  heard().clear();
}

std::string take_driver_log() {
  std::string text;
  text.swap(heard());
  return text;
}

}  // namespace gyre::cuda
