#include "gyre/ir/fresh_names.hpp"

namespace gyre::ir {

FreshNames::FreshNames(const Program& program) {
  for (const Symbol& symbol : program.symbols) taken_.insert(symbol.name);
}

std::string FreshNames::operator()(const std::string& base) {
  if (taken_.insert(base).second) return base;
  // Counting on from the last number keeps thousands of names of one base cheap.
  int& number = last_number_.try_emplace(base, 1).first->second;
  while (true) {
    std::string name = base + "_" + std::to_string(++number);
    if (taken_.insert(name).second) return name;
  }
}

}  // namespace gyre::ir
