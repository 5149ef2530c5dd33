#include "gyre/solvers/gmres.hpp"

#include "gmres_cycle.hpp"
#include "true_residual_loop.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

// A product with a vector of the basis is made in pieces of so many terms, by a block each: all of
// them together fill a GPU, and a piece of û and w is still near when the next vector needs it.
constexpr std::int64_t small_piece = 2048;
constexpr std::int64_t large_piece = 4096;
// From so many rows on, large pieces are enough of them.
constexpr std::int64_t some_rows = std::int64_t{1} << 15;
// From so many rows on, pieces alone fill a GPU, and a block takes all vectors of the basis.
constexpr std::int64_t many_rows = std::int64_t{1} << 18;

// The program while it is written down; gmres_cycle.hpp has the formulas of a trip.
template <class T>
class Gmres final : public Steps<T> {
 public:
  Gmres(Workspace<T>& workspace, const Variant& variant)
      : Steps<T>(workspace),
        p(workspace.p),
        m(variant.restart),
        piece(select(workspace.s.n >= some_rows, builder::constant<std::int64_t>(large_piece),
                     small_piece)),
        pieces((workspace.s.n + (piece - 1)) / piece),
        has_many_rows(p.let("has_many_rows", workspace.s.n >= many_rows)),
        basis(p.temp<T>("basis", {m, workspace.s.n})),
        u(workspace.s.vector("u")),
        z(workspace.m->is_identity() ? u : workspace.s.vector("z")),
        q(workspace.s.vector("w")),
        u_parts(p.temp<double>("u_parts", {m, pieces})),
        w_parts(p.temp<double>("w_parts", {m + 2, pieces})),
        cycle(p, m, 4 * double{std::numeric_limits<T>::epsilon()}),
        uu(p.var("uu", 0.0)) {}

  void start() override {
    // û = r / ‖r‖,  w = A M⁻¹û
    const auto norm = p.let("norm_r", sqrt(w().rr));
    const auto by_norm = p.let("by_norm", inverse(norm));
    p.foreach(0, n(), [&](const Index& i) { u[i] = w().r[i] * as<T>(by_norm); });
    uu = dot(n(), elements_of(u), elements_of(u));
    cycle.begin(norm);
    w().m->stored(p, n(), u, z);
    w().s.a->multiply(z, q);
  }

  builder::Value<bool> has_trip() const override { return Steps<T>::has_trip() && cycle.j < m; }

  // The product stands last: the scalar work of a trip hides behind it.
  void trip() override {
    make_parts();
    add_parts();
    extend();
    w().s.a->multiply(z, q);
    w().rr = cycle.advance(uu);
    w().s.count_trip(builder::constant<bool>(true), sqrt(w().rr));
  }

  void finish() override {
    cycle.solve();
    // y = M⁻¹Q weight
    p.foreach(0, n(), [&](const Index& i) {
      const auto total = p.var("total", 0.0);
      p.for_(builder::range("k", 0, cycle.j),
             [&](const Index& k) { total += cycle.weight(0, k) * as<double>(basis(k, i)); });
      q[i] = as<T>(total);
    });
    w().m->apply(q);
    p.foreach(0, n(), [&](const Index& i) { w().y[i] = w().m->element(q, i); });
  }

 private:
  using Steps<T>::w;
  const Index& n() const { return w().s.n; }
  // Where ûᵀw and wᵀw stand behind Qᵀw.
  std::int64_t uw() const { return m; }
  std::int64_t ww() const { return m + 1; }

  // The parts of Qᵀû, Qᵀw, ûᵀw and wᵀw. Groups that the basis is not long enough for have nothing
  // to do: so the device knows their number before the trips.
  void make_parts() {
    const auto one = builder::constant<std::int64_t>(1);
    const auto together = p.let("together", select(has_many_rows, m, one));
    const auto own_group =
        p.let("own_group", select(has_many_rows, builder::constant<std::int64_t>(0), m));
    p.foreach(
        builder::range("group", 0, m + 1) * builder::range("part", 0, pieces), builder::Team::Block,
        [&](const Index& group, const Index& part) {
          const auto sum_of = [&](const auto& term) {
            return sum(builder::range("i", part * piece, min((part + 1) * piece, n())), term);
          };
          const auto first = group * together;
          p.for_(builder::range("k", first, min(first + together, cycle.j)), [&](const Index& k) {
            builder::scatter(u_parts(k, part)) =
                sum_of([&](const Index& i) { return as<double>(basis(k, i)) * as<double>(u[i]); });
            builder::scatter(w_parts(k, part)) =
                sum_of([&](const Index& i) { return as<double>(basis(k, i)) * as<double>(q[i]); });
          });
          p.if_(group == own_group, [&] {
            builder::scatter(w_parts(uw(), part)) =
                sum_of([&](const Index& i) { return as<double>(u[i]) * as<double>(q[i]); });
            builder::scatter(w_parts(ww(), part)) =
                sum_of([&](const Index& i) { return as<double>(q[i]) * as<double>(q[i]); });
          });
        });
  }

