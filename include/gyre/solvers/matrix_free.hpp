/// A matrix that is only known by its products: work of the user's own.
///
///     matrix_free<double>({.n = n, .declare = [](gyre::Program& p, const Index& n) {
///       auto k = p.in<double>("stiffness", {n});
///       return [&p, k](const Vector<double>& v, const Vector<double>& q) {
///         p.call("apply", reads(k, v), updates(q), [=](CallContext& c) { apply<<<…>>>(…); });
///       };
///     }, .bind = [&](gyre::Executable& e) { e.bind("stiffness", k); }})
///
/// What looks at rows, as most preconditioners do, is refused.
#pragma once

#include "gyre/solvers/matrix.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace gyre::solvers {

/// Writes q = A v down: statements of a program, which may be calls. It is asked several times,
/// within loops too.
template <class T>
using Product = std::function<void(const Vector<T>& v, const Vector<T>& q)>;

template <class T>
struct MatrixFree {
  std::int64_t n = 0;
  /// Declares what the products need, once, at the top of the program; `n` is its size of that
  /// name.
  std::function<Product<T>(builder::Program& program, const Index& n)> declare;
  /// Binds what was declared.
  std::function<void(Executable&)> bind = {};
};

/// The matrix for a solver, with b and x of T, which is float or double. UsageError without
/// `declare`.
template <class T>
std::shared_ptr<const Matrix> matrix_free(MatrixFree<T> description);

}  // namespace gyre::solvers
