#include "gyre/builder/control.hpp"

#include "gyre/base/error.hpp"

#include <limits>

namespace gyre::builder {

IfChain::IfChain(std::shared_ptr<Recorder> recorder, const Given<bool>& condition,
                 const std::function<void()>& then)
    : recorder_(std::move(recorder)) {
  const auto loc = SourceLoc::here(condition.site);
  auto expr = recorder_->take(condition.value);
  arms_.push_back({std::move(expr), recorder_->block(then), loc});
  anchor_ = recorder_->record(ir::If{arms_[0].condition, arms_[0].body, nullptr}, loc);
}

void IfChain::add(const Given<bool>& condition, const std::function<void()>& body) {
  if (otherwise_)
    throw UsageError(to_string(SourceLoc::here(condition.site)) +
                     ": this else_if follows an else_");
  // Asked before the body runs: what is out of place should record nothing.
  recorder_->amend(anchor_, "else_if");
  auto expr = recorder_->take(condition.value);
  arms_.push_back({std::move(expr), recorder_->block(body), SourceLoc::here(condition.site)});
  amend();
}

void IfChain::close(const std::function<void()>& body) {
  if (otherwise_) throw UsageError("program '" + recorder_->name() + "': an if_ has two else_");
  recorder_->amend(anchor_, "else_");
  otherwise_ = recorder_->block(body);
  amend();
}

void IfChain::amend() {
  ir::Region otherwise = otherwise_;
  for (std::size_t i = arms_.size() - 1; i > 0; --i) {
    const Arm& arm = arms_[i];
    otherwise = ir::make_seq(
        {ir::make_region(ir::If{arm.condition, arm.body, std::move(otherwise)}, arm.loc)}, arm.loc);
  }
  std::get<ir::If>(recorder_->amend(anchor_, "else_")).otherwise = std::move(otherwise);
}

SwitchChain::SwitchChain(std::shared_ptr<Recorder> recorder, const GivenInteger& selector)
    : recorder_(std::move(recorder)) {
  anchor_ = recorder_->record(ir::Switch{recorder_->take(selector.value), {}, nullptr},
                              SourceLoc::here(selector.site));
}

void SwitchChain::add(std::initializer_list<Label> labels, const std::function<void()>& body,
                      const CallSite& at) {
  recorder_->amend(anchor_, "case_");
  ir::Case one{{labels.begin(), labels.end()}, recorder_->block(body), SourceLoc::here(at)};
  std::get<ir::Switch>(recorder_->amend(anchor_, "case_")).cases.push_back(std::move(one));
}

void SwitchChain::close(const std::function<void()>& body) {
  const auto& open = std::get<ir::Switch>(recorder_->amend(anchor_, "default_"));
  if (open.otherwise) {
    throw UsageError("program '" + recorder_->name() + "': a switch_ has two default_");
  }
  auto otherwise = recorder_->block(body);
  std::get<ir::Switch>(recorder_->amend(anchor_, "default_")).otherwise = std::move(otherwise);
}

DoBody::DoBody(std::shared_ptr<Recorder> recorder, const std::function<void()>& body,
               const SourceLoc& loc)
    : recorder_(std::move(recorder)) {
  auto block = recorder_->block(body);
  anchor_ = recorder_->record(ir::While{nullptr, std::move(block), true, nullptr, nullptr}, loc);
}

void DoBody::while_(const Given<bool>& condition, const LoopOptions& options) {
  auto& loop = std::get<ir::While>(recorder_->amend(anchor_, "while_"));
  if (loop.condition) {
    throw UsageError("program '" + recorder_->name() + "': a do_ has two while_");
  }
  loop.condition = recorder_->take(condition.value);
  if (options.limit) loop.limit = recorder_->take(options.limit->value);
  if (options.expect) loop.expect = recorder_->take(options.expect->value);
}

}  // namespace gyre::builder
