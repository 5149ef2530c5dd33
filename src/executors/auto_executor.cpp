#include "auto_executor.hpp"

#include "gyre/base/error.hpp"
#include "gyre/executors/refused_call.hpp"

#include <utility>

namespace gyre::executors {

AutoExecutor::AutoExecutor(std::unique_ptr<Executor> first, PassedOver passed_over, Next next)
    : current_(std::move(first)), passed_over_(std::move(passed_over)), next_(std::move(next)) {
  passed_over_.tell(current_->name());
}

void AutoExecutor::prepare(const ir::Bound& bound, const ir::RunOptions& options) {
  const bool was_settled = is_settled_;
  settle(bound, options);
  if (was_settled) current_->prepare(bound, options);
}

ir::Outcome AutoExecutor::run(const ir::Bound& bound, const ir::RunOptions& options) {
  settle(bound, options);
  return current_->run(bound, options);
}

std::shared_ptr<Flight> AutoExecutor::start(const ir::Bound& bound, const ir::RunOptions& options) {
  settle(bound, options);
  return current_->start(bound, options);
}

// What fails once something has run is no reason to run it again elsewhere.
void AutoExecutor::settle(const ir::Bound& bound, const ir::RunOptions& options) {
  while (!is_settled_) {
    try {
      current_->prepare(bound, options);
      is_settled_ = true;
    } catch (const RefusedCall& refusal) {
      if (!give_way(refusal.what())) throw;
    } catch (const EnvironmentError& error) {
      if (!give_way(error.what())) throw;
    }
  }
}

bool AutoExecutor::give_way(const char* reason) {
  PassedOver passed_over = passed_over_;
  passed_over.add(current_->name(), reason, false);
  auto other = next_(passed_over);
  if (!other) return false;
  current_ = std::move(other);
  passed_over_ = std::move(passed_over);
  passed_over_.tell(current_->name());
  return true;
}

}  // namespace gyre::executors
