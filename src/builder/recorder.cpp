#include "gyre/builder/recorder.hpp"

#include "gyre/base/error.hpp"
#include "separate_folds.hpp"

#include <iterator>
#include <set>
#include <utility>

namespace gyre::builder {

Recorder::Recorder(std::string name, const SourceLoc& loc) {
  program_.name = std::move(name);
  program_.loc = loc;
  blocks_.push_back({next_block_++, {}});
}

void Recorder::check_open() const {
  if (finished_) {
    throw UsageError("program '" + name() + "' is finished: nothing can be added to it");
  }
}

ir::SymbolId Recorder::add(ir::Symbol symbol) {
  check_open();
  return program_.add(std::move(symbol));
}

ir::SymbolId Recorder::declare(ir::Symbol symbol) {
  const SourceLoc loc = symbol.loc;
  const auto id = add(std::move(symbol));
  record(ir::Declare{id}, loc);
  return id;
}

ir::SymbolId Recorder::add_index(std::string name, ir::ScalarType type, const SourceLoc& loc,
                                 std::size_t further) {
  const bool unnamed = name.empty();
  const auto id = add({.name = std::move(name),
                       .kind = ir::SymbolKind::Index,
                       .type = type,
                       .intent = ir::Intent::None,
                       .extents = {},
                       .initial = nullptr,
                       .loc = loc});
  if (unnamed) unnamed_.push_back({id, live_indices_ + further});
  return id;
}

Recorder::Anchor Recorder::record(ir::RegionKind kind, const SourceLoc& loc) {
  check_open();
  if (open_folds_ != 0) {
    throw UsageError(
        to_string(loc) +
        ": a statement stands in the operand of a fold or a primitive, which is an expression");
  }
  Block& block = blocks_.back();
  block.items.push_back({std::move(kind), loc});
  return {block.id, block.items.size() - 1};
}

ir::RegionKind& Recorder::amend(const Anchor& anchor, const std::string& what) {
  check_open();
  Block& block = blocks_.back();
  if (block.id != anchor.block || block.items.size() != anchor.item + 1) {
    throw UsageError("program '" + name() + "': " + what + " must follow its statement directly");
  }
  return block.items.back().kind;
}

ir::Region Recorder::block(const std::function<void()>& body) {
  check_open();
  blocks_.push_back({next_block_++, {}});
  try {
    body();
    check_open();
    return close_block();
  } catch (...) {
    broken_ = true;
    if (!finished_) blocks_.pop_back();
    throw;
  }
}

void Recorder::ahead(const std::function<void()>& declare) {
  check_open();
  std::vector<Block> inner(std::make_move_iterator(blocks_.begin() + 1),
                           std::make_move_iterator(blocks_.end()));
  blocks_.resize(1);
  const auto restore = [&] {
    blocks_.insert(blocks_.end(), std::make_move_iterator(inner.begin()),
                   std::make_move_iterator(inner.end()));
  };
  try {
    declare();
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

ir::Region Recorder::close_block() {
  std::vector<ir::Region> items;
  for (Item& item : blocks_.back().items) {
    if (const auto* loop = std::get_if<ir::While>(&item.kind); loop && !loop->condition) {
      throw UsageError(to_string(item.loc) + ": this do_ has no while_");
    }
    items.push_back(ir::make_region(std::move(item.kind), item.loc));
  }
  blocks_.pop_back();
  return ir::make_seq(std::move(items));
}

void Recorder::with_indices(std::size_t count, const std::function<void()>& body) {
  struct Restore {
    std::size_t& value;
    std::size_t old;
    ~Restore() { value = old; }
  } const restore{live_indices_, live_indices_};
  live_indices_ += count;
  body();
}

void Recorder::within_fold(const std::function<void()>& operand) {
  struct Leave {
    std::size_t& count;
    ~Leave() { --count; }
  } const leave{++open_folds_};
  try {
    operand();
  } catch (...) {
    broken_ = true;
    throw;
  }
}

ir::Expr Recorder::take(const AnyValue& value) const {
  if (value.owner) check_owner(value.owner.get());
  return value.expr;
}

void Recorder::check_owner(const Recorder* owner) const {
  if (owner != this) {
    throw UsageError("program '" + name() + "' was given a value of program '" + owner->name() +
                     "'");
  }
}

void Recorder::check_size(const AnyValue& value) {
  if (value.expr->depth <= ir::max_expr_depth && value.nodes <= max_expr_nodes) return;
  throw UsageError("an expression has " + std::to_string(value.nodes) + " nodes and is " +
                   std::to_string(value.expr->depth) + " high; at most " +
                   std::to_string(max_expr_nodes) + " and " + std::to_string(ir::max_expr_depth) +
                   " are taken: name its parts with let");
}

void Recorder::name_indices() {
  std::set<std::string> taken;
  for (const ir::Symbol& symbol : program_.symbols) taken.insert(symbol.name);
  // The name goes by depth alone, so that loops side by side have the same.
  std::vector<std::string> by_depth;
  for (const Unnamed& index : unnamed_) {
    for (std::size_t round = 1; by_depth.size() <= index.depth; ++round) {
      for (const char letter : {'i', 'j', 'k', 'l'}) {
        std::string name(1, letter);
        if (round > 1) name += std::to_string(round);
        if (taken.insert(name).second) by_depth.push_back(std::move(name));
      }
    }
    program_.symbols[static_cast<std::size_t>(index.symbol)].name = by_depth[index.depth];
  }
}

ir::Program Recorder::finish() {
  check_open();
  if (broken_) {
    throw UsageError("program '" + name() +
                     "' was broken off by an exception within a body or an operand");
  }
  if (blocks_.size() != 1) {
    throw UsageError("program '" + name() + "' cannot be finished within one of its bodies");
  }
  program_.body = close_block();
  name_indices();
  finished_ = true;
  auto finished = ir::number_regions(separate_folds(std::move(program_)));
  // Handles still ask for the name when they complain.
  program_ = {};
  program_.name = finished.name;
  return finished;
}

void Recorder::abandon() {
  finished_ = true;
  const std::string name = program_.name;
  program_ = {};
  program_.name = name;
  blocks_.clear();
}

}  // namespace gyre::builder
