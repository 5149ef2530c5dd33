/// What `auto` stands for: an executor that gives way to the next one as long as nothing has run.
///
/// Some of what stops an executor shows only when memory is bound and graphs are built: a call
/// whose work no graph can hold, a graph that the driver refuses. Leaves out in which order
/// executors are preferred (make_executor.cpp).
#pragma once

#include "gyre/executors/executor.hpp"
#include "passed_over.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace gyre::executors {

class AutoExecutor final : public Executor {
 public:
  /// The next executor for the same plan, in the order of preference; null where there is none. It
  /// adds to what is passed over whatever it could not make.
  using Next = std::function<std::unique_ptr<Executor>(PassedOver&)>;

  AutoExecutor(std::unique_ptr<Executor> first, PassedOver passed_over, Next next);

  std::string_view name() const override { return current_->name(); }
  void compile(bool checked) override { current_->compile(checked); }
  void prepare(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::size_t held_bytes() const override { return current_->held_bytes(); }
  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::shared_ptr<Flight> start(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::shared_ptr<InputPlace> make_input(std::size_t bytes) const override {
    return current_->make_input(bytes);
  }
  bool peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) override {
    // Until then the one at hand may be given up.
    return is_settled_ && current_->peek(buffer, offset, to);
  }
  bool is_capturing(void* stream) const override { return current_->is_capturing(stream); }
  std::shared_ptr<Flight> join(const ir::Bound& bound, const ir::RunOptions& options) override {
    return current_->join(bound, options);
  }

 private:
  /// Once: takes the first executor that can be prepared for such a run.
  void settle(const ir::Bound& bound, const ir::RunOptions& options);
  /// Whether there is another one to take, since `reason` stops the current one.
  bool give_way(const char* reason);

  std::unique_ptr<Executor> current_;
  PassedOver passed_over_;
  Next next_;
  std::atomic<bool> is_settled_ = false;
};

}  // namespace gyre::executors
