#include "prefix.hpp"
#include "primitive_sketches.hpp"

#include <functional>
#include <utility>

namespace gyre::passes {
namespace {

using ir::FoldOp;
using ir::ScalarType;

// A thread goes through a leaf in order. There are at most so many leaves, however long the list.
constexpr std::int64_t least_leaf = 16;
constexpr std::int64_t most_leaves = 65536;

/// The positions for which a condition holds: first how many each leaf has, and so how many stand
/// before it.
class Selection {
 public:
  using Condition = std::function<Term(const Term&)>;

  Selection(Sketch& sketch, const PrimitiveTerms& terms, Condition condition)
      : sketch_(sketch),
        n_(terms.count()),
        condition_(std::move(condition)),
        length_(sketch.let("length", max(least_leaf, parts(n_, most_leaves)))),
        leaves_(sketch.let("leaves", parts(n_, length_))),
        prefix_(write_prefix(sketch, FoldOp::Sum, ScalarType::I64, leaves_, most(terms),
                             [&](const Term& l) {
                               return sketch.fold(FoldOp::Count, begin(l), end(l), condition_);
                             })),
        count_(sketch.let("kept", prefix_.total())) {}

  const Term& count() const { return count_; }

  /// Writes a sweep that calls `keep(position, place)` for each of them; the first has place 0.
  void sweep(const std::function<void(const Term&, const Term&)>& keep) const {
    sketch_.foreach(leaves_, [&](const Term& l) {
      const Variable place = sketch_.var("place", prefix_.before(l));
      sketch_.repeat(begin(l), end(l), [&](const Term& p) {
        sketch_.when(condition_(p), [&] {
          keep(p, place);
          sketch_.set(place, place + 1);
        });
      });
    });
  }

 private:
  static Term most(const PrimitiveTerms& terms) {
    const auto bound = terms.bound(0);
    return bound ? min(most_leaves, *bound / least_leaf + 1) : Term(most_leaves);
  }
  Term begin(const Term& leaf) const { return leaf * length_; }
  Term end(const Term& leaf) const { return min(leaf * length_ + length_, n_); }

  Sketch& sketch_;
  Term n_;
  Condition condition_;
  Term length_;
  Term leaves_;
  Prefix prefix_;
  Term count_;
};

void tell_count(Sketch& sketch, const ir::Primitive& op, const Term& count) {
  const ir::SymbolId scalar = op.outputs.back();
  sketch.set(scalar, cast(sketch.program()[scalar].type, count));
}

}  // namespace

// One sweep for each value: of several faults that of the first value is told.
void sketch_compact(Sketch& sketch, const ir::Primitive& op) {
  const PrimitiveTerms terms(sketch, op);
  const Selection kept(sketch, terms, [&](const Term& p) { return terms.at(0, p); });
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    kept.sweep([&](const Term& p, const Term& place) {
      sketch.scatter(sketch.array(op.outputs[i - 1]), place, terms.at(i, p));
    });
  }
  tell_count(sketch, op, kept.count());
}

void sketch_reduce_by_key(Sketch& sketch, const ir::Primitive& op) {
  const PrimitiveTerms terms(sketch, op);
  const Array keys = sketch.array(op.outputs[0]);
  const Term room = sketch.extent(keys);
  const Array start = sketch.temp("start", ScalarType::I64, room);
  const Selection runs(sketch, terms, [&](const Term& p) {
    return !(Term(0) < p) || terms.at(0, p) != terms.at(0, max(p - 1, 0));
  });
  runs.sweep([&](const Term& p, const Term& place) {
    sketch.when(place < room, [&] { sketch.scatter(start, place, p); });
  });
  // A run for which there is no room has no start either: its store is the fault.
  const auto start_of = [&](const Term& run) {
    return select(run < min(runs.count(), room), start[run], terms.count());
  };
  sketch.foreach(runs.count(), [&](const Term& run) {
    const Term first = sketch.let("first", start_of(run));
    const Term last = sketch.let("last", start_of(run + 1));
    sketch.store(keys, run, terms.at(0, min(first, terms.count() - 1)));
    sketch.store(sketch.array(op.outputs[1]), run,
                 sketch.fold(op.fold, first, last, [&](const Term& p) { return terms.at(1, p); }));
  });
  tell_count(sketch, op, runs.count());
}

// Neighbours count into different copies, so that few additions meet.
void sketch_histogram(Sketch& sketch, const ir::Primitive& op) {
  constexpr std::int64_t most_copies = 64;
  constexpr std::int64_t most_cells = 65536;
  const PrimitiveTerms terms(sketch, op);
  const Array counts = sketch.array(op.outputs[0]);
  const Term numbers = sketch.extent(counts);
  const Term copies = min(most_copies, max(1, Term(most_cells) / max(numbers, 1)));
  const Array copy = sketch.zeros("copy", counts.type, copies * numbers);
  sketch.foreach(terms.count(), [&](const Term& p) {
    const Term number = sketch.let("number", cast(ScalarType::I64, terms.at(0, p)));
    sketch.when(!(number < 0) && number < numbers, [&] {
      sketch.scatter_add(copy, p % copies * numbers + number, cast(counts.type, Term(1)));
    });
  });
  sketch.foreach(numbers, [&](const Term& number) {
    sketch.store(counts, number, sketch.fold(FoldOp::Sum, 0, copies, [&](const Term& c) {
      return copy[c * numbers + number];
    }));
  });
}

}  // namespace gyre::passes
