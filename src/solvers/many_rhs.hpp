/// What many right-hand sides of one matrix share while the whole device solves them, and the loop
/// around a method of theirs: as true_residual_loop.hpp, of each right-hand side by itself.
///
/// A right-hand side whose solve has ended is passed by, and one that waits for b − A x while
/// others still make trips is too: what it does does not depend on them. Leaves out the trips
/// (many_cg.cpp).
#pragma once

#include "linear_system.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace gyre::solvers {

/// A block runs so many rows of a right-hand side, and their share of its dot products.
inline constexpr std::int64_t rows_of_a_piece = 2048;

/// Vectors of all right-hand sides, in pieces: the last one of each is not full.
template <class T>
class Pieces {
 public:
  explicit Pieces(builder::Buffer<T> all) : all_(std::move(all)) {}

  Element<T> operator()(const Index& rhs, const Index& i) const {
    return all_(rhs, i / rows_of_a_piece, i % rows_of_a_piece);
  }
  builder::Place<T> at(const Index& rhs, const Index& part, const Index& local) const {
    return all_(rhs, part, local);
  }

 private:
  builder::Buffer<T> all_;
};

template <class T>
class ManyRhs {
 public:
  ManyRhs(builder::Program& program, const Variant& variant);
  virtual ~ManyRhs() = default;
  ManyRhs(const ManyRhs&) = delete;
  ManyRhs& operator=(const ManyRhs&) = delete;

  /// Writes the program down.
  void build();

 protected:
  /// An element for each right-hand side.
  using Flags = builder::Buffer<std::int32_t>;
  using Numbers = builder::Buffer<double>;
  using Counts = builder::Buffer<std::int64_t>;
  using Holds = std::function<builder::Value<bool>(const Index& s)>;
  using OfPiece = std::function<void(const Index& s, const Index& part, const Index& rows)>;

  /// A trip of all that make one: sets rr, rz, breakdown, trips and active of each.
  virtual void trip() = 0;

  /// Runs `body` for each piece of the right-hand sides for which `takes_part` holds, by a block;
  /// or for each of these, by one.
  void for_each_piece(const Holds& takes_part, const OfPiece& body) const;
  void for_each_rhs(const Holds& takes_part, const std::function<void(const Index& s)>& body) const;
  Holds making_trips() const {
    return [this](const Index& s) { return active[s] != 0; };
  }

  /// Σ f over the rows of a piece, and the sum of all pieces.
  template <class F>
  Real sum_piece(const Index& rows, F f) const {
    return sum(0, rows, [&](const Index& local) { return f(local); });
  }
  Real total(const Numbers& of, const Index& s) const;
  /// rᵀr and, with an inverse, rᵀM⁻¹r of a piece: first_sums and second_sums.
  void store_sums_of_r(const Index& s, const Index& part, const Index& rows) const;

  bool has_inverse() const { return kind_ != Preconditioner::None; }
  /// Element i of M⁻¹ times the one that is `value`.
  Element<T> preconditioned(const Element<T>& value, const Index& i) const;
  /// Whether another trip is made before b − A x is computed, with ‖r‖² and trips as they are.
  builder::Value<bool> may_go_on(const Index& s, const Real& square, const Index& made) const;

  builder::Program& p;
  builder::Size count;
  std::unique_ptr<Operator<T>> a;
  Index n;
  Index parts;

 private:
  std::unique_ptr<Operator<T>> declare(const Matrix& matrix) const;
  template <class V>
  builder::Buffer<V> of_each(const char* name) const {
    return p.temp<V>(name, {count});
  }
  template <class V>
  builder::Buffer<V> told_of_each(const char* name) const {
    return p.out<V>(name, {count});
  }
  Pieces<T> vectors(const char* name) const {
    return Pieces<T>(p.temp<T>(name, {count, parts, rows_of_a_piece}));
  }
  Numbers sums(const char* name) const { return p.temp<double>(name, {count, parts}); }
  Holds going_on() const {
    return [this](const Index& s) { return is_going(reason[s]); };
  }

  Element<T> inverse_of(const Index& i) const;
  void invert();
  void begin();
  void start_from_true_residual();
  /// What b − A x makes of a right-hand side, where it was just computed.
  struct Judged {
    Real square;
    Real norm;
    Real start;
    Real recurred;
    Real rtol_norm;
    Real farthest_up;
    builder::Value<bool> claimed;
  };
  Judged measure(const Index& s) const;
  Code reason_for(const Index& s, const Judged& now) const;
  void judge(const Index& s);
  Real relative_to_b(const Index& s, const Real& norm) const;

  Preconditioner kind_;
  ToldOptions told_;
  builder::Buffer<T> b_;
  builder::Buffer<T> x_;
  builder::Buffer<T> inverse_;
  builder::Scalar<std::int64_t> unusable_;

 protected:
  Flags reason = told_of_each<std::int32_t>("reason_of");
  Numbers residual = told_of_each<double>("residual_of");
  Numbers relative = told_of_each<double>("relative_of");
  Numbers start_residual = told_of_each<double>("start_residual_of");
  Numbers recurrence = told_of_each<double>("recurrence_of");
  Counts trips = told_of_each<std::int64_t>("trips_of");
  Counts restarts = told_of_each<std::int64_t>("restarts_of");
  Counts unusable_row = told_of_each<std::int64_t>("unusable_row_of");
  /// Whether it makes trips now.
  Flags active = of_each<std::int32_t>("active");
  Flags is_zero = of_each<std::int32_t>("is_zero");
  Flags breakdown = of_each<std::int32_t>("breakdown");
  Numbers scale = of_each<double>("scale");
  Numbers norm_b = of_each<double>("norm_b");
  Numbers last_norm = of_each<double>("last_norm");
  Numbers start_norm = of_each<double>("start_norm");
  /// ‖r‖², and rᵀM⁻¹r.
  Numbers rr = of_each<double>("rr");
  Numbers rz = of_each<double>("rz");
  Numbers floor = of_each<double>("floor");
  Numbers target = of_each<double>("target");
  Numbers up = of_each<double>("up");
  Numbers first_sums = sums("first_sums");
  Numbers second_sums = sums("second_sums");
  Numbers third_sums = sums("third_sums");
  Pieces<T> r = vectors("r");
  Pieces<T> y = vectors("y");
  /// What the literature calls p: M⁻¹r where trips start.
  Pieces<T> d = vectors("p");
};

}  // namespace gyre::solvers
