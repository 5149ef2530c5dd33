#include "cpu_compiler.hpp"
#include "cpu_map.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>

namespace gyre::executors::cpu {

RegId Compiler::add_register(ir::ScalarType type, std::uint32_t context) {
  body_.registers.push_back({type, context});
  versions_.push_back(0);
  return static_cast<RegId>(body_.registers.size() - 1);
}

RegId Compiler::preset(ir::ScalarType type, bool is_symbol, std::uint32_t symbol,
                       std::uint64_t constant) {
  const Key key = {is_symbol ? 2u : 1u,
                   static_cast<std::uint64_t>(type),
                   every_context,
                   constant,
                   symbol,
                   0,
                   0,
                   0};
  // Holds everywhere, so it is never forgotten.
  const auto [found, added] = known_.try_emplace(key, no_register);
  if (added) {
    found->second = add_register(type, every_context);
    body_.presets.push_back(
        {found->second, is_symbol, static_cast<ir::SymbolId>(symbol), constant});
  }
  return found->second;
}

Compiler::Key Compiler::key_of(std::uint64_t what, ir::ScalarType type, std::uint32_t context,
                               std::span<const RegId> in, std::uint64_t version) const {
  GYRE_CHECK(in.size() <= 4, "a value made of more than four");
  Key key = {what, static_cast<std::uint64_t>(type), context, version, 0, 0, 0, 0};
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != no_register) {
      key.at(i + 4) = (std::uint64_t{versions_[in[i]]} << 32 | in[i]) + 1;
    }
  }
  return key;
}

void Compiler::remember(const Key& key, RegId reg) {
  known_[key] = reg;
  remembered_.push_back(key);
}

void Compiler::forget_since(std::size_t mark) {
  while (remembered_.size() > mark) {
    known_.erase(remembered_.back());
    remembered_.pop_back();
  }
}

RegId Compiler::emit_pure(Run run, ir::ScalarType type, std::array<RegId, 3> in) {
  const bool hoists = std::all_of(in.begin(), in.end(), [&](RegId reg) {
    return reg == no_register || body_.registers[reg].context == every_context;
  });
  const auto what = reinterpret_cast<std::uintptr_t>(run);
  const std::uint32_t context = hoists ? every_context : places_.back().context;
  const Key key = key_of(what, type, context, in);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;

  const RegId out = add_register(type, context);
  const Instr instr{run, out, in, 0};
  if (hoists) {
    body_.preamble.push_back(instr);
    known_[key] = out;
  } else {
    emit(instr);
    remember(key, out);
  }
  return out;
}

void Compiler::emit_assign(RegId out, RegId in) {
  emit({run_of_assign(body_.registers[out].type), out, {in, no_register, no_register}, 0});
}

std::uint32_t Compiler::add_region(const std::string& region) {
  body_.regions.push_back(region);
  return static_cast<std::uint32_t>(body_.regions.size() - 1);
}

std::uint32_t Compiler::add_access(ir::SymbolId buffer, const std::vector<ir::Expr>& index) {
  Access access{buffer, {}, false, site()};
  for (const ir::Expr& expr : index) access.index.push_back(compile(expr));
  body_.accesses.push_back(std::move(access));
  return static_cast<std::uint32_t>(body_.accesses.size() - 1);
}

}  // namespace gyre::executors::cpu
