#include "gyre/solvers/many_cg.hpp"

#include "gyre/base/error.hpp"
#include "true_residual_loop.hpp"

#include <functional>
#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

// A block runs so many rows of a right-hand side, and their share of its dot products.
constexpr std::int64_t piece = 2048;

/// Vectors of all right-hand sides, in pieces: the last one of each is not full.
template <class T>
class Pieces {
 public:
  Pieces(builder::Buffer<T> all) : all_(std::move(all)) {}  // NOLINT: it stands for the buffer

  builder::Place<T> at(const Index& rhs, const Index& part, const Index& local) const {
    return all_(rhs, part, local);
  }
  builder::Place<T> at(const Index& rhs, const Index& i) const {
    return all_(rhs, i / piece, i % piece);
  }

 private:
  builder::Buffer<T> all_;
};

// The program while it is written down. A right-hand side waits, masked, where others still make
// trips: what it does does not depend on them. `d` is the direction that the literature calls p.
template <class T>
class ManyCg {
 public:
  using Flags = builder::Buffer<std::int32_t>;
  using Numbers = builder::Buffer<double>;
  using Counts = builder::Buffer<std::int64_t>;

  ManyCg(builder::Program& program, const Variant& variant)
      : p(program),
        count(p.size("systems")),
        a(declare(*variant.matrix)),
        n(a->rows()),
        parts((n + (piece - 1)) / piece),
        told_(p),
        b(p.in<T>("b", {count, n})),
        x(p.inout<T>("x", {count, n})),
        inverse(p.temp<T>("inverse", {n})),
        kind(variant.preconditioner) {
    if (!a->has_rows()) throw UsageError("many right-hand sides need a matrix with rows");
    a->prepare();
  }

  void build() {
    begin();
    start_from_true_residual();
    p.while_(any(0, count, [&](const Index& s) { return is_going(reason[s]); }), [&] {
      p.while_(any(0, count, [&](const Index& s) { return active[s] != 0; }), [&] { trip(); });
      start_from_true_residual();
    });
  }

 private:
  std::unique_ptr<Operator<T>> declare(const Matrix& matrix) {
    if constexpr (std::same_as<T, double>) {
      return matrix.declare_f64(p);
    } else {
      return matrix.declare_f32(p);
    }
  }

  template <class V>
  builder::Buffer<V> temp(const char* name) const {
    return p.temp<V>(name, {count});
  }
  template <class V>
  builder::Buffer<V> out(const char* name) const {
    return p.out<V>(name, {count});
  }
  builder::Buffer<T> vectors(const char* name) const {
    return p.temp<T>(name, {count, parts, piece});
  }
  Numbers sums(const char* name) const { return p.temp<double>(name, {count, parts}); }

  // Runs `body` for each piece of the right-hand sides that `takes_part` holds for, by a block.
  using OfPiece = std::function<void(const Index& s, const Index& part, const Index& rows)>;
  void for_each_piece(const std::function<builder::Value<bool>(const Index&)>& takes_part,
                      const OfPiece& body) const {
    p.foreach(builder::range("s", 0, count) * builder::range("part", 0, parts),
              builder::Team::Block, [&](const Index& s, const Index& part) {
                p.if_(takes_part(s), [&] {
                  const Index rows = min(builder::constant<std::int64_t>(piece), n - part * piece);
                  body(s, part, p.let("rows", rows));
                });
              });
  }
  void for_each_rhs(const std::function<builder::Value<bool>(const Index&)>& takes_part,
                    const std::function<void(const Index& s)>& body) const {
    p.foreach(builder::range("s", 0, count), builder::Team::Block,
              [&](const Index& s) { p.if_(takes_part(s), [&] { body(s); }); });
  }
  auto going() const {
    return [this](const Index& s) { return is_going(reason[s]); };
  }
  auto making_trips() const {
    return [this](const Index& s) { return active[s] != 0; };
  }

  // Σ f over the rows of a piece, and the sum of all pieces.
  template <class F>
  Real sum_piece(const Index& rows, F f) const {
    return sum(0, rows, [&](const Index& local) { return f(local); });
  }
  Real total(const Numbers& of, const Index& s) const {
    return sum(0, parts, [&](const Index& part) { return of(s, part); });
  }

