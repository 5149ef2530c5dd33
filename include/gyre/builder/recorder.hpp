/// What a builder writes into: the program so far, with the blocks that are open.
///
/// Behind every handle of builder/; users meet Program instead. It keeps the order of statements
/// and refuses what no program could hold: values of another program, statements after the end.
#pragma once

#include "gyre/builder/value.hpp"
#include "gyre/ir/program.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gyre::builder {

class Recorder {
 public:
  /// A statement that may still change, as long as it is the last of its block.
  struct Anchor {
    std::uint64_t block = 0;
    std::size_t item = 0;
  };

  Recorder(std::string name, const SourceLoc& loc);

  const std::string& name() const { return program_.name; }

  /// Adds a symbol, and for `declare` the statement that brings it into being.
  ir::SymbolId add(ir::Symbol symbol);
  ir::SymbolId declare(ir::Symbol symbol);
  /// Adds a loop index without a name; `finish` finds one that nobody has.
  /// `further` counts the indices that the same loop has before it.
  ir::SymbolId add_index(std::string name, ir::ScalarType type, const SourceLoc& loc,
                         std::size_t further = 0);
  const ir::Symbol& operator[](ir::SymbolId id) const { return program_[id]; }

  /// Appends a statement to the innermost open block.
  Anchor record(ir::RegionKind kind, const SourceLoc& loc);
  /// The statement at `anchor`. UsageError, naming `what`, where another one has followed it.
  ir::RegionKind& amend(const Anchor& anchor, const std::string& what);
  /// What `body` records, as one block. Where `body` throws, the program cannot be finished.
  ir::Region block(const std::function<void()>& body);
  /// What `declare` records goes to the program's own block, ahead of the statement there that is
  /// being built.
  void ahead(const std::function<void()>& declare);
  /// Runs `body` with `count` more loop indices alive.
  void with_indices(std::size_t count, const std::function<void()>& body);
  /// Runs `operand`, which may build an expression but record no statement. Where it throws, the
  /// program cannot be finished: what it was for is missing.
  void within_fold(const std::function<void()>& operand);

  /// The expression of `value`. UsageError where it belongs to another program.
  ir::Expr take(const AnyValue& value) const;
  /// UsageError where `owner` is another program.
  void check_owner(const Recorder* owner) const;
  /// UsageError where the tree has grown too high or too large.
  static void check_size(const AnyValue& value);

  /// Ends the building and hands the program over.
  ir::Program finish();
  /// Drops the program, with the handles that its calls may hold.
  void abandon();

 private:
  struct Item {
    ir::RegionKind kind;
    SourceLoc loc;
  };
  struct Block {
    std::uint64_t id = 0;
    std::vector<Item> items;
  };
  struct Unnamed {
    ir::SymbolId symbol;
    std::size_t depth;
  };

  void check_open() const;
  ir::Region close_block();
  void name_indices();

  ir::Program program_;
  std::vector<Block> blocks_;
  std::vector<Unnamed> unnamed_;
  std::uint64_t next_block_ = 0;
  std::size_t live_indices_ = 0;
  std::size_t open_folds_ = 0;
  bool finished_ = false;
  bool broken_ = false;
};

}  // namespace gyre::builder
