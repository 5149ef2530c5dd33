/// What matrices whose entries are stored have in common.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/solvers/matrix.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace gyre::solvers {

/// Throws UsageError for a matrix that is none.
[[noreturn]] inline void refuse_matrix(const std::string& why) {
  throw UsageError("the matrix: " + why);
}

/// Refuses a number of rows that is none, or more than its columns' type counts.
inline void verify_rows(std::int64_t n) {
  if (n < 0) refuse_matrix("n = " + std::to_string(n) + " is negative");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (n > most) {
    refuse_matrix(std::to_string(n) + " rows; columns are numbered by an i32, up to " +
                  std::to_string(most));
  }
}

/// The entries of a matrix within a program: as they were given, in S, and for products in T, to
/// which each solve rounds them anew where that is another type.
template <class T, class S>
class Entries {
 public:
  Entries(builder::Program& p, builder::Extents extents) : given_(p.in<S>("val", extents)) {
    if constexpr (!std::same_as<T, S>) rounded_.emplace(p.temp<T>("rounded", extents));
  }

  /// Rounds those at `places`, which are all.
  template <class Places>
  void prepare(builder::Program& p, const Places& places) const {
    if (!rounded_) return;
    p.foreach(places, [&](const auto&... at) { (*rounded_)(at...) = as<T>(given_(at...)); });
  }

  template <class... At>
  Element<T> operator()(const At&... at) const {
    if constexpr (std::same_as<T, S>) {
      return given_(at...);
    } else {
      return (*rounded_)(at...);
    }
  }
  template <class... At>
  Real wide(const At&... at) const {
    return as<double>(given_(at...));
  }

 private:
  Vector<S> given_;
  std::optional<Vector<T>> rounded_;
};

/// A matrix of entries of S that becomes a `MakeOperator::of<T, S>` in programs of vectors of T.
template <class S, class MakeOperator>
class StoredMatrix : public Matrix {
 public:
  ir::ScalarType type() const final { return ir::type_of<S>; }

  std::unique_ptr<Operator<double>> declare_f64(builder::Program& program) const final {
    if constexpr (std::same_as<S, double>) {
      return make<double>(program);
    } else {
      refuse_matrix("its entries are f32, and vectors of f64 are asked for");
    }
  }
  std::unique_ptr<Operator<float>> declare_f32(builder::Program& program) const final {
    return make<float>(program);
  }

 protected:
  /// For operators whose program depends on more than the types.
  virtual MakeOperator maker() const { return {}; }

 private:
  template <class T>
  std::unique_ptr<Operator<T>> make(builder::Program& program) const {
    return maker().template of<T, S>(program);
  }
};

}  // namespace gyre::solvers
