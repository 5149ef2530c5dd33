#include "multigrid_inverse.hpp"

#include "approximate_inverse.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gyre::solvers {
namespace {

std::string name_of(std::size_t level, const char* part) {
  return "mg" + std::to_string(level) + "_" + part;
}

/// A sparse matrix of the hierarchy within a program, under names that begin alike.
template <class T>
class DeclaredSparse {
 public:
  DeclaredSparse(builder::Program& p, const std::string& name, const Index& rows)
      : program_(p),
        rows_(rows),
        entries_(p.size(name + "_nnz")),
        row_(p.in<std::int32_t>(name + "_row", {rows + 1})),
        col_(p.in<std::int32_t>(name + "_col", {entries_})),
        val_(p.in<double>(name + "_val", {entries_})) {}

  /// Runs `body` for each row i with (A v)_i.
  template <class Body>
  void for_each_product(const Vector<T>& v, const Body& body) const {
    program_.foreach(0, rows_, [&](const Index& i) {
      body(i, program_.let("product",
                           sum(builder::range("k", row_[i], row_[i + 1]),
                               [&](const auto& k) { return as<T>(val_[k]) * v[col_[k]]; })));
    });
  }

 private:
  builder::Program& program_;
  Index rows_;
  builder::Size entries_;
  builder::Buffer<std::int32_t> row_;
  builder::Buffer<std::int32_t> col_;
  Vector<double> val_;
};

void bind_sparse(Executable& executable, const std::string& name, const SparseMatrix& a) {
  executable.set_size(name + "_nnz", a.entries());
  executable.bind_steady(name + "_row", std::span(a.row));
  executable.bind_steady(name + "_col", std::span(a.col));
  executable.bind_steady(name + "_val", std::span(a.val));
}

// M⁻¹ r is what one V-cycle makes of r, with a Jacobi step before and behind the correction of each
// level: symmetric positive definite where A is.
//
//     z = ω D⁻¹ r,  z += P · cycle(R (r − A z)),  z += ω D⁻¹ (r − A z)
template <class T>
class MultigridInverse final : public StoredInverse<T> {
 public:
  MultigridInverse(const LinearSystem<T>& system, const Multigrid& grid)
      : StoredInverse<T>(system) {
    for (std::size_t level = 0; level < grid.levels.size(); ++level) declare(grid, level);
    if (grid.coarsest_inverse.empty()) return;
    const Index& last = levels_.back().n;
    inverse_.emplace(system.program.template in<double>("mg_inverse", {last, last}));
  }

 private:
  using StoredInverse<T>::s;

  struct Level {
    Index n;
    /// None on the first level, whose matrix is the system's.
    std::optional<DeclaredSparse<T>> a;
    Vector<double> inverse_diagonal;
    builder::Scalar<double> weight;
    std::optional<DeclaredSparse<T>> prolongation;
    std::optional<DeclaredSparse<T>> restriction;
    Vector<T> r;
    Vector<T> z;
    /// Before the correction, and what is left of r then.
    Vector<T> smoothed;
    Vector<T> left;
  };

  void declare(const Multigrid& grid, std::size_t number) {
    builder::Program& p = s().program;
    const bool is_first = number == 0;
    const Index n = is_first ? s().n : next_rows_.value();
    const auto vector = [&](const char* part) { return p.temp<T>(name_of(number, part), {n}); };
    std::optional<DeclaredSparse<T>> a;
    if (!is_first) a.emplace(p, name_of(number, "a"), n);
    Level level{n,
                std::move(a),
                p.in<double>(name_of(number, "inverse_diagonal"), {n}),
                p.in(name_of(number, "weight"), 0.0),
                {},
                {},
                vector("r"),
                vector("z"),
                vector("smoothed"),
                vector("left")};
    if (number + 1 < grid.levels.size()) {
      next_rows_.emplace(p.size(name_of(number + 1, "n")));
      level.prolongation.emplace(p, name_of(number, "p"), n);
      level.restriction.emplace(p, name_of(number, "r"), *next_rows_);
    }
    levels_.push_back(std::move(level));
  }

  void compute(const Vector<T>& r, const Vector<T>& z) const override { cycle(0, r, z); }

  void cycle(std::size_t number, const Vector<T>& r, const Vector<T>& z) const {
    const Level& level = levels_[number];
    const bool is_last = number + 1 == levels_.size();
    builder::Program& p = s().program;
    if (is_last && inverse_) return solve_directly(level, r, z);
    const auto step = [&](const Index& i, const Element<T>& left) {
      return as<T>(level.weight * level.inverse_diagonal[i]) * left;
    };
    p.foreach(0, level.n, [&](const Index& i) { level.smoothed[i] = step(i, r[i]); });
    if (!is_last) {
      const Level& next = levels_[number + 1];
      multiply(level,
               [&](const Index& i, const Element<T>& product) { level.left[i] = r[i] - product; });
      level.restriction->for_each_product(
          level.left,
          [&](const Index& i, const Element<T>& restricted) { next.r[i] = restricted; });
      cycle(number + 1, next.r, next.z);
      level.prolongation->for_each_product(
          next.z,
          [&](const Index& i, const Element<T>& correction) { level.smoothed[i] += correction; });
    }
    multiply(level, [&](const Index& i, const Element<T>& product) {
      z[i] = level.smoothed[i] + step(i, r[i] - product);
    });
  }

  void solve_directly(const Level& level, const Vector<T>& r, const Vector<T>& z) const {
    s().program.foreach(0, level.n, [&](const Index& i) {
      z[i] = sum(builder::range("column", 0, level.n),
                 [&](const Index& j) { return as<T>((*inverse_)(i, j)) * r[j]; });
    });
  }

  // A times what is smoothed.
  template <class Body>
  void multiply(const Level& level, const Body& body) const {
    if (level.a) return level.a->for_each_product(level.smoothed, body);
    s().a->for_each_product(level.smoothed, level.left, body);
  }

  std::vector<Level> levels_;
  std::optional<Index> next_rows_;
  std::optional<Vector<double>> inverse_;
};

}  // namespace

void bind_multigrid(Executable& executable, const Multigrid& grid) {
  for (std::size_t number = 0; number < grid.levels.size(); ++number) {
    const MultigridLevel& level = grid.levels[number];
    executable.bind_steady(name_of(number, "inverse_diagonal"), std::span(level.inverse_diagonal));
    executable.set(name_of(number, "weight"), level.weight);
    if (number > 0) {
      executable.set_size(name_of(number, "n"), level.a.rows);
      bind_sparse(executable, name_of(number, "a"), level.a);
    }
    if (number + 1 == grid.levels.size()) continue;
    bind_sparse(executable, name_of(number, "p"), level.prolongation);
    bind_sparse(executable, name_of(number, "r"), level.restriction);
  }
  if (grid.coarsest_inverse.empty()) return;
  const std::int64_t last = grid.levels.back().a.rows;
  executable.bind_steady("mg_inverse", std::span(grid.coarsest_inverse), {last, last});
}

bool have_one_program(const Multigrid& one, const Multigrid& other) {
  return one.levels.size() == other.levels.size() &&
         one.coarsest_inverse.empty() == other.coarsest_inverse.empty();
}

template <class T>
MadeInverse<T> make_multigrid_inverse(const LinearSystem<T>& system, const Variant& variant) {
  static const Multigrid two_levels = {.levels = std::vector<MultigridLevel>(2),
                                       .coarsest_inverse = {1.0}};
  return std::make_unique<MultigridInverse<T>>(system,
                                               variant.multigrid ? *variant.multigrid : two_levels);
}

template MadeInverse<float> make_multigrid_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_multigrid_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