  // M⁻¹ of a vector with elements `value`.
  Element<T> preconditioned(const Element<T>& value, const Index& i) const {
    if (kind == Preconditioner::None) return value;
    return Element<T>(inverse[i]) * value;
  }
  bool has_inverse() const { return kind != Preconditioner::None; }

  Element<T> diagonal(const Index& i) const {
    return a->sum_row(i, [&](const Index& j, const Element<T>& entry) {
      return select(j == i, entry, builder::constant<T>(0));
    });
  }

  Element<T> inverse_of(const Index& i) const {
    if (kind == Preconditioner::Jacobi) return 1.0 / diagonal(i);
    // As SPAI-0 has it (spai_inverse.cpp).
    const auto a_ii = p.let("a_ii", diagonal(i));
    const auto squares = a->sum_row(
        i, [&](const Index&, const Element<T>& entry) { return (entry / a_ii) * (entry / a_ii); });
    return 1.0 / (a_ii * squares);
  }

  // The scale and the norm of each b; what has no b has no x.
  void begin() {
    const auto none = std::numeric_limits<std::int64_t>::max();
    unusable = none;
    if (has_inverse()) {
      p.foreach(0, n, [&](const Index& i) { inverse[i] = inverse_of(i); });
      unusable = min(0, n, [&](const Index& i) {
        return select(is_finite(inverse[i]), builder::constant<std::int64_t>(none), i);
      });
    }
    const auto all = [](const Index&) { return builder::constant<bool>(true); };
    for_each_piece(all, [&](const Index& s, const Index& part, const Index& rows) {
      first_sums(s, part) = as<double>(max(0, rows, [&](const Index& local) {
        return abs(Element<T>(b(s, part * piece + local)));
      }));
    });
    for_each_rhs(all, [&](const Index& s) {
      const auto largest = p.let(
          "largest", max(0, parts, [&](const Index& part) { return Real(first_sums(s, part)); }));
      scale[s] = scale_for<T>(largest);
      is_zero[s] = select(largest == 0.0, builder::constant<std::int32_t>(1), 0);
      last_norm[s] = std::numeric_limits<double>::max();
      unusable_row[s] = unusable;
    });
    for_each_piece(all, [&](const Index& s, const Index& part, const Index& rows) {
      const auto scaled = [&](const Index& local) {
        return as<double>(Element<T>(b(s, part * piece + local))) / scale[s];
      };
      second_sums(s, part) =
          sum_piece(rows, [&](const Index& local) { return scaled(local) * scaled(local); });
    });
    p.foreach(builder::range(0, count) * builder::range(0, n), [&](const Index& s, const Index& i) {
      p.if_(is_zero[s] != 0, [&] { x(s, i) = 0.0; });
    });
    for_each_rhs(all, [&](const Index& s) { norm_b[s] = sqrt(total(second_sums, s)); });
  }

  // x += scale y,  y = 0,  r = b − A x,  p = M⁻¹ r
  void start_from_true_residual() {
    p.foreach(builder::range(0, count) * builder::range(0, n), [&](const Index& s, const Index& i) {
      p.if_(is_going(reason[s]),
            [&] { x(s, i) += as<T>(scale[s] * as<double>(Element<T>(y.at(s, i)))); });
    });
    for_each_piece(going(), [&](const Index& s, const Index& part, const Index& rows) {
      p.foreach(0, rows, [&](const Index& local) {
        const Index i = part * piece + local;
        const auto product = a->sum_row_wide(i, [&](const Index& j, const Real& entry) {
          return entry * as<double>(Element<T>(x(s, j)));
        });
        r.at(s, part, local) = as<T>((as<double>(Element<T>(b(s, i))) - product) / scale[s]);
        y.at(s, part, local) = 0.0;
        d.at(s, part, local) = preconditioned(r.at(s, part, local), i);
      });
      store_sums_of_r(s, part, rows);
    });
    for_each_rhs(going(), [&](const Index& s) { judge(s); });
  }

  // rᵀr and rᵀM⁻¹r of a piece.
  void store_sums_of_r(const Index& s, const Index& part, const Index& rows) {
    const auto element = [&](const Index& local) {
      return as<double>(Element<T>(r.at(s, part, local)));
    };
    first_sums(s, part) =
        sum_piece(rows, [&](const Index& local) { return element(local) * element(local); });
    if (!has_inverse()) return;
    second_sums(s, part) = sum_piece(rows, [&](const Index& local) {
      return element(local) *
             as<double>(preconditioned(r.at(s, part, local), part * piece + local));
    });
  }

