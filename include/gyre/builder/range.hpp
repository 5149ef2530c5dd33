/// Ranges of a foreach, a for or a fold: `range(0, n)`, `range("k", row[i], row[i + 1])`,
/// `range(n - 1, -1).step(-1)`, `range(0, n) * range(0, m)`.
///
/// Half-open. An index is of the bounds' common type, and a range without a name finds one: i, j,
/// k, l by depth.
#pragma once

#include "gyre/builder/operators.hpp"

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gyre::builder {
namespace detail {

/// A range whose index has no symbol yet.
struct OpenRange {
  std::string name;
  AnyValue begin;
  AnyValue end;
  /// Without an expression: 1.
  AnyValue step;
  ir::ScalarType type = ir::ScalarType::Invalid;
};

template <class A, class B>
constexpr auto bound_type() {
  if constexpr (Literal<A> && Literal<B>) {
    return TypeOf<A>{} + TypeOf<B>{};
  } else {
    return common_type<A, B>();
  }
}

/// Gives each range its index.
std::vector<ir::Range> bind(Recorder& recorder, const std::vector<OpenRange>& ranges,
                            const SourceLoc& loc);
AnyValue read_index(const std::shared_ptr<Recorder>& recorder, const ir::Range& range);

}  // namespace detail

/// The type of an index from `A` to `B`.
template <Operand A, Operand B>
using BoundType = decltype(detail::bound_type<A, B>());

/// The points of one or more ranges, row-major; `T` are the types of their indices.
template <IntegerType... T>
class Ranges {
  using First = std::tuple_element_t<0, std::tuple<T...>>;

 public:
  explicit Ranges(std::vector<detail::OpenRange> ranges) : ranges_(std::move(ranges)) {}

  /// The same range by another step, which may be negative; 0 is a fault.
  template <Operand S>
  requires(sizeof...(T) == 1 &&
           IntegerType<BoundType<Value<First>, S>>) auto step(const S& by) const {
    using Index = BoundType<Value<First>, S>;
    auto stepped = ranges_;
    stepped[0].step = detail::untyped(by);
    stepped[0].type = ir::type_of<Index>;
    return Ranges<Index>(std::move(stepped));
  }

  /// Every pair of points.
  template <IntegerType... U>
  Ranges<T..., U...> operator*(const Ranges<U...>& inner) const {
    auto all = ranges_;
    all.insert(all.end(), inner.all().begin(), inner.all().end());
    return Ranges<T..., U...>(std::move(all));
  }

  const std::vector<detail::OpenRange>& all() const { return ranges_; }

 private:
  std::vector<detail::OpenRange> ranges_;
};

/// `name in begin..end`.
template <Operand A, Operand B>
requires IntegerType<BoundType<A, B>> Ranges<BoundType<A, B>> range(std::string name,
                                                                    const A& begin, const B& end) {
  return Ranges<BoundType<A, B>>({{.name = std::move(name),
                                   .begin = detail::untyped(begin),
                                   .end = detail::untyped(end),
                                   .step = {},
                                   .type = ir::type_of<BoundType<A, B>>}});
}

/// `begin..end`.
template <Operand A, Operand B>
requires IntegerType<BoundType<A, B>> Ranges<BoundType<A, B>> range(const A& begin, const B& end) {
  return range({}, begin, end);
}

namespace detail {

/// Calls `body` with a value for each index.
template <class Body, IntegerType... T>
decltype(auto) call_with_indices(const Ranges<T...>&, const std::shared_ptr<Recorder>& recorder,
                                 const std::vector<ir::Range>& bound, Body& body) {
  return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
    return std::invoke(body, Value<T>(read_index(recorder, bound[I]))...);
  }
  (std::index_sequence_for<T...>());
}

template <class Body, class Points>
struct CallOver;
template <class Body, IntegerType... T>
struct CallOver<Body, Ranges<T...>> : std::invoke_result<Body&, Value<T>...> {};

}  // namespace detail

/// What a body gives when it is called with the indices of `Points`, some Ranges.
template <class Body, class Points>
using ResultOver = std::remove_cvref_t<typename detail::CallOver<Body, Points>::type>;

/// Whether `Body` can be called with the indices of `Points`.
template <class Body, class Points>
concept BodyOver = requires {
  typename ResultOver<Body, Points>;
};

}  // namespace gyre::builder