  void add_parts() {
    const auto total = [&](const Vector<double>& parts, const Index& k) {
      return sum(0, pieces, [&](const Index& part) { return parts(k, part); });
    };
    p.foreach(builder::range("k", 0, m + 2), builder::Team::Block, [&](const Index& k) {
      p.if_(k < cycle.j, [&] {
        cycle.on_u(cycle.j, k) = total(u_parts, k);
        cycle.on_w(cycle.j, k) = total(w_parts, k);
      });
      p.if_(k >= m, [&] { cycle.on_w(cycle.j, k) = total(w_parts, k); });
      cycle.keep_last(k);
    });
  }

  // q_j and the next û. Every point adds up what s and z come to for itself: they are few, and at
  // hand. Row j of the basis is written while those before it are read.
  void extend() {
    const auto& j = cycle.j;
    const auto norm2_u = p.let("norm2_u", uu);
    uu = 0.0;
    const bool is_diagonal = w().m->is_diagonal() && !w().m->is_identity();
    p.foreach(builder::range(0, n()), builder::independent, [&](const Index& i) {
      const auto zero = builder::constant<double>(0);
      const auto rest_u = p.var("rest_u", as<double>(u[i]));
      const auto rest_w = p.var("rest_w", as<double>(q[i]));
      const auto ss = p.var("ss", zero);
      const auto sz = p.var("sz", zero);
      const auto null_s = p.var("null_s", zero);
      const auto null_z = p.var("null_z", zero);
      // Two loops: in one the loads of fewer trips would wait for memory together, for lack of
      // registers.
      p.for_(builder::range("k", 0, j), [&](const Index& k) {
        const auto v = p.let("v", as<double>(basis(k, i)));
        rest_u -= cycle.on_u(j, k) * v;
        rest_w -= cycle.on_w(j, k) * v;
      });
      p.for_(builder::range("k", 0, j), [&](const Index& k) {
        const auto s_k = p.let("s_k", cycle.on_u(j, k));
        const auto z_k = p.let("z_k", cycle.on_w(j, k));
        const auto null_k = p.let("null_k", cycle.null[k]);
        ss += s_k * s_k;
        sz += s_k * z_k;
        null_s += null_k * s_k;
        null_z += null_k * z_k;
      });
      const auto aa = p.let("aa", norm2_u - ss);
      const auto a = p.let("a", select(aa <= 0.0, 0.0, sqrt(aa)));
      const auto by_a = p.let("by_a", inverse(a));
      const auto t = p.let("t", (cycle.on_w(j, uw()) - sz) * by_a);
      const auto norm = p.let("norm", sqrt(cycle.on_w(j, ww())));
      const auto next_q = p.let("next_q", as<T>(rest_u * by_a));
      const auto next_u = p.let("next_u", as<T>((rest_w - t * as<double>(next_q)) * inverse(norm)));
      basis(j, i) = next_q;
      u[i] = next_u;
      if (is_diagonal) z[i] = w().m->element(u, i);
      uu += as<double>(next_u) * as<double>(next_u);
      p.if_(i == 0, [&] {
        builder::scatter(cycle.norm_u[j]) = a;
        builder::scatter(cycle.on_w(j, j)) = t;
        builder::scatter(cycle.norm_w[j]) = norm;
        builder::scatter(cycle.null_on_u[j]) = null_s;
        builder::scatter(cycle.null_on_w[j]) = null_z;
      });
    });
    if (!is_diagonal) w().m->stored(p, n(), u, z);
  }

  builder::Program& p;
  std::int64_t m;
  Index piece;
  Index pieces;
  builder::Value<bool> has_many_rows;
  /// Q, a vector a row.
  Vector<T> basis;
  /// û, M⁻¹û and w = A M⁻¹û.
  Vector<T> u;
  Vector<T> z;
  Vector<T> q;
  Vector<double> u_parts;
  Vector<double> w_parts;
  GmresCycle cycle;
  /// ûᵀû.
  builder::Scalar<double> uu;
};

}  // namespace

ir::Program make_gmres(const Variant& variant) {
  return make_method_program<Gmres>("gmres", variant);
}

}  // namespace gyre::solvers
