#include "printed_names.hpp"

#include "gyre/text/lexer.hpp"

#include <algorithm>
#include <utility>

namespace gyre::text {

void PrintedNames::leave() {
  while (declared_.size() > marks_.back()) {
    auto& [symbol, before] = declared_.back();
    auto& name = names_[symbol];
    visible_.erase(name);
    name = std::move(before);
    declared_.pop_back();
  }
  marks_.pop_back();
}

void PrintedNames::declare(ir::SymbolId symbol) {
  const std::string base = legal(program_[symbol].name);
  std::string name = base;
  for (int number = 2; visible_.contains(name); ++number)
    name = base + "_" + std::to_string(number);
  visible_.insert(name);
  declared_.push_back({symbol, std::exchange(names_[symbol], std::move(name))});
}

std::string PrintedNames::operator[](ir::SymbolId symbol) const {
  const auto found = names_.find(symbol);
  const bool declared = found != names_.end() && !found->second.empty();
  return declared ? found->second : legal(program_[symbol].name);
}

std::string PrintedNames::legal(std::string_view name) {
  if (is_name(name)) return std::string(name);
  std::string fixed(name);
  std::replace_if(
      fixed.begin(), fixed.end(), [](char c) { return !is_name(std::string("_") + c); }, '_');
  if (!is_name(fixed)) fixed.insert(0, "_");
  return fixed;
}

}  // namespace gyre::text
