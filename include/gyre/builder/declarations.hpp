/// The declarations of a program being built: sizes, buffers, scalars and lets, each a statement at
/// the place where it is called.
///
/// Names are those that a caller binds by and messages use. Leaves out the statements that do
/// something (program.hpp).
#pragma once

#include "gyre/builder/place.hpp"
#include "gyre/ir/program.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace gyre::builder {

/// One extent per dimension: integer expressions of sizes and constants.
using Extents = std::initializer_list<GivenInteger>;

/// Whether `Init` may be the initial value of a scalar of `T`; of its own type where T is void.
template <class T, class Init>
concept InitialFor = Operand<Init> &&
    (std::is_void_v<T> ||
     std::convertible_to<Init, Given<std::conditional_t<std::is_void_v<T>, bool, T>>>);

class Declarations {
 public:
  Declarations(const Declarations&) = delete;
  Declarations& operator=(const Declarations&) = delete;

  /// A size: bound by the caller, or told by a bound buffer's extent.
  Size size(std::string name, const CallSite& at = CallSite::current());

  /// Buffers of the caller's, only read; written, and of unspecified contents at first (`out`);
  /// read and written (`inout`). `x = p.in<double>("x", {n})`.
  template <ElementType T>
  Buffer<T> in(std::string name, Extents extents, const CallSite& at = CallSite::current()) {
    return buffer<T>(ir::Intent::In, std::move(name), extents, at);
  }
  template <ElementType T>
  Buffer<T> out(std::string name, Extents extents, const CallSite& at = CallSite::current()) {
    return buffer<T>(ir::Intent::Out, std::move(name), extents, at);
  }
  template <ElementType T>
  Buffer<T> inout(std::string name, Extents extents, const CallSite& at = CallSite::current()) {
    return buffer<T>(ir::Intent::Inout, std::move(name), extents, at);
  }
  /// A buffer of the program's own, zero at each entry of its block.
  template <ElementType T>
  Buffer<T> temp(std::string name, Extents extents, const CallSite& at = CallSite::current()) {
    return buffer<T>(ir::Intent::Temp, std::move(name), extents, at);
  }

  /// Scalars that the caller must give (`in`, `inout`) or that start at zero (`out`, `var`).
  template <ValueType T>
  Scalar<T> in(std::string name, const CallSite& at = CallSite::current()) {
    return scalar<T>(ir::Intent::In, std::move(name), {}, at);
  }
  template <ValueType T>
  Scalar<T> out(std::string name, const CallSite& at = CallSite::current()) {
    return scalar<T>(ir::Intent::Out, std::move(name), {}, at);
  }
  template <ValueType T>
  Scalar<T> inout(std::string name, const CallSite& at = CallSite::current()) {
    return scalar<T>(ir::Intent::Inout, std::move(name), {}, at);
  }
  /// A scalar of the innermost open block, afresh at each entry and trip.
  template <ValueType T>
  Scalar<T> var(std::string name, const CallSite& at = CallSite::current()) {
    return scalar<T>(ir::Intent::Var, std::move(name), {}, at);
  }

  /// Scalars with an initial value, and of its type unless another is named: `p.in("rtol", 1e-8)`,
  /// `p.out<std::int64_t>("trips", 0)`.
  template <class T = void, class Init>
  requires InitialFor<T, Init>
  auto in(std::string name, const Init& initial, const CallSite& at = CallSite::current()) {
    return initialised<T>(ir::Intent::In, std::move(name), initial, at);
  }
  template <class T = void, class Init>
  requires InitialFor<T, Init>
  auto out(std::string name, const Init& initial, const CallSite& at = CallSite::current()) {
    return initialised<T>(ir::Intent::Out, std::move(name), initial, at);
  }
  template <class T = void, class Init>
  requires InitialFor<T, Init>
  auto inout(std::string name, const Init& initial, const CallSite& at = CallSite::current()) {
    return initialised<T>(ir::Intent::Inout, std::move(name), initial, at);
  }
  template <class T = void, class Init>
  requires InitialFor<T, Init>
  auto var(std::string name, const Init& initial, const CallSite& at = CallSite::current()) {
    return initialised<T>(ir::Intent::Var, std::move(name), initial, at);
  }

  /// Computes `value` once, here; what it gives stands for that value. A C++ variable without
  /// `let` stands for the expression instead, evaluated wherever it is used.
  template <class T = void, class V>
  requires InitialFor<T, V>
  auto let(std::string name, const V& value, const CallSite& at = CallSite::current()) {
    using Type = Declared<T, V>;
    return Value<Type>(add_let(std::move(name), ir::type_of<Type>, typed<T>(value), at));
  }

  /// A constant that belongs to this program, for a fold whose bounds are constants alone.
  template <Literal L>
  auto constant(L literal) {
    return Value<AloneType<L>>(own(detail::alone(literal)));
  }

 protected:
  explicit Declarations(std::shared_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}
  ~Declarations() = default;

  const std::shared_ptr<Recorder>& recorder() const { return recorder_; }

 private:
  template <class T, class Init>
  using Declared = typename std::conditional_t<std::is_void_v<T>, std::type_identity<TypeOf<Init>>,
                                               std::type_identity<T>>::type;

  template <class T, class Init>
  static AnyValue typed(const Init& initial) {
    if constexpr (std::is_void_v<T>) {
      return detail::alone(initial);
    } else {
      return Given<T>(initial).value;
    }
  }

  template <ElementType T>
  Buffer<T> buffer(ir::Intent intent, std::string name, Extents extents, const CallSite& at) {
    return Buffer<T>(add_buffer(intent, std::move(name), ir::type_of<T>, extents, at));
  }
  template <ValueType T>
  Scalar<T> scalar(ir::Intent intent, std::string name, const AnyValue& initial,
                   const CallSite& at) {
    return Scalar<T>(add_scalar(intent, std::move(name), ir::type_of<T>, initial, at));
  }
  template <class T, class Init>
  auto initialised(ir::Intent intent, std::string name, const Init& initial, const CallSite& at) {
    return scalar<Declared<T, Init>>(intent, std::move(name), typed<T>(initial), at);
  }

  AnyValue own(AnyValue literal) const;
  detail::Object add_buffer(ir::Intent intent, std::string name, ir::ScalarType type,
                            Extents extents, const CallSite& at);
  detail::Object add_scalar(ir::Intent intent, std::string name, ir::ScalarType type,
                            const AnyValue& initial, const CallSite& at);
  AnyValue add_let(std::string name, ir::ScalarType type, const AnyValue& value,
                   const CallSite& at);

  std::shared_ptr<Recorder> recorder_;
};

}  // namespace gyre::builder
