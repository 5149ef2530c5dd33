// sort and topk: ranks within tiles, then merges; or the host does it.
#include "gyre/ir/eval.hpp"
#include "host_order.hpp"
#include "primitive_sketches.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::FoldOp;
using ir::Op;
using ir::ScalarType;

constexpr std::int64_t tile = 256;
// So many runs become one: more where there are few values, and a kernel costs more than a search.
constexpr std::int64_t ways_of_few = 16;
constexpr std::int64_t ways_of_many = 8;
constexpr std::int64_t few = ways_of_few * ways_of_few * tile;

/// Records, one buffer a field; the first one is the key.
using Records = std::vector<Array>;

class Order {
 public:
  /// Of `count` records, of each run of which only the first `most` are wanted.
  Order(Sketch& sketch, const ir::Primitive& op, const Term& count, const Term& most)
      : sketch_(sketch), order_(ir::key_order(op)), count_(count), most_(most) {}

  /// Orders what `first` holds, by way of `records` and `other`, which are overwritten and have as
  /// much room; the result is in `other`.
  void write(const Records& first, const Records& records, const Records& other, Orderer by) {
    if (by == Orderer::Loops) return write_loops(first, records, other);
    std::vector<ir::SymbolId> arguments;
    for (const Records* side : {&first, &other}) {
      for (const Array& field : *side) arguments.push_back(field.symbol);
    }
    arguments.push_back(sketch_.var("count", count_).symbol);
    arguments.push_back(sketch_.var("most", most_).symbol);
    sketch_.call(host_order(order_, first.size()), std::move(arguments));
  }

 private:
  void write_loops(const Records& first, const Records& records, const Records& other) {
    rank_tiles(first, other);
    const Term runs_of_tiles = parts(count_, tile) * min(most_, tile);
    const Term ways =
        sketch_.let("ways", select(Term(few) < runs_of_tiles, ways_of_many, ways_of_few));
    const Variable cover = sketch_.var("cover", tile);
    // Two merges a trip: what is ordered is back where it was.
    sketch_.loop(cover < count_, [&] {
      const Term wider = sketch_.let("wider", cover * ways);
      merge(other, records, cover, wider, ways);
      const Term widest = sketch_.let("widest", wider * ways);
      merge(records, other, wider, widest, ways);
      sketch_.set(cover, widest);
    });
  }

  Term precedes(const Term& a, const Term& b) const {
    const auto key = [&](const Term& of) { return order_.negated ? apply(Op::Neg, of) : of; };
    return order_.swapped ? apply(Op::Before, key(b), key(a)) : apply(Op::Before, key(a), key(b));
  }

  void move(const Records& from, const Term& at, const Records& to, const Term& place) {
    for (std::size_t i = 0; i < from.size(); ++i) sketch_.scatter(to[i], place, from[i][at]);
  }

  // A record's rank is the number of those in its tile that stand before it: greater ones do not,
  // equal ones do where they stood before it already.
  void rank_tiles(const Records& from, const Records& to) {
    sketch_.foreach(count_, [&](const Term& p) {
      const Term first = sketch_.let("first", p / tile * tile);
      const Term key = sketch_.let("key", from[0][p]);
      const Variable rank = sketch_.var("rank", 0);
      const auto count = [&](const Term& begin, const Term& end, const auto& stands_before) {
        sketch_.repeat(begin, end, [&](const Term& q) {
          sketch_.set(rank, rank + select(stands_before(from[0][q]), 1, 0));
        });
      };
      count(first, p, [&](const Term& one) { return !precedes(key, one); });
      count(p + 1, min(first + tile, count_), [&](const Term& one) { return precedes(one, key); });
      const Term stride = min(most_, tile);
      sketch_.when(rank < stride, [&] { move(from, p, to, p / tile * stride + rank); });
    });
  }

  // Each run holds the first of `cover` records of the beginning, in order, and `most_` at most;
  // `next` is what the merged ones cover.
  void merge(const Records& from, const Records& to, const Term& cover, const Term& next,
             const Term& ways) {
    const Term runs = sketch_.let("runs", parts(count_, cover));
    const Term stride = sketch_.let("stride", min(most_, cover));
    const Term room = min(most_, next);
    const auto held = [&](const Term& run) { return min(stride, count_ - run * cover); };
    sketch_.foreach(runs * stride, [&](const Term& p) {
      const Term run = sketch_.let("run", p / stride);
      const Term own = sketch_.let("own", p - run * stride);
      sketch_.when(own < held(run), [&] {
        const Term key = sketch_.let("key", from[0][p]);
        const Term group = sketch_.let("group", run / ways);
        const Variable place = sketch_.var("place", own);
        sketch_.repeat(group * ways, min(group * ways + ways, runs), [&](const Term& other) {
          sketch_.when(other != run, [&] {
            const Term found = search(from[0], key, other * stride, held(other), other < run);
            sketch_.set(place, place + found);
          });
        });
        sketch_.when(place < room, [&] { move(from, p, to, group * room + place); });
      });
    });
  }

