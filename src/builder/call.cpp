#include "gyre/builder/call.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <utility>

namespace gyre::builder {

namespace {

template <class Work>
void set_once(Work& form, Work work, const char* which) {
  if (form) throw UsageError("a call is given two " + std::string(which) + " forms");
  form = std::move(work);
}

}  // namespace

void CallParts::add(DeviceWork work) {
  set_once(device, std::move(work), "device");
}

void CallParts::add(HostWork work) {
  set_once(host, std::move(work), "host");
}

// The statement shares the callee, so that it changes there too.
CallChain& CallChain::guarded() {
  recorder_->amend(anchor_, "guarded");
  callee_->guarded = true;
  return *this;
}

CallChain& CallChain::on_host() {
  recorder_->amend(anchor_, "on_host");
  callee_->placement = ir::Placement::Host;
  return *this;
}

namespace detail {

const ir::BufferView& view_of(ir::SymbolId symbol, const std::vector<ir::SymbolId>& symbols,
                              const std::vector<ir::BufferView>& views) {
  const auto found = std::find(symbols.begin(), symbols.end(), symbol);
  if (found == symbols.end()) {
    throw UsageError("a call asks for an object that its reads, writes and updates do not name");
  }
  return views.at(static_cast<std::size_t>(found - symbols.begin()));
}

namespace {

void check_owners(const Recorder& recorder, const std::vector<Object>& arguments) {
  for (const Object& object : arguments) recorder.check_owner(object.owner.get());
}

std::vector<ir::SymbolId> symbols_of(const std::vector<Object>& arguments) {
  std::vector<ir::SymbolId> symbols;
  for (const Object& object : arguments) symbols.push_back(object.symbol);
  return symbols;
}

}  // namespace

CallChain call(const std::shared_ptr<Recorder>& recorder, const CallName& name, CallParts parts) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = name.name;
  std::vector<Object> objects;
  for (const CallArguments& group : parts.arguments) {
    callee->accesses.insert(callee->accesses.end(), group.objects.size(), group.access);
    objects.insert(objects.end(), group.objects.begin(), group.objects.end());
  }
  check_owners(*recorder, objects);
  const auto symbols = symbols_of(objects);
  if (parts.device) {
    callee->device = [symbols,
                      work = std::move(parts.device)](const ir::DeviceCallContext& context) {
      CallContext named(symbols, context);
      work(named);
    };
  }
  if (parts.host) {
    callee->host = [symbols, work = std::move(parts.host)](ir::HostCallContext& context) {
      HostCallContext named(symbols, context);
      work(named);
    };
  }
  const auto anchor = recorder->record(ir::Call{callee, symbols}, SourceLoc::here(name.site));
  return {recorder, anchor, std::move(callee)};
}

void call(Recorder& recorder, std::shared_ptr<const ir::Callee> callee,
          const std::vector<Object>& arguments, const SourceLoc& loc) {
  if (!callee) throw UsageError(to_string(loc) + ": a call of nothing");
  check_owners(recorder, arguments);
  recorder.record(ir::Call{std::move(callee), symbols_of(arguments)}, loc);
}

}  // namespace detail
}  // namespace gyre::builder
