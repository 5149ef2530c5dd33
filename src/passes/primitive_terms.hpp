/// What a primitive takes, by the position of its range's indices: 0, 1, 2, ….
#pragma once

#include "gyre/ir/primitive.hpp"
#include "sketch.hpp"

#include <optional>
#include <vector>

namespace gyre::passes {

class PrimitiveTerms {
 public:
  /// Writes the reading of the range's bounds.
  PrimitiveTerms(Sketch& sketch, const ir::Primitive& op);

  /// How many indices the range has.
  const Term& count() const { return count_; }
  /// An extent that `count` never passes, as far as the program shows one by operand `operand`.
  std::optional<Term> bound(std::size_t operand) const;
  /// The index at a position.
  Term index(const Term& position) const;
  /// Operand number `operand` at a position.
  Term at(std::size_t operand, const Term& position) const;
  ir::ScalarType type(std::size_t operand) const { return op_.operands[operand]->type; }

  /// Faults where the range is longer than a buffer of the outputs.
  void check_room() const;
  /// The buffer whose element of that number operand `operand` is, where it is that and no more,
  /// and the buffer holds as many as the range has indices: it may be read as often as one likes.
  std::optional<Array> plain_array(std::size_t operand) const;
  /// Those of all operands, where each has one.
  std::optional<std::vector<Array>> plain_arrays() const;
  /// Whether an operand loads what `op` writes, or holds a fold: where it is evaluated often, its
  /// values want a place.
  bool wants_place(std::size_t operand) const;

 private:
  bool always_fits(const Term& extent) const;

  Sketch& sketch_;
  const ir::Primitive& op_;
  Term begin_;
  Term step_;
  Term count_;
};

}  // namespace gyre::passes
