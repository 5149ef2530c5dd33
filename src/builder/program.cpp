#include "gyre/builder/program.hpp"

#include "gyre/builder/recorder.hpp"

namespace gyre::builder {

Program::Program(std::string name, const CallSite& at)
    : Primitives(std::make_shared<Recorder>(std::move(name), SourceLoc::here(at))) {}

// A call's work may hold handles, and they hold the recorder: it must not hold the work.
Program::~Program() {
  recorder()->abandon();
}

void Program::break_(const CallSite& at) {
  recorder()->record(ir::Break{}, SourceLoc::here(at));
}

void Program::continue_(const CallSite& at) {
  recorder()->record(ir::Continue{}, SourceLoc::here(at));
}

void Program::stop(std::string label, const CallSite& at) {
  recorder()->record(ir::Stop{std::move(label), nullptr}, SourceLoc::here(at));
}

void Program::stop(std::string label, const GivenInteger& code) {
  recorder()->record(ir::Stop{std::move(label), recorder()->take(code.value)},
                     SourceLoc::here(code.site));
}

void Program::call(std::shared_ptr<const ir::Callee> callee,
                   const std::vector<detail::Object>& arguments, const CallSite& at) {
  detail::call(*recorder(), std::move(callee), arguments, SourceLoc::here(at));
}

ir::Program Program::finish() {
  return recorder()->finish();
}

void Program::add_foreach(const std::vector<detail::OpenRange>& ranges, bool promised,
                          ir::Team team, const BoundBody& body, const CallSite& at) {
  const auto loc = SourceLoc::here(at);
  auto bound = detail::bind(*recorder(), ranges, loc);
  ir::Region block;
  recorder()->with_indices(bound.size(), [&] { block = recorder()->block([&] { body(bound); }); });
  recorder()->record(ir::Foreach{std::move(bound), promised, std::move(block), team}, loc);
}

void Program::add_ahead(const std::function<void()>& declare) {
  recorder()->ahead(declare);
}

void Program::add_for(const std::vector<detail::OpenRange>& ranges, const BoundBody& body,
                      const CallSite& at) {
  const auto loc = SourceLoc::here(at);
  const auto bound = detail::bind(*recorder(), ranges, loc);
  ir::Region block;
  recorder()->with_indices(1, [&] { block = recorder()->block([&] { body(bound); }); });
  recorder()->record(ir::For{bound[0], std::move(block)}, loc);
}

void Program::add_while(const Given<bool>& condition, const LoopOptions& options,
                        const std::function<void()>& body) {
  ir::While loop;
  loop.condition = recorder()->take(condition.value);
  if (options.limit) loop.limit = recorder()->take(options.limit->value);
  if (options.expect) loop.expect = recorder()->take(options.expect->value);
  loop.body = recorder()->block(body);
  recorder()->record(std::move(loop), SourceLoc::here(condition.site));
}

void Program::add_fork(const FirstArm& first, const std::vector<std::function<void()>>& more) {
  ir::Fork fork;
  fork.arms.push_back(recorder()->block(first.body));
  for (const auto& body : more) fork.arms.push_back(recorder()->block(body));
  recorder()->record(std::move(fork), SourceLoc::here(first.site));
}

void Program::add_copy(const detail::Object& to, const detail::Object& from, const CallSite& at) {
  recorder()->check_owner(to.owner.get());
  recorder()->check_owner(from.owner.get());
  recorder()->record(ir::Copy{to.symbol, from.symbol}, SourceLoc::here(at));
}

void Program::add_fill(const detail::Object& buffer, const AnyValue& value, const CallSite& at) {
  recorder()->check_owner(buffer.owner.get());
  recorder()->record(ir::Fill{buffer.symbol, recorder()->take(value)}, SourceLoc::here(at));
}

}  // namespace gyre::builder
