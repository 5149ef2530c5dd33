#include "gyre/builder/call.hpp"

#include "gyre/builder/recorder.hpp"

#include <algorithm>
#include <utility>

namespace gyre::builder {

const ir::BufferView& CallContext::view(ir::SymbolId symbol) const {
  const auto found = std::find(symbols_.begin(), symbols_.end(), symbol);
  if (found == symbols_.end()) {
    throw UsageError("a call asks for an object that its reads, writes and updates do not name");
  }
  return context_.arguments.at(static_cast<std::size_t>(found - symbols_.begin()));
}

namespace detail {

void call(Recorder& recorder, std::string name, const std::vector<CallArguments>& arguments,
          HostWork host, const SourceLoc& loc) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = std::move(name);
  std::vector<Object> objects;
  std::vector<ir::SymbolId> symbols;
  for (const CallArguments& group : arguments) {
    for (const Object& object : group.objects) {
      callee->accesses.push_back(group.access);
      objects.push_back(object);
      symbols.push_back(object.symbol);
    }
  }
  if (host) {
    callee->host = [symbols, work = std::move(host)](ir::HostCallContext& context) {
      CallContext named(symbols, context);
      work(named);
    };
  }
  call(recorder, std::move(callee), objects, loc);
}

void call(Recorder& recorder, std::shared_ptr<const ir::Callee> callee,
          const std::vector<Object>& arguments, const SourceLoc& loc) {
  if (!callee) throw UsageError(to_string(loc) + ": a call of nothing");
  std::vector<ir::SymbolId> symbols;
  for (const Object& object : arguments) {
    recorder.check_owner(object.owner.get());
    symbols.push_back(object.symbol);
  }
  recorder.record(ir::Call{std::move(callee), std::move(symbols)}, loc);
}

}  // namespace detail
}  // namespace gyre::builder
