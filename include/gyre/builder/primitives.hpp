/// The device-wide primitives of a program being built:
///
///     p.scan<FoldOp::Sum>(range(0, n), y, [&](auto i) { return x[i]; });
///     p.sort(range(0, n), y, [&](auto i) { return x[i]; }, descending);
///     p.compact(range(0, n), kept, count, [&](auto i) { return x[i]; },
///               [&](auto i) { return x[i] > 0.0; });
///
/// First the range, then what is written, then what each index gives. Their meaning is in
/// ir/primitive.hpp.
#pragma once

#include "gyre/builder/declarations.hpp"
#include "gyre/builder/range.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gyre::builder {

using ir::FoldOp;

/// The words that may follow a scan, a sort and a topk.
struct Exclusive {};
struct Descending {};
struct Smallest {};
inline constexpr Exclusive exclusive;
inline constexpr Descending descending;
inline constexpr Smallest smallest;

namespace detail {

/// The type of the terms of a fold that gives `T`.
template <FoldOp fold, class T>
using TermType = std::conditional_t<ir::folds_conditions(fold), bool, T>;

}  // namespace detail

class Primitives : public Declarations {
 public:
  /// y[j] = the fold of the terms up to and including term j; of those before it (`exclusive`).
  template <FoldOp fold, IntegerType I, ElementType Y, class Term>
  void scan(const Ranges<I>& over, const Buffer<Y>& y, Term term,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Scan, .fold = fold}, over, {y.object()},
        {given<detail::TermType<fold, Loaded<Y>>>(over, term)}, at);
  }
  template <FoldOp fold, IntegerType I, ElementType Y, class Term>
  void scan(const Ranges<I>& over, const Buffer<Y>& y, Term term, Exclusive,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Scan, .fold = fold, .option = true}, over, {y.object()},
        {given<detail::TermType<fold, Loaded<Y>>>(over, term)}, at);
  }

  /// The keys in the order of `before`; equal ones in their old order, NaN last.
  template <IntegerType I, ElementType K, class Key>
  void sort(const Ranges<I>& over, const Buffer<K>& keys, Key key,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Sort}, over, {keys.object()}, {given<Loaded<K>>(over, key)}, at);
  }
  template <IntegerType I, ElementType K, class Key>
  void sort(const Ranges<I>& over, const Buffer<K>& keys, Key key, Descending,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Sort, .option = true}, over, {keys.object()},
        {given<Loaded<K>>(over, key)}, at);
  }
  /// The same, each key with a value.
  template <IntegerType I, ElementType K, ElementType V, class Key, class ValueOf>
  void sort_by_key(const Ranges<I>& over, const Buffer<K>& keys, const Buffer<V>& values, Key key,
                   ValueOf value, const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Sort}, over, {keys.object(), values.object()},
        {given<Loaded<K>>(over, key), given<Loaded<V>>(over, value)}, at);
  }
  template <IntegerType I, ElementType K, ElementType V, class Key, class ValueOf>
  void sort_by_key(const Ranges<I>& over, const Buffer<K>& keys, const Buffer<V>& values, Key key,
                   ValueOf value, Descending, const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Sort, .option = true}, over, {keys.object(), values.object()},
        {given<Loaded<K>>(over, key), given<Loaded<V>>(over, value)}, at);
  }

  /// The values of the indices for which `where` holds, in order, and how many they are.
  template <IntegerType I, ElementType T, IntegerType C, class ValueOf, class Where>
  void compact(const Ranges<I>& over, const Buffer<T>& kept, const Scalar<C>& count, ValueOf value,
               Where where, const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Compact}, over, {kept.object(), count.object()},
        {given<bool>(over, where), given<Loaded<T>>(over, value)}, at);
  }

  /// The greatest values and the indices they stand at; the least ones (`smallest`).
  template <IntegerType I, ElementType T, IntegerType J, class ValueOf>
  void topk(const Ranges<I>& over, const Buffer<T>& best, const Buffer<J>& indices, ValueOf value,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Topk}, over, {best.object(), indices.object()},
        {given<Loaded<T>>(over, value)}, at);
  }
  template <IntegerType I, ElementType T, IntegerType J, class ValueOf>
  void topk(const Ranges<I>& over, const Buffer<T>& best, const Buffer<J>& indices, ValueOf value,
            Smallest, const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Topk, .option = true}, over, {best.object(), indices.object()},
        {given<Loaded<T>>(over, value)}, at);
  }

  /// The values alone.
  template <IntegerType I, ElementType T, class ValueOf>
  void topk(const Ranges<I>& over, const Buffer<T>& best, ValueOf value,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Topk}, over, {best.object()}, {given<Loaded<T>>(over, value)}, at);
  }
  template <IntegerType I, ElementType T, class ValueOf>
  void topk(const Ranges<I>& over, const Buffer<T>& best, ValueOf value, Smallest,
            const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::Topk, .option = true}, over, {best.object()},
        {given<Loaded<T>>(over, value)}, at);
  }

  /// How many indices give each whole number from 0 on.
  template <IntegerType I, IntegerType C, class Number>
  void histogram(const Ranges<I>& over, const Buffer<C>& counts, Number number,
                 const CallSite& at = CallSite::current()) {
    using Integer = TypeOf<ResultOver<Number, Ranges<I>>>;
    add({.op = ir::PrimitiveOp::Histogram}, over, {counts.object()}, {given<Integer>(over, number)},
        at);
  }

  /// Of each run of equal keys the key and the fold of its terms, and how many runs there are.
  template <FoldOp fold, IntegerType I, ElementType K, ElementType Y, IntegerType C, class Key,
            class Term>
  void reduce_by_key(const Ranges<I>& over, const Buffer<K>& keys, const Buffer<Y>& folds,
                     const Scalar<C>& count, Key key, Term term,
                     const CallSite& at = CallSite::current()) {
    add({.op = ir::PrimitiveOp::ReduceByKey, .fold = fold}, over,
        {keys.object(), folds.object(), count.object()},
        {given<Loaded<K>>(over, key), given<detail::TermType<fold, Loaded<Y>>>(over, term)}, at);
  }

 protected:
  using Declarations::Declarations;
  ~Primitives() = default;

 private:
  /// Gives an operand, once the range has its index.
  using PerIndex = std::function<AnyValue(const std::vector<ir::Range>&)>;

  /// What `body` gives at an index of `over`, as a `T`.
  template <ValueType T, IntegerType I, class Body>
  PerIndex given(const Ranges<I>& over, Body& body) {
    return [&over, &body, this](const std::vector<ir::Range>& bound) {
      return Given<T>(detail::call_with_indices(over, recorder(), bound, body)).value;
    };
  }

  template <IntegerType I>
  void add(ir::Primitive op, const Ranges<I>& over, const std::vector<detail::Object>& outputs,
           const std::vector<PerIndex>& operands, const CallSite& at) {
    add_primitive(std::move(op), over.all(), outputs, operands, at);
  }

  void add_primitive(ir::Primitive op, const std::vector<detail::OpenRange>& over,
                     const std::vector<detail::Object>& outputs,
                     const std::vector<PerIndex>& operands, const CallSite& at);
};

}  // namespace gyre::builder
