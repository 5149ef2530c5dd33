#include "gyre/builder/place.hpp"

#include "gyre/base/error.hpp"
#include "gyre/builder/recorder.hpp"

namespace gyre::builder::detail {
namespace {

// A place is written by the expression that reads it.
ir::Place to_place(Recorder& recorder, const AnyValue& read, const SourceLoc& loc) {
  const ir::Expr expr = recorder.take(read);
  if (const auto* load = ir::as<ir::Load>(expr)) return {load->buffer, load->index, loc};
  const auto* scalar = ir::as<ir::Read>(expr);
  GYRE_CHECK(scalar != nullptr, "a place is neither a scalar nor an element");
  return {scalar->symbol, {}, loc};
}

}  // namespace

AnyValue read(const Object& scalar) {
  return {ir::make_read(scalar.symbol, (*scalar.owner)[scalar.symbol].type), scalar.owner};
}

AnyValue load(const Object& buffer, const std::vector<AnyValue>& index) {
  AnyValue element{nullptr, buffer.owner};
  std::vector<ir::Expr> exprs;
  for (const AnyValue& one : index) {
    exprs.push_back(buffer.owner->take(one));
    element.nodes += one.nodes;
  }
  element.expr =
      ir::make_load(buffer.symbol, (*buffer.owner)[buffer.symbol].type, std::move(exprs));
  Recorder::check_size(element);
  return element;
}

void assign(const AnyValue& place, std::optional<ir::Op> op, const AnyValue& value,
            const CallSite& at) {
  Recorder& recorder = *place.owner;
  const auto loc = SourceLoc::here(at);
  recorder.record(ir::Assign{to_place(recorder, place, loc), op, recorder.take(value)}, loc);
}

void scatter(const AnyValue& place, bool accumulate, const AnyValue& value, const CallSite& at) {
  Recorder& recorder = *place.owner;
  const auto loc = SourceLoc::here(at);
  recorder.record(ir::Scatter{to_place(recorder, place, loc), accumulate, recorder.take(value)},
                  loc);
}

}  // namespace gyre::builder::detail
