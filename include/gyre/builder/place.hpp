/// What a program being built can store to: scalars and elements of buffers.
///
/// An assignment is a statement: it is recorded where it stands, in the innermost open body.
/// Handles are copied freely and name the same object; they stay valid as long as you hold them.
#pragma once

#include "gyre/builder/operators.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace gyre::builder {
namespace detail {

/// An object of the program, as handles hold it.
struct Object {
  std::shared_ptr<Recorder> owner;
  ir::SymbolId symbol{};
};

AnyValue read(const Object& scalar);
AnyValue load(const Object& buffer, const std::vector<AnyValue>& index);
/// Records `place = value`, or with `op` the old value combined with it.
void assign(const AnyValue& place, std::optional<ir::Op> op, const AnyValue& value,
            const CallSite& at);
void scatter(const AnyValue& place, bool accumulate, const AnyValue& value, const CallSite& at);

}  // namespace detail

/// A value that can be stored to. Reading it gives the value at that point of the program.
template <ValueType T>
class Place : public Value<T> {
 public:
  using Value<T>::Value;
  Place(const Place&) = default;
  // Not viable, so that `a = b` on two places is the assignment below, with its place in C++.
  Place& operator=(const Place&) requires(sizeof(T) == 0);

  const Place& operator=(const Given<T>& value) const { return store({}, value); }
  const Place& operator+=(const Given<T>& value) const requires NumberType<T> {
    return store(ir::Op::Add, value);
  }
  const Place& operator-=(const Given<T>& value) const requires NumberType<T> {
    return store(ir::Op::Sub, value);
  }
  const Place& operator*=(const Given<T>& value) const requires NumberType<T> {
    return store(ir::Op::Mul, value);
  }
  const Place& operator/=(const Given<T>& value) const requires NumberType<T> {
    return store(ir::Op::Div, value);
  }
  const Place& operator%=(const Given<T>& value) const requires IntegerType<T> {
    return store(ir::Op::Rem, value);
  }
  const Place& operator&=(
      const Given<T>& value) const requires admitted<ir::OperandClass::Logic, T> {
    return store(ir::Op::BitAnd, value);
  }
  const Place& operator|=(
      const Given<T>& value) const requires admitted<ir::OperandClass::Logic, T> {
    return store(ir::Op::BitOr, value);
  }
  const Place& operator^=(
      const Given<T>& value) const requires admitted<ir::OperandClass::Logic, T> {
    return store(ir::Op::BitXor, value);
  }

 private:
  const Place& store(std::optional<ir::Op> op, const Given<T>& value) const {
    detail::assign(this->any(), op, value.value, value.site);
    return *this;
  }
};

/// One device slot: an `in`, `out`, `inout` or `var`.
template <ValueType T>
class Scalar : public Place<T> {
 public:
  explicit Scalar(detail::Object object)
      : Place<T>(detail::read(object)), object_(std::move(object)) {}
  Scalar(const Scalar&) = default;
  Scalar& operator=(const Scalar&) requires(sizeof(T) == 0);
  using Place<T>::operator=;

  const detail::Object& object() const { return object_; }

 private:
  detail::Object object_;
};

/// A row-major array of rank 1 to 4. `x[i]` and `a(i, j)` are its elements.
template <ElementType T>
class Buffer {
 public:
  explicit Buffer(detail::Object object) : object_(std::move(object)) {}

  Place<Loaded<T>> operator[](const GivenInteger& index) const { return (*this)(index); }
  /// One index for each dimension; a wrong number of them is a diagnostic.
  template <std::convertible_to<GivenInteger>... Index>
  Place<Loaded<T>> operator()(const Index&... index) const {
    return Place<Loaded<T>>(detail::load(object_, {GivenInteger(index).value...}));
  }

  const detail::Object& object() const { return object_; }

 private:
  detail::Object object_;
};

/// The target of a scatter: `scatter(y[col[k]]) = v` stores by the promise that no two indices of
/// the foreach meet there; `scatter(count[bin]) += 1`, integers only, lets them meet.
template <ValueType T>
class ScatterPlace {
 public:
  explicit ScatterPlace(const Place<T>& place) : place_(place.any()) {}
  ScatterPlace(const ScatterPlace&) = delete;
  ScatterPlace& operator=(const ScatterPlace&) = delete;

  void operator=(const Given<T>& value) const {
    detail::scatter(place_, false, value.value, value.site);
  }
  void operator+=(const Given<T>& value) const requires IntegerType<T> {
    detail::scatter(place_, true, value.value, value.site);
  }

 private:
  AnyValue place_;
};

template <ValueType T>
ScatterPlace<T> scatter(const Place<T>& place) {
  return ScatterPlace<T>(place);
}

}  // namespace gyre::builder
