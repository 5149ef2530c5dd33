#include "scopes.hpp"

#include <limits>

namespace gyre::text {

void Scopes::leave() {
  while (order_.size() > marks_.back()) {
    visible_.erase(order_.back());
    order_.pop_back();
  }
  marks_.pop_back();
}

std::optional<ir::SymbolId> Scopes::find(std::string_view name) const {
  const auto found = visible_.find(std::string(name));
  if (found == visible_.end()) return std::nullopt;
  return found->second;
}

void Scopes::declare(const std::string& name, ir::SymbolId symbol) {
  visible_.emplace(name, symbol);
  order_.push_back(name);
}

bool Scopes::is_innermost(std::string_view name) const {
  for (std::size_t i = marks_.empty() ? 0 : marks_.back(); i < order_.size(); ++i) {
    if (order_[i] == name) return true;
  }
  return false;
}

DeclarationIndex::DeclarationIndex(std::string_view text) {
  constexpr auto unlimited = std::numeric_limits<std::uint32_t>::max();
  block_starts_.push_back({0, 0});
  block_ends_.push_back({unlimited, unlimited});
  std::vector<std::size_t> open = {0};
  Lexer lexer(text);
  Token before;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    if (token.kind == TokenKind::Comment) continue;
    if (token.is("{")) {
      open.push_back(block_ends_.size());
      block_starts_.push_back({token.line, token.column});
      block_ends_.push_back({unlimited, unlimited});
    } else if (token.is("}") && open.size() > 1) {
      block_ends_[open.back()] = {token.line, token.column};
      open.pop_back();
    }
    // `let NAME` and `NAME :` declare.
    const bool let = before.is("let") && token.kind == TokenKind::Name;
    const bool item = before.kind == TokenKind::Name && token.is(":");
    if (let || item) {
      const Token& name = let ? token : before;
      auto& places = declarations_[std::string(name.text)];
      const Place at{name.line, name.column};
      if (places.empty() || places.back().at != at) places.push_back({at, open.back()});
    }
    before = token;
  }
}

std::optional<DeclarationIndex::Found> DeclarationIndex::explain(std::string_view name,
                                                                 std::uint32_t line,
                                                                 std::uint32_t column) const {
  const auto found = declarations_.find(name);
  if (found == declarations_.end()) return std::nullopt;
  const Place use{line, column};
  std::optional<Found> ended;
  for (const Declaration& declaration : found->second) {
    const bool open = use < block_ends_[declaration.block];
    if (declaration.at < use && !open) ended = Found{Relation::Ended, declaration.at.line};
    if (use < declaration.at && !ended) {
      // A block that holds the later declaration and the use was opened before the use.
      if (block_starts_[declaration.block] < use) {
        return Found{Relation::Later, declaration.at.line};
      }
    }
  }
  return ended;
}

}  // namespace gyre::text
