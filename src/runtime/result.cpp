#include "gyre/runtime/result.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/suggestion.hpp"
#include "gyre/ir/eval.hpp"

namespace gyre {
namespace {

template <class Values>
const auto& find(const Values& values, std::string_view name, const std::string& what) {
  const auto found = values.find(std::string(name));
  if (found != values.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : values) names.push_back(known);
  throw UsageError("the result has no " + what + " '" + std::string(name) + "'" +
                   suggestion(name, names));
}

}  // namespace

std::uint64_t Result::trips(std::string_view region) const {
  return find(outcome_.trips, region, "loop");
}

std::uint64_t Result::total_trips() const {
  return ir::all_trips(outcome_);
}

const std::vector<std::uint64_t>& Result::arms(std::string_view region) const {
  return find(outcome_.arms, region, "branch");
}

const ir::Value& Result::value(std::string_view scalar) const {
  return find(outcome_.scalars, scalar, "output scalar");
}

ir::Value Result::widened(std::string_view scalar, ir::ScalarType type) const {
  const ir::Value& value = this->value(scalar);
  if (!ir::widens(value.type(), type)) {
    throw UsageError("scalar '" + std::string(scalar) + "' is of " +
                     std::string(ir::name_of(value.type())) + " and was asked for as " +
                     std::string(ir::name_of(type)));
  }
  return ir::convert(value, type);
}

}  // namespace gyre