  // As the loop around every method does it (true_residual_loop.cpp); the first that holds is the
  // reason.
  void judge(const Index& s) {
    const auto before = p.let("before", Real(rr[s]));
    const auto is_first = p.let("is_first", last_norm[s] == std::numeric_limits<double>::max());
    const auto near = p.let("near", max(Real(target[s]), claimed_gain * last_norm[s]));
    const auto claimed = p.let("claimed", before <= near * near);
    const auto relative_to_b = [&](const Real& norm) {
      return select(norm_b[s] > 0.0, norm / norm_b[s], norm);
    };
    const auto recurred = p.let("recurred", select(is_first, 0.0, relative_to_b(sqrt(before))));
    const auto now = p.let("now", total(first_sums, s));
    const auto norm = p.let("norm", sqrt(now));
    const auto start = p.let("start", select(is_first, norm, start_norm[s]));
    const auto rtol_norm = p.let("rtol_norm", select(told_.rtol_of_start, start, norm_b[s]));
    const auto farthest_up = p.let("farthest_up", told_.dtol * max(Real(norm_b[s]), start));
    const auto why = p.var<std::int32_t>("why", going_code);
    const auto end_if = [&](const builder::Value<bool>& holds, const Code& told) {
      why = select(is_going(why) && holds, told, why);
    };
    end_if(!is_finite(norm) || !is_finite(recurred), code(Reason::NanOrInf));
    end_if(norm <= told_.rtol * rtol_norm, code(Reason::ConvergedRtol));
    end_if(scale[s] * norm <= told_.atol, code(Reason::ConvergedAtol));
    end_if(unusable < n, code(Reason::NoDiagonal));
    end_if(!is_going(breakdown[s]), breakdown[s]);
    end_if(norm > farthest_up, code(Reason::Dtol));
    end_if(trips[s] >= told_.max_trips, code(Reason::MaxTrips));
    end_if(norm >= select(claimed, least_gain * last_norm[s], last_norm[s]),
           code(Reason::Stagnated));

    const auto bound = p.let("bound", max(farthest<T> * norm, least_norm<T>));
    const auto wanted =
        p.let("wanted", max(max(told_.rtol * rtol_norm, told_.atol / scale[s]), bound));
    start_norm[s] = start;
    start_residual[s] = scale[s] * start;
    residual[s] = scale[s] * norm;
    relative[s] = relative_to_b(norm);
    recurrence[s] = recurred;
    last_norm[s] = norm;
    rr[s] = now;
    rz[s] = has_inverse() ? total(second_sums, s) : now;
    floor[s] = bound;
    target[s] = wanted;
    up[s] = farthest_up;
    restarts[s] =
        restarts[s] + select(is_going(why) && trips[s] > 0, builder::constant<std::int64_t>(1), 0);
    active[s] =
        select(is_going(why) && may_go_on(s, now, trips[s]), builder::constant<std::int32_t>(1), 0);
    reason[s] = why;
  }

  // Whether another trip is made before b − A x is computed.
  builder::Value<bool> may_go_on(const Index& s, const Real& square, const Index& made) const {
    const auto is_inside = square > target[s] * target[s] && square <= up[s] * up[s];
    const auto is_unchecked = made % told_.check_every != 0 && square > floor[s] * floor[s];
    return is_going(breakdown[s]) && made < told_.max_trips && (is_inside || is_unchecked);
  }

  // What the curvature pᵀA p makes of a trip.
  Code breakdown_of(const Index& s, const Real& curvature) const {
    return select(
        !is_finite(curvature) || !is_finite(rz[s]), code(Reason::NanOrInf),
        select(curvature > 0.0 && rz[s] > 0.0, code_of_going(), code(Reason::Indefinite)));
  }
  static Code code_of_going() { return builder::constant<std::int32_t>(going_code); }

