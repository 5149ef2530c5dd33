#include "gyre/dispatch/shape_ledger.hpp"

#include "gyre/base/error.hpp"

#include <utility>

namespace gyre::dispatch {

ShapeLedger::ShapeLedger(CacheLimits limits) : limits_(std::move(limits)) {}

void ShapeLedger::hit(const Shape& shape) {
  ++counts_.hits;
  const auto found = places_.find(shape);
  if (found != places_.end()) held_.splice(held_.end(), held_, found->second);
}

bool ShapeLedger::is_worth_making(const Shape& shape) {
  if (!limits_.worth_after) return true;
  const auto after = limits_.worth_after(shape);
  const auto found = requests_.find(shape);
  const std::int64_t before = found == requests_.end() ? 0 : found->second;
  if (after && before >= *after) return true;
  count(shape);
  ++counts_.eager;
  return false;
}

void ShapeLedger::count(const Shape& shape) {
  ++requests_[shape];
  while (requests_.size() > limits_.counted_shapes) {
    for (auto& [other, requests] : requests_) requests /= 2;
    std::erase_if(requests_, [](const auto& entry) { return entry.second == 0; });
  }
}

void ShapeLedger::keep(const Shape& shape, std::size_t bytes) {
  GYRE_CHECK(fits(bytes) && !places_.contains(shape), "a thing is kept without room for it");
  places_.emplace(shape, held_.insert(held_.end(), {shape, bytes}));
  counts_.bytes += bytes;
  ++counts_.things;
  ++counts_.made;
}

bool ShapeLedger::make_room(std::size_t bytes, const Drop& drop) {
  // What will never fit pushes nothing out.
  if (bytes <= limits_.bytes) drop_until([&] { return fits(bytes); }, drop);
  return fits(bytes);
}

void ShapeLedger::drop_all(const Drop& drop) {
  drop_until([] { return false; }, drop);
}

void ShapeLedger::drop_until(const std::function<bool()>& is_enough, const Drop& drop) {
  for (auto held = held_.begin(); held != held_.end() && !is_enough();) {
    if (!drop(held->shape)) {
      ++held;
      continue;
    }
    counts_.bytes -= held->bytes;
    --counts_.things;
    ++counts_.evicted;
    places_.erase(held->shape);
    held = held_.erase(held);
  }
}

}  // namespace gyre::dispatch
