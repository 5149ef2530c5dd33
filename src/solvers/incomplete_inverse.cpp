#include "incomplete_inverse.hpp"

#include "approximate_inverse.hpp"
#include "scheduled_rows.hpp"

#include <span>
#include <string>

namespace gyre::solvers {
namespace {

/// A triangle with ones on its diagonal within a program. Its vectors stand in the order in which
/// they are solved for, so that neighbouring threads touch neighbouring memory.
template <class T>
class DeclaredTriangle {
 public:
  DeclaredTriangle(const LinearSystem<T>& system, const std::string& name)
      : program_(system.program),
        n_(system.n),
        rows_(system.program, name, system.n),
        entries_(program_.size(name + "_entries")),
        start_(program_.in<std::int32_t>(name + "_start", {system.n + 1})),
        col_(program_.in<std::int32_t>(name + "_col", {entries_})),
        from_(program_.in<std::int32_t>(name + "_from", {entries_})),
        val_(program_.template temp<T>(name + "_val", {entries_})) {}

  const ScheduledRows& rows() const { return rows_; }

  /// Gives each entry the value `of(row, from)`, where `from` is its place among the factors'.
  template <class Value>
  void assign(const Value& of) const {
    program_.foreach(builder::range("place", 0, n_), builder::independent, [&](const Index& place) {
      const auto row = program_.let("row_here", rows_.row(place));
      program_.for_(entries_of(place),
                    [&](const auto& entry) { scatter(val_[entry]) = of(row, from_[entry]); });
    });
  }

  /// Solves for what `x` is the right-hand side of, and leaves it there.
  void solve(const Vector<T>& x) const {
    rows_.sweep_all([&](const Index& place) {
      const auto rest = program_.var("rest", Element<T>(x[place]));
      program_.for_(entries_of(place),
                    [&](const auto& entry) { rest -= val_[entry] * x[col_[entry]]; });
      scatter(x[place]) = rest;
    });
  }

 private:
  auto entries_of(const Index& place) const {
    return builder::range("entry", start_[place], start_[place + 1]);
  }

  builder::Program& program_;
  Index n_;
  ScheduledRows rows_;
  builder::Size entries_;
  builder::Buffer<std::int32_t> start_;
  builder::Buffer<std::int32_t> col_;
  builder::Buffer<std::int32_t> from_;
  Vector<T> val_;
};

// M = L D U with ones on the diagonals of L and U, which are what elimination leaves of A where it
// stores to places of A alone: ILU(0). IC(0) is the same of the symmetric matrix whose lower
// triangle is A's, where U = Lᵀ, and every pivot must be positive.
template <class T>
class IncompleteInverse final : public ApproximateInverse<T> {
 public:
  IncompleteInverse(const LinearSystem<T>& system, FactorPattern pattern)
      : s_(system),
        pattern_(pattern),
        entries_(system.program.size("factor_entries")),
        row_(system.program.template in<std::int32_t>("factor_row", {system.n + 1})),
        col_(system.program.template in<std::int32_t>("factor_col", {entries_})),
        diagonal_(system.program.template in<std::int32_t>("factor_diagonal", {system.n})),
        lower_place_(system.program.template in<std::int32_t>("lower_place", {system.n})),
        upper_place_(system.program.template in<std::int32_t>("upper_place", {system.n})),
        factors_(system.program.template temp<T>("factors", {entries_})),
        inverse_(system.vector("inverse_pivots")),
        lower_(system, "lower"),
        upper_(system, "upper"),
        y_(system.vector("lower_x")),
        z_(system.vector("upper_x")) {
    copy_entries();
    eliminate();
    refuse_rows();
    lower_.assign([&](const Index&, const auto& from) { return Element<T>(factors_[from]); });
    upper_.assign([&](const Index& i, const auto& from) { return factors_[from] / pivot(i); });
    const Index& n = system.n;
    system.program.foreach(builder::range("place", 0, n), [&](const Index& place) {
      inverse_[place] = 1.0 / pivot(upper_.rows().row(place));
    });
  }

  void apply(const Vector<T>& r) const override {
    builder::Program& p = s_.program;
    // y = L⁻¹ r
    p.foreach(builder::range("place", 0, s_.n),
              [&](const Index& place) { y_[place] = r[lower_.rows().row(place)]; });
    lower_.solve(y_);
    // z = U⁻¹ D⁻¹ y
    p.foreach(builder::range("place", 0, s_.n),
              [&](const Index& place) { z_[place] = inverse_[place] * y_[lower_place_[place]]; });
    upper_.solve(z_);
  }

  Element<T> element(const Vector<T>&, const Index& i) const override {
    return z_[upper_place_[i]];
  }

 private:
  Element<T> pivot(const Index& i) const { return factors_[diagonal_[i]]; }
  auto whole_row(const Index& i) const { return builder::range("at", row_[i], row_[i + 1]); }

