/// Expressions of a program being built, typed by C++.
///
/// Leaves out the operators (operators.hpp) and what can be assigned to (place.hpp).
#pragma once

#include "gyre/base/source_loc.hpp"
#include "gyre/builder/types.hpp"
#include "gyre/ir/expr.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace gyre::builder {

class Recorder;

/// An expression whose type C++ does not know, and the program it belongs to.
struct AnyValue {
  ir::Expr expr;
  /// Null for what literals alone make up: it belongs to every program.
  std::shared_ptr<Recorder> owner;
  /// The nodes of the tree, each as often as it is used.
  std::uint64_t nodes = 1;
};

/// Trees of more nodes are refused: their parts want names.
inline constexpr std::uint64_t max_expr_nodes = 100'000;

/// An expression of type `T`. Copies share it, and it never changes: what varies is a Scalar.
template <ValueType T>
class Value {
 public:
  using Type = T;

  /// For the builder itself: `value` is of type `T`, or of none, which the verifier explains.
  explicit Value(AnyValue value);
  Value(const Value&) = default;
  /// Deleted: it would rebind the C++ name and record nothing. Assign to a Scalar.
  Value& operator=(const Value&) = delete;

  const AnyValue& any() const { return value_; }

 private:
  AnyValue value_;
};

/// A size of the program: an i64 that is bound with the buffers.
class Size : public Value<std::int64_t> {
 public:
  using Value::Value;
};

namespace detail {

template <ValueType T>
T type_of_value(const Value<T>&);
template <Literal L>
AloneType<L> type_of_value(const L&);

AnyValue literal(bool value);
AnyValue literal(std::int64_t value);
AnyValue literal(std::uint64_t value);
AnyValue literal(double value);

template <ValueType T>
AnyValue untyped(const Value<T>& value) {
  return value.any();
}
template <Literal L>
AnyValue untyped(L value) {
  if constexpr (std::same_as<L, bool>) {
    return literal(value);
  } else if constexpr (std::floating_point<L>) {
    return literal(static_cast<double>(value));
  } else if constexpr (std::signed_integral<L>) {
    return literal(static_cast<std::int64_t>(value));
  } else {
    return literal(static_cast<std::uint64_t>(value));
  }
}

/// The program that all belong to. UsageError where they belong to two.
std::shared_ptr<Recorder> common_owner(std::span<const AnyValue> values);
/// `op` on `operands`. UsageError where they belong to two programs or the tree grows too large.
AnyValue apply(ir::Op op, std::span<const AnyValue> operands);
AnyValue cast(ir::ScalarType type, const AnyValue& operand);
AnyValue coerce(const AnyValue& value, ir::ScalarType type);
/// InternalError unless `value` is of `type` or of none.
void check_type(const AnyValue& value, ir::ScalarType type);

}  // namespace detail

/// A value or a literal among values.
template <class X>
concept Operand = requires(const X& x) {
  detail::type_of_value(x);
};

/// The type that an operand has alone.
template <Operand X>
using TypeOf = decltype(detail::type_of_value(std::declval<const X&>()));

namespace detail {

/// The operand as it is where nothing else gives it a type; a literal has the type that C++ gave
/// it.
template <Operand X>
AnyValue alone(const X& operand) {
  auto value = untyped(operand);
  constexpr auto type = ir::type_of<TypeOf<X>>;
  return value.expr->type == type ? value : cast(type, value);
}

}  // namespace detail

/// A value for something of type `T`, widened to it, with the place in C++ that gave it.
template <ValueType T>
struct Given {
  template <class U>
  requires WidensTo<U, T> Given(const Value<U>& given, const CallSite& at = CallSite::current())
      : value(detail::coerce(given.any(), ir::type_of<T>)), site(at) {}

  template <class L>
  requires LiteralFor<L, T> Given(L given, const CallSite& at = CallSite::current())
      : value(detail::coerce(detail::untyped(given), ir::type_of<T>)), site(at) {}

  AnyValue value;
  CallSite site;
};

/// An integer value, i32 or i64 as it is: an index, an extent, a limit.
struct GivenInteger {
  template <IntegerType T>
  GivenInteger(const Value<T>& given, const CallSite& at = CallSite::current())
      : value(given.any()), site(at) {}

  template <class L>
  requires LiteralFor<L, std::int64_t> && std::integral<L> GivenInteger(
      L given, const CallSite& at = CallSite::current())
      : value(detail::untyped(given)), site(at) {}

  AnyValue value;
  CallSite site;
};

template <ValueType T>
Value<T>::Value(AnyValue value) : value_(std::move(value)) {
  detail::check_type(value_, ir::type_of<T>);
}

}  // namespace gyre::builder
