/// The language's typing rules as C++ concepts, so that the compiler refuses what the verifier
/// would.
///
/// A value's type is one of bool, int32_t, int64_t, float and double; a buffer may also hold f16 or
/// bf16, which load as float. Values widen i32 → i64 and f32 → f64; a C++ literal takes the other
/// operand's type. Leaves out what only a whole program shows: scopes, places, jumps.
#pragma once

#include "gyre/ir/half.hpp"
#include "gyre/ir/op.hpp"
#include "gyre/ir/value.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace gyre::builder {

/// What a buffer may hold.
template <class T>
concept ElementType = ir::type_of<T>
!= ir::ScalarType::Invalid;

/// What an expression may be of.
template <class T>
concept ValueType = ElementType<T> && !ir::is_storage_only(ir::type_of<T>);

template <class T>
concept NumberType = ValueType<T> && ir::is_number(ir::type_of<T>);

template <class T>
concept IntegerType = ValueType<T> && ir::is_integer(ir::type_of<T>);

/// The type of an element once it is loaded.
template <ElementType T>
using Loaded = std::conditional_t<ir::is_storage_only(ir::type_of<T>), float, T>;

/// A C++ number or bool among expressions: a constant of the program.
template <class L>
concept Literal = std::is_arithmetic_v<L> && !std::same_as<L, char> && !std::same_as<L, wchar_t> &&
                  !std::same_as<L, long double>;

/// Whether a value of `From` becomes `To` by itself.
template <class From, class To>
concept WidensTo = ValueType<From> && ValueType<To> &&
    ir::widens(ir::type_of<From>, ir::type_of<To>);

/// Whether a literal of `L` may stand for a value of `T`: bool for bool, a whole number for any
/// number, a fraction for a float.
template <class L, class T>
concept LiteralFor = Literal<L> && ValueType<T> &&
    (std::same_as<L, bool> ? std::same_as<T, bool>
                           : (std::integral<L> ? NumberType<T> : std::floating_point<T>));

/// The type of a literal that stands alone.
template <Literal L>
using AloneType = std::conditional_t<
    std::floating_point<L> || std::same_as<L, bool>, L,
    std::conditional_t<(sizeof(L) < 4 || (sizeof(L) == 4 && std::signed_integral<L>)), std::int32_t,
                       std::int64_t>>;

/// Whether operators of this class take `T`, after widening. Those that choose take a bool beside
/// it, which no row of op.def says: they are written out.
template <ir::OperandClass operands, class T>
inline constexpr bool admitted = ir::admits(operands, ir::type_of<T>);
template <class T>
inline constexpr bool admitted<ir::OperandClass::Chosen, T> = false;
template <class T>
inline constexpr bool admitted<ir::OperandClass::Long, T> = IntegerType<T>;

}  // namespace gyre::builder