  // Entries of one place are summed up; what A does not store is 0.
  Element<T> entry(const Index& i, const Index& j) const {
    const bool is_symmetric = pattern_ == FactorPattern::Symmetric;
    const Index row = is_symmetric ? Index(max(i, j)) : i;
    const Index wanted = is_symmetric ? Index(min(i, j)) : j;
    return s_.a->sum_row(row, [&](const Index& column, const Element<T>& a) {
      return select(column == wanted, a, 0.0);
    });
  }

  void copy_entries() const {
    builder::Program& p = s_.program;
    p.foreach(builder::range("i", 0, s_.n), builder::independent, [&](const Index& i) {
      p.for_(whole_row(i),
             [&](const auto& at) { scatter(factors_[at]) = entry(i, as<std::int64_t>(col_[at])); });
    });
  }

  // a_ik /= a_kk,  a_ij −= a_ik a_kj  for k < i, j > k, row by row (Saad, algorithm 10.4).
  void eliminate() const {
    builder::Program& p = s_.program;
    lower_.rows().sweep_all([&](const Index& place) {
      const auto i = p.let("i", lower_.rows().row(place));
      p.for_(builder::range("at", row_[i], diagonal_[i]), [&](const auto& at) {
        const auto k = p.let("k", as<std::int64_t>(col_[at]));
        const auto factor = p.let("factor", factors_[at] / pivot(k));
        scatter(factors_[at]) = factor;
        subtract(i, factor, k, at + 1);
      });
    });
  }

  // Row i less `factor` times row k behind its diagonal, at the places that row i has from `begin`
  // on: both have rising columns.
  template <class At>
  void subtract(const Index& i, const Element<T>& factor, const Index& k, const At& begin) const {
    builder::Program& p = s_.program;
    const auto to = p.var("to", begin);
    const auto end = p.let("end_of_row", row_[i + 1]);
    p.for_(builder::range("from", diagonal_[k] + 1, row_[k + 1]), [&](const auto& from) {
      p.for_(builder::range("next", to, end), [&](const auto& next) {
        p.if_(col_[next] >= col_[from], [&] { p.break_(); });
        to += 1;
      });
      p.if_(to < end && col_[to] == col_[from],
            [&] { scatter(factors_[to]) = factors_[to] - factor * factors_[from]; });
    });
  }

  void refuse_rows() const {
    s_.refuse_row(Reason::NoDiagonal,
                  s_.program.template in<std::int64_t>("factor_without_diagonal"));
    s_.find_unusable_row(Reason::BadPivot, [&](const Index& i) {
      const auto is_usable = is_finite(1.0 / pivot(i));
      return pattern_ == FactorPattern::Symmetric
                 ? builder::Value<bool>(is_usable && pivot(i) > 0.0)
                 : builder::Value<bool>(is_usable);
    });
  }

  const LinearSystem<T>& s_;
  FactorPattern pattern_;
  builder::Size entries_;
  builder::Buffer<std::int32_t> row_;
  builder::Buffer<std::int32_t> col_;
  builder::Buffer<std::int32_t> diagonal_;
  builder::Buffer<std::int32_t> lower_place_;
  builder::Buffer<std::int32_t> upper_place_;
  Vector<T> factors_;
  Vector<T> inverse_;
  DeclaredTriangle<T> lower_;
  DeclaredTriangle<T> upper_;
  Vector<T> y_;
  Vector<T> z_;
};

void bind_triangle(Executable& executable, const std::string& name, const UnitTriangle& triangle) {
  bind_schedule(executable, name, triangle.schedule);
  executable.set_size(name + "_entries", static_cast<std::int64_t>(triangle.col.size()));
  executable.bind_steady(name + "_start", std::span(triangle.start));
  executable.bind_steady(name + "_col", std::span(triangle.col));
  executable.bind_steady(name + "_from", std::span(triangle.from));
}

}  // namespace

void bind_factors(Executable& executable, const IncompleteFactors& factors) {
  executable.set_size("factor_entries", static_cast<std::int64_t>(factors.col.size()));
  executable.bind_steady("factor_row", std::span(factors.row));
  executable.bind_steady("factor_col", std::span(factors.col));
  executable.bind_steady("factor_diagonal", std::span(factors.diagonal));
  executable.bind_steady("lower_place", std::span(factors.lower_place));
  executable.bind_steady("upper_place", std::span(factors.upper_place));
  executable.set("factor_without_diagonal", factors.row_without_diagonal);
  bind_triangle(executable, "lower", factors.lower);
  bind_triangle(executable, "upper", factors.upper);
}

template <class T>
MadeInverse<T> make_ilu_inverse(const LinearSystem<T>& system, const Variant&) {
  return std::make_unique<IncompleteInverse<T>>(system, FactorPattern::General);
}

template <class T>
MadeInverse<T> make_cholesky_inverse(const LinearSystem<T>& system, const Variant&) {
  return std::make_unique<IncompleteInverse<T>>(system, FactorPattern::Symmetric);
}

template MadeInverse<float> make_ilu_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_ilu_inverse(const LinearSystem<double>&, const Variant&);
template MadeInverse<float> make_cholesky_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_cholesky_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
