#include "sketch_library.hpp"

#include "library_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace gyre::passes {
namespace {

using ir::ScalarType;

// The buffer of plain_array, where the statement does not overwrite it.
std::optional<Array> steady_array(const ir::Primitive& op, const PrimitiveTerms& terms,
                                  std::size_t operand) {
  const auto array = terms.plain_array(operand);
  const bool is_written =
      array && std::find(op.outputs.begin(), op.outputs.end(), array->symbol) != op.outputs.end();
  return is_written ? std::nullopt : array;
}

// Whether an operand gives the same, and cannot fault, when the order is known and outputs are
// being written.
bool can_wait(const ir::Primitive& op, const PrimitiveTerms& terms, std::size_t operand) {
  const ir::Expr& expr = op.operands[operand];
  return (!ir::contains_load(expr) && !ir::contains_fold(expr)) || steady_array(op, terms, operand);
}

// Stores what the operands of these numbers give in temps of `room` elements.
std::vector<Array> store_operands(Sketch& sketch, const ir::Primitive& op,
                                  const PrimitiveTerms& terms,
                                  const std::vector<std::size_t>& operands, const Term& room) {
  std::vector<Array> records;
  for (const std::size_t i : operands) {
    records.push_back(sketch.temp("record", op.operands[i]->type, room));
  }
  if (operands.empty()) return records;
  sketch.foreach(terms.count(), [&](const Term& p) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      sketch.store(records[k], p, terms.at(operands[k], p));
    }
  });
  return records;
}

}  // namespace

// A library sorts keys of the types that expressions have.
CalledTerms called_sort(const Sketch& sketch, const ir::Primitive& op,
                        const PrimitiveTerms& terms) {
  const auto keys = steady_array(op, terms, 0);
  if (keys && keys->type == terms.type(0)) return {keys, terms.count()};
  return {std::nullopt, sketch.extent(sketch.array(op.outputs[0]))};
}

// Loops take terms as they come; a call wants them in memory, which pays where they are there
// anyway. It stores a sum at each place that it goes over.
std::optional<CalledTerms> called_scan(const Sketch& sketch, const ir::Primitive& op,
                                       const PrimitiveTerms& terms) {
  const bool sums_integers = op.fold == ir::FoldOp::Sum && ir::is_integer(terms.type(0));
  if (!sums_integers) return std::nullopt;
  const auto array = steady_array(op, terms, 0);
  if (array) return CalledTerms{array, terms.count()};
  const Term room = sketch.extent(sketch.array(op.outputs[0]));
  if (!terms.wants_place(0) || !ir::same_expr(room.expr, terms.count().expr)) return std::nullopt;
  return CalledTerms{std::nullopt, room};
}

void sketch_called_sort(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms,
                        const CalledTerms& called, const Variable& count,
                        const ir::PrimitiveLibrary& library) {
  std::vector<std::size_t> stored;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (i == 0 ? !called.array : !can_wait(op, terms, i)) stored.push_back(i);
  }
  const std::vector<Array> records = store_operands(sketch, op, terms, stored, called.room);
  const Array keys = called.array ? *called.array : records.front();
  const Array order = sketch.temp("order", ScalarType::I32, called.room);
  sketch.call(order_call(library, terms.type(0), ir::key_order(op)),
              {keys.symbol, order.symbol, count.symbol});
  sketch.foreach(terms.count(), [&](const Term& p) {
    const Term from = sketch.let("from", cast(ScalarType::I64, order[p]));
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const auto record = std::find(stored.begin(), stored.end(), i) - stored.begin();
      const bool is_stored = record < std::ssize(stored);
      sketch.store(sketch.array(op.outputs[i]), p,
                   is_stored ? records[static_cast<std::size_t>(record)][from] : terms.at(i, from));
    }
  });
}

void sketch_called_scan(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms,
                        const CalledTerms& called, const ir::PrimitiveLibrary& library) {
  const Array array =
      called.array ? *called.array : store_operands(sketch, op, terms, {0}, called.room).front();
  sketch.call(sum_call(library, terms.type(0), op.option), {array.symbol, op.outputs[0]});
}

}  // namespace gyre::passes
