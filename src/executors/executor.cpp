#include "gyre/executors/executor.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/host_memory.hpp"

#include <string>
#include <vector>

namespace gyre::executors {
namespace {

/// Of a program that runs on the host: what is sent is read where it was put.
class HostInput final : public InputPlace {
 public:
  explicit HostInput(std::size_t bytes)
      : values_(take_host_memory(bytes, "inputs that are written ahead",
                                 [&] { return std::vector<std::byte>(bytes); })) {}

  void* data() const override { return values_.data(); }
  std::span<std::byte> values() override { return values_; }
  void send() override {}
  void before_run(void*) override {}
  void behind_run(void*) override {}

 private:
  mutable std::vector<std::byte> values_;
};

}  // namespace

std::shared_ptr<InputPlace> Executor::make_input(std::size_t bytes) const {
  return std::make_shared<HostInput>(bytes);
}

std::shared_ptr<Flight> Executor::join(const ir::Bound&, const ir::RunOptions&) {
  throw UsageError("the " + std::string(name()) +
                   " executor needs the host and cannot be part of a captured stream; compile with "
                   "device_graph");
}

}  // namespace gyre::executors
