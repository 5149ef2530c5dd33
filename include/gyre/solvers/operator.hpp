/// A matrix within a program, as methods and preconditioners see it: never how it is stored.
///
/// Leaves out the memory that is bound to it (matrix.hpp).
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/solvers/numbers.hpp"

#include <functional>

namespace gyre::solvers {

/// What an entry a_ij contributes to a sum over row i, in W.
template <class W>
using TermOf = std::function<Element<W>(const Index& column, const Element<W>& entry)>;

/// A of A x = b, in which vectors are of `T`. One file an operator: it says how to sum over a row,
/// and all else follows from that; or it has no rows to look at, and multiplies.
template <class T>
class Operator {
 public:
  explicit Operator(builder::Program& program) : program_(program) {}
  virtual ~Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  virtual Index rows() const = 0;
  /// Statements that each solve begins with.
  virtual void prepare() const {}

  /// q = A v.
  virtual void multiply(const Vector<T>& v, const Vector<T>& q) const {
    program_.foreach(0, rows(), [&](const Index& i) {
      q[i] = sum_row(i, [&](const Index& j, const Element<T>& a) { return a * v[j]; });
    });
  }

  /// Runs `body` for each row i with (A v)_i, which is stored nowhere; in q if there are no rows.
  void for_each_product(const Vector<T>& v, const Vector<T>& q,
                        const std::function<void(const Index& i, const Element<T>&)>& body) const {
    if (!has_rows()) multiply(v, q);
    program_.foreach(0, rows(), [&](const Index& i) {
      if (!has_rows()) return body(i, q[i]);
      const auto term = [&](const Index& j, const Element<T>& a) { return a * v[j]; };
      body(i, program_.let("product", sum_row(i, term)));
    });
  }

  /// Whether sums over rows can be asked for.
  virtual bool has_rows() const { return true; }
  /// The sum of `term` over the stored entries of row i; and the same in f64, with the entries as
  /// they were given. Within a foreach, where they may record lets.
  virtual Element<T> sum_row(const Index& i, const TermOf<T>& term) const = 0;
  virtual Real sum_row_wide(const Index& i, const TermOf<double>& term) const = 0;

 protected:
  builder::Program& program() const { return program_; }

 private:
  builder::Program& program_;
};

}  // namespace gyre::solvers
