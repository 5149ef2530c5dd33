/// Memory as a caller of one executor has it: the host's for `cpu`, the device's for the others.
#pragma once

#include "device_vector.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace gyre {

/// On the host it consists of pages of its own, so that what is given back is there no longer.
template <class T>
class OwnMemory {
 public:
  OwnMemory(const std::string& executor, const std::vector<T>& values) : count_(values.size()) {
    if (executor != "cpu") {
      device_ = std::make_unique<DeviceVector<T>>(values);
      return;
    }
    void* pages =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    host_ = {static_cast<T*>(pages), Unmap{bytes()}};
    write(values);
  }

  T* data() const { return device_ ? device_->data() : host_.get(); }
  std::vector<std::int64_t> extents() const { return {static_cast<std::int64_t>(count_)}; }

  void write(const std::vector<T>& values) const {
    if (device_) return device_->write(values);
    std::memcpy(host_.get(), values.data(), values.size() * sizeof(T));
  }
  std::vector<T> read() const {
    return device_ ? device_->read() : std::vector<T>(host_.get(), host_.get() + count_);
  }

 private:
  struct Unmap {
    std::size_t bytes = 0;
    void operator()(T* pages) const { munmap(pages, bytes); }
  };
  std::size_t bytes() const { return (count_ + 1) * sizeof(T); }

  std::size_t count_;
  std::unique_ptr<DeviceVector<T>> device_;
  std::unique_ptr<T, Unmap> host_;
};

template <class T>
void bind(Executable& executable, const char* name, const OwnMemory<T>& memory) {
  executable.bind(name, memory.data(), memory.extents());
}

}  // namespace gyre