  void trip() {
    // q = A p
    for_each_piece(making_trips(), [&](const Index& s, const Index& part, const Index& rows) {
      p.foreach(0, rows, [&](const Index& local) {
        q.at(s, part, local) =
            a->sum_row(part * piece + local, [&](const Index& j, const Element<T>& entry) {
              return entry * Element<T>(d.at(s, j));
            });
      });
      curvatures(s, part) = sum_piece(rows, [&](const Index& local) {
        return as<double>(Element<T>(d.at(s, part, local))) *
               as<double>(Element<T>(q.at(s, part, local)));
      });
    });

    // α = rᵀz / pᵀA p,  y += α p,  r −= α q
    for_each_piece(making_trips(), [&](const Index& s, const Index& part, const Index& rows) {
      const auto curvature = p.let("curvature", total(curvatures, s));
      const auto is_trip = is_going(breakdown_of(s, curvature));
      const auto alpha = p.let("alpha", select(is_trip, rz[s] / curvature, 0.0));
      p.foreach(0, rows, [&](const Index& local) {
        y.at(s, part, local) += as<T>(alpha) * d.at(s, part, local);
        r.at(s, part, local) -= as<T>(alpha) * q.at(s, part, local);
      });
      store_sums_of_r(s, part, rows);
    });

    // β = new rᵀz / old rᵀz
    for_each_rhs(making_trips(), [&](const Index& s) {
      const auto told = p.let("told", breakdown_of(s, p.let("curvature", total(curvatures, s))));
      const auto is_trip = p.let("is_trip", is_going(told));
      const auto square = p.let("square", total(first_sums, s));
      const auto next = p.let("next", has_inverse() ? total(second_sums, s) : square);
      const auto made =
          p.let("made", trips[s] + select(is_trip, builder::constant<std::int64_t>(1), 0));
      beta[s] = next / rz[s];
      rz[s] = select(is_trip, next, rz[s]);
      rr[s] = square;
      breakdown[s] = told;
      trips[s] = made;
      active[s] = select(may_go_on(s, square, made), builder::constant<std::int32_t>(1), 0);
    });

    // p = z + β p
    p.foreach(builder::range(0, count) * builder::range(0, parts) * builder::range(0, piece),
              [&](const Index& s, const Index& part, const Index& local) {
                const Index i = part * piece + local;
                p.if_(active[s] != 0 && i < n, [&] {
                  d.at(s, part, local) = preconditioned(r.at(s, part, local), i) +
                                         as<T>(beta[s]) * d.at(s, part, local);
                });
              });
  }

  static constexpr std::int32_t going_code = solvers::going;

  builder::Program& p;
  builder::Size count;
  std::unique_ptr<Operator<T>> a;
  Index n;
  Index parts;
  ToldOptions told_;
  builder::Buffer<T> b;
  builder::Buffer<T> x;
  builder::Buffer<T> inverse;
  Preconditioner kind;
  builder::Scalar<std::int64_t> unusable = p.template var<std::int64_t>("unusable");
  Flags reason = out<std::int32_t>("reason_of");
  Numbers residual = out<double>("residual_of");
  Numbers relative = out<double>("relative_of");
  Numbers start_residual = out<double>("start_residual_of");
  Numbers recurrence = out<double>("recurrence_of");
  Counts trips = out<std::int64_t>("trips_of");
  Counts restarts = out<std::int64_t>("restarts_of");
  Counts unusable_row = out<std::int64_t>("unusable_row_of");
  Flags active = temp<std::int32_t>("active");
  Flags is_zero = temp<std::int32_t>("is_zero");
  Flags breakdown = temp<std::int32_t>("breakdown");
  Numbers scale = temp<double>("scale");
  Numbers norm_b = temp<double>("norm_b");
  Numbers last_norm = temp<double>("last_norm");
  Numbers start_norm = temp<double>("start_norm");
  Numbers rr = temp<double>("rr");
  Numbers rz = temp<double>("rz");
  Numbers beta = temp<double>("beta");
  Numbers floor = temp<double>("floor");
  Numbers target = temp<double>("target");
  Numbers up = temp<double>("up");
  Numbers curvatures = sums("curvatures");
  Numbers first_sums = sums("first_sums");
  Numbers second_sums = sums("second_sums");
  Pieces<T> r = vectors("r");
  Pieces<T> y = vectors("y");
  Pieces<T> d = vectors("p");
  Pieces<T> q = vectors("q");
};

}  // namespace

ir::Program make_many_cg(const Variant& variant) {
  builder::Program p("many_cg");
  if (works_in_f32(variant)) {
    ManyCg<float>(p, variant).build();
  } else {
    ManyCg<double>(p, variant).build();
  }
  return p.finish();
}

}  // namespace gyre::solvers
