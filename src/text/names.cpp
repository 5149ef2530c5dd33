#include "names.hpp"

#include <algorithm>
#include <utility>

namespace gyre::text {
namespace {

std::string quoted(const Token& name) {
  return "'" + std::string(name.text) + "'";
}

}  // namespace

ir::SymbolId Names::declare(const Token& name, ir::Symbol symbol) {
  symbol.name = std::string(name.text);
  symbol.loc = cursor_.loc(name);
  if (lookup_ == Lookup::Off) return program_.add(std::move(symbol));
  if (const auto outer = scopes_.find(symbol.name)) {
    const std::string line = std::to_string(program_[*outer].loc.line);
    if (is_poisoned(*outer)) {
      // Its first declaration was faulty, and that is reported.
    } else if (scopes_.is_innermost(symbol.name)) {
      cursor_.report("redeclared", symbol.loc,
                     quoted(name) + " is already declared in this block, at line " + line);
    } else {
      cursor_.report("shadowed", symbol.loc,
                     quoted(name) + " would hide the one declared at line " + line,
                     "choose another name");
    }
    return program_.add(std::move(symbol));
  }
  const auto id = program_.add(std::move(symbol));
  scopes_.declare(program_[id].name, id);
  return id;
}

ir::SymbolId Names::poison(const Token& name) {
  ir::Symbol symbol;
  symbol.name = std::string(name.text);
  symbol.loc = cursor_.loc(name);
  return program_.add(std::move(symbol));
}

void Names::declare_poisoned(const Token& name) {
  if (lookup_ == Lookup::Off || scopes_.find(name.text)) return;
  scopes_.declare(std::string(name.text), poison(name));
}

ir::SymbolId Names::resolve(const Token& name) {
  if (lookup_ == Lookup::Off) return poison(name);
  if (const auto found = scopes_.find(name.text)) return *found;
  if (reported_.insert(std::string(name.text)).second) report_unknown(name);
  return poison(name);
}

void Names::report_unknown(const Token& name) {
  const auto loc = cursor_.loc(name);
  if (std::find(open_ranges_.begin(), open_ranges_.end(), name.text) != open_ranges_.end()) {
    cursor_.report("unknown-name", loc,
                   "the bounds of ranges side by side cannot read their index " + quoted(name),
                   "nest one loop in the other");
    return;
  }
  if (!index_) index_ = std::make_unique<DeclarationIndex>(cursor_.source()->text);
  if (const auto found = index_->explain(name.text, name.line, name.column)) {
    const std::string line = std::to_string(found->line);
    if (found->relation == DeclarationIndex::Relation::Later) {
      cursor_.report("used-before-declaration", loc,
                     quoted(name) + " is used before its declaration at line " + line);
    } else {
      cursor_.report("ended-scope", loc,
                     quoted(name) + " lives only in its own block, at line " + line,
                     "declare it with 'var' before that block, and assign it there");
    }
    return;
  }
  const auto near = nearest_name(name.text, scopes_.names());
  cursor_.report("unknown-name", loc, "unknown name " + quoted(name),
                 near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?");
}

}  // namespace gyre::text
