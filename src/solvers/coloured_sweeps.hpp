/// Sweeps over the rows of one colour after the other, within a program: the steps of Gauss and
/// Seidel, all rows of a colour at once.
#pragma once

#include "diagonal_inverse.hpp"
#include "gyre/solvers/level_schedule.hpp"
#include "scheduled_rows.hpp"

#include <cstdint>
#include <optional>

namespace gyre::solvers {

/// How many colours are statements of their own: all where they are few, since kernels that follow
/// each other cost less than trips of a loop.
std::optional<std::int64_t> colours_in_line(const LevelSchedule& colours);
/// The same for a program; it is made for two colours, those of a red-black grid, where nobody
/// says.
std::optional<std::int64_t> colours_in_line(const Variant& variant);

template <class T>
class ColouredSweeps {
 public:
  ColouredSweeps(const LinearSystem<T>& system, const Variant& variant)
      : s_(system),
        rows_(system.program, "colour", system.n),
        in_line_(colours_in_line(variant)),
        inverse_(system, [&](const Index& i) { return 1.0 / diagonal_of(system, i); }) {}

  const ScheduledRows& rows() const { return rows_; }

  /// x_i = step(i, ω (rhs − A x)_i / a_ii) for the rows i of that colour.
  template <class Step>
  void relax(const Index& colour, const Vector<T>& rhs, const Vector<T>& x,
             const Step& step) const {
    rows_.sweep(colour, [&](const Index& place) {
      const auto i = s_.program.let("i", rows_.row(place));
      // First, so that nothing is held in registers meanwhile.
      const auto product = s_.program.let(
          "product",
          s_.a->sum_row(i, [&](const Index& j, const Element<T>& a) { return a * x[j]; }));
      scatter(x[i]) = step(i, correction(rhs[i] - product, i));
    });
  }

  /// ω residual / a_ii.
  Element<T> correction(const Element<T>& residual, const Index& i) const {
    return relaxation() * inverse_.times(residual, i);
  }
  Element<T> relaxation() const { return as<T>(s_.relaxation); }

  /// Runs `body` for the colours from `first` on, but for so many at the end, in order.
  template <class Body>
  void rise(std::int64_t first, std::int64_t but_last, const Body& body) const {
    if (!in_line_) {
      s_.program.for_(builder::range("colour", number(first), rows_.chunks() - but_last), body);
      return;
    }
    for (std::int64_t c = first; c < *in_line_ - but_last; ++c) body(number(c));
  }
  /// The same from the end down to the first colour.
  template <class Body>
  void fall(std::int64_t but_last, const Body& body) const {
    if (!in_line_) {
      const auto begin = rows_.chunks() - 1 - but_last;
      s_.program.for_(builder::range("colour", begin, number(-1)).step(-1), body);
      return;
    }
    for (std::int64_t c = *in_line_ - 1 - but_last; c >= 0; --c) body(number(c));
  }
  /// The last colour; none where it is the first.
  std::optional<Index> last_of_several() const {
    if (!in_line_) return rows_.chunks() - 1;
    if (*in_line_ < 2) return std::nullopt;
    return number(*in_line_ - 1);
  }

 private:
  static Index number(std::int64_t colour) { return builder::constant<std::int64_t>(colour); }

  const LinearSystem<T>& s_;
  ScheduledRows rows_;
  /// How many there are, where each is a statement of its own and not a trip of a loop.
  std::optional<std::int64_t> in_line_;
  DiagonalInverse<T> inverse_;
};

/// Binds colours to a program that was made for as many in line, by the names of `ColouredSweeps`.
inline void bind_colours(Executable& executable, const LevelSchedule& colours) {
  bind_schedule(executable, "colour", colours);
}

}  // namespace gyre::solvers