  // How many of the `length` keys from `start` on stand before `key`; of equal ones those of an
  // earlier run do.
  Term search(const Array& keys, const Term& key, const Term& start, const Term& length,
              const Term& is_earlier) {
    const Variable low = sketch_.var("low", 0);
    const Variable high = sketch_.var("high", length);
    sketch_.loop(low < high, [&] {
      const Term middle = sketch_.let("middle", (low + high) / 2);
      const Term one = sketch_.let("one", keys[start + middle]);
      sketch_.choose(
          select(is_earlier, !precedes(key, one), precedes(one, key)),
          [&] { sketch_.set(low, middle + 1); }, [&] { sketch_.set(high, middle); });
    });
    return low;
  }

  Sketch& sketch_;
  const ir::KeyOrder order_;
  const Term count_;
  const Term most_;
};

Records make_records(Sketch& sketch, const std::vector<ScalarType>& types, const Term& room) {
  Records records;
  for (const ScalarType type : types) records.push_back(sketch.temp("record", type, room));
  return records;
}

}  // namespace

void sketch_sort(Sketch& sketch, const ir::Primitive& op, Orderer by) {
  const PrimitiveTerms terms(sketch, op);
  terms.check_room();
  sketch_sort(sketch, op, terms, by);
}

void sketch_sort(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms, Orderer by) {
  const Term& n = terms.count();
  std::vector<ScalarType> types;
  for (const ir::Expr& operand : op.operands) types.push_back(operand->type);
  const Term room = sketch.extent(sketch.array(op.outputs[0]));
  const Records records = make_records(sketch, types, room);
  const Records other = make_records(sketch, types, room);

  const auto plain = terms.plain_arrays();
  if (!plain) {
    sketch.foreach(n, [&](const Term& p) {
      for (std::size_t i = 0; i < types.size(); ++i) sketch.store(records[i], p, terms.at(i, p));
    });
  }
  Order(sketch, op, n, n).write(plain.value_or(records), records, other, by);
  sketch.foreach(n, [&](const Term& p) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      sketch.store(sketch.array(op.outputs[i]), p, other[i][p]);
    }
  });
}

void sketch_topk(Sketch& sketch, const ir::Primitive& op, Orderer by) {
  const PrimitiveTerms terms(sketch, op);
  const Term bound = terms.bound(0).value();
  Term most = 0;
  for (const ir::SymbolId output : op.outputs) {
    const Term extent = sketch.extent(sketch.array(output));
    most = ir::as<ir::Literal>(most.expr) != nullptr || ir::same_expr(most.expr, extent.expr)
               ? extent
               : max(most, extent);
  }
  // A longer range has loaded outside a buffer.
  const Term n = sketch.let("values", min(terms.count(), bound));
  // Runs that are cut short take a whole place each.
  const Term room = max(bound, (bound / tile + 1) * min(most, tile) + most);
  const std::vector<ScalarType> types = {terms.type(0), ScalarType::I64};
  const Records records = make_records(sketch, types, room);
  const Records other = make_records(sketch, types, room);

  sketch.foreach(terms.count(), [&](const Term& p) {
    const Term value = sketch.let("value", terms.at(0, p));
    sketch.when(p < n, [&] {
      sketch.store(records[0], p, value);
      sketch.store(records[1], p, cast(ScalarType::I64, terms.index(p)));
    });
  });
  Order(sketch, op, n, most).write(records, records, other, by);
  const Term none =
      ir::make_literal(ir::fold_empty(op.option ? FoldOp::Min : FoldOp::Max, terms.type(0)));
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    const Array output = sketch.array(op.outputs[i]);
    const ScalarType type = ir::loaded_type(output.type);
    sketch.foreach(sketch.extent(output), [&](const Term& p) {
      sketch.store(output, p,
                   select(p < n, cast(type, other[i][p]), i == 0 ? none : cast(type, Term(-1))));
    });
  }
}

}  // namespace gyre::passes
