/// Which object a name means at a place of the text.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/text/lexer.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gyre::text {

/// The names that are visible, innermost block last. No name hides another, so one map is enough.
class Scopes {
 public:
  void enter() { marks_.push_back(order_.size()); }
  void leave();

  std::optional<ir::SymbolId> find(std::string_view name) const;
  /// Makes `name`, which is not visible yet, mean `symbol` until the scope is left.
  void declare(const std::string& name, ir::SymbolId symbol);
  /// Whether `name` was declared in the innermost scope rather than around it.
  bool is_innermost(std::string_view name) const;
  /// Every visible name, for suggestions.
  const std::vector<std::string>& names() const { return order_; }

 private:
  std::unordered_map<std::string, ir::SymbolId> visible_;
  std::vector<std::string> order_;
  std::vector<std::size_t> marks_;
};

/// Where a text declares each name, in which blocks: so that a name that is not visible can be
/// explained. Made from the tokens alone, on the first unknown name.
class DeclarationIndex {
 public:
  explicit DeclarationIndex(std::string_view text);

  enum class Relation {
    /// Declared further down, in a block that is open at the place of use.
    Later,
    /// Declared above, in a block that has ended.
    Ended,
  };
  struct Found {
    Relation relation;
    std::uint32_t line;
  };
  /// Why `name` is not visible at `line`:`column`, if the text declares it anywhere.
  std::optional<Found> explain(std::string_view name, std::uint32_t line,
                               std::uint32_t column) const;

 private:
  struct Place {
    std::uint32_t line;
    std::uint32_t column;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Declaration {
    Place at;
    std::size_t block;
  };

  std::map<std::string, std::vector<Declaration>, std::less<>> declarations_;
  /// Where each block starts and ends; block 0 is the text.
  std::vector<Place> block_starts_;
  std::vector<Place> block_ends_;
};

}  // namespace gyre::text
