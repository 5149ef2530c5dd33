/// The symbols of the program being parsed: declares them, finds them, and explains those that
/// cannot be found.
///
/// An unknown name becomes a symbol of type Invalid, is reported once, and keeps all that is built
/// on it silent.
#pragma once

#include "cursor.hpp"
#include "gyre/ir/program.hpp"
#include "scopes.hpp"

#include <memory>
#include <set>
#include <string>

namespace gyre::text {

/// Whether names are looked up, or only the form of a text is of interest.
enum class Lookup { On, Off };

class Names {
 public:
  Names(Cursor& cursor, ir::Program& program, Lookup lookup)
      : cursor_(cursor), program_(program), lookup_(lookup) {}

  /// A block of names: what is declared during its life is visible during its life.
  class Block {
   public:
    explicit Block(Names& names) : scopes_(names.scopes_) { scopes_.enter(); }
    ~Block() { scopes_.leave(); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    Scopes& scopes_;
  };

  /// Declares `symbol` under `name`, which no visible object has; one that has is reported.
  ir::SymbolId declare(const Token& name, ir::Symbol symbol);
  /// After a faulty declaration of `name`: its uses are not reported as well.
  void declare_poisoned(const Token& name);
  /// The object that `name` means here, or a poisoned one.
  ir::SymbolId resolve(const Token& name);

  const ir::Symbol& operator[](ir::SymbolId id) const { return program_[id]; }
  bool is_poisoned(ir::SymbolId id) const { return program_[id].type == ir::ScalarType::Invalid; }
  Lookup lookup() const { return lookup_; }

  /// Ranges that stand side by side and are being read: their bounds cannot read their indices.
  void set_open_ranges(std::vector<std::string> indices) { open_ranges_ = std::move(indices); }

 private:
  void report_unknown(const Token& name);
  ir::SymbolId poison(const Token& name);

  Cursor& cursor_;
  ir::Program& program_;
  Lookup lookup_;
  Scopes scopes_;
  std::unique_ptr<DeclarationIndex> index_;
  std::set<std::string, std::less<>> reported_;
  std::vector<std::string> open_ranges_;
};

}  // namespace gyre::text
