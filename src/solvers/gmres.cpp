#include "gyre/solvers/gmres.hpp"

#include "true_residual_loop.hpp"

namespace gyre::solvers {
namespace {

// A dot product with a vector of the basis is made in pieces of so many terms, one for each block:
// all of them together fill a GPU, which a product by itself would not.
constexpr std::int64_t piece = 4096;

template <class T>
class Gmres final : public Method<T> {
 public:
  Gmres(Workspace<T>& workspace, const Variant& variant)
      : Method<T>(workspace),
        p(workspace.p),
        m(variant.restart),
        pieces((workspace.s.n + (piece - 1)) / piece),
        basis(p.temp<T>("basis", {m + 1, workspace.s.n})),
        v(workspace.s.vector("v")),
        z(workspace.m->is_identity() ? v : workspace.s.vector("z")),
        q(workspace.s.vector("w")),
        parts(p.temp<double>("parts", {pieces, m + 1})),
        h(p.temp<double>("h", {m + 1})),
        again(p.temp<double>("again", {m + 1})),
        triangle(p.temp<double>("triangle", {1, m, m})),
        cosine(p.temp<double>("cosine", {1, m})),
        sine(p.temp<double>("sine", {1, m})),
        g(p.temp<double>("g", {1, m + 1})),
        u(p.temp<double>("u", {1, m})),
        j(p.var<std::int64_t>("j", 0)) {}

  void start() override {
    // v_0 = r / ‖r‖,  g = ‖r‖ e_0
    const auto norm = p.let("norm_r", sqrt(w().rr));
    append(builder::constant<std::int64_t>(0), w().r, norm);
    p.foreach(0, 1, [&](const auto& one) { g(one, 0) = norm; });
    j = 0;
  }

  builder::Value<bool> has_trip() const override { return Method<T>::has_trip() && j < m; }

  void trip() override {
    w().s.a->multiply(z, q);
    orthogonalise(h);
    orthogonalise(again);
    const auto norm = p.let("norm_w", sqrt(dot(n(), elements_of(q), elements_of(q))));
    append(j + 1, q, norm);
    rotate(norm);
    j += 1;
    w().s.count_trip(builder::constant<bool>(true), sqrt(w().rr));
  }

  void finish() override {
    // R u = g, from the last row up.
    p.foreach(builder::range(0, 1), builder::independent, [&](const auto& one) {
      p.for_(builder::range("k", j - 1, -1).step(-1), [&](const auto& k) {
        const auto rest = g(one, k) - sum(builder::range("l", k + 1, j), [&](const auto& l) {
                            return triangle(one, k, l) * u(one, l);
                          });
        const auto pivot = triangle(one, k, k);
        u(one, k) = select(pivot == 0.0, 0.0, rest / pivot);
      });
    });

    // y = M⁻¹V u
    p.foreach(0, n(), [&](const Index& i) { q[i] = as<T>(combination(i, u)); });
    w().m->apply(q);
    p.foreach(0, n(), [&](const Index& i) { w().y[i] = w().m->element(q, i); });
  }

 private:
  using Method<T>::w;
  const Index& n() const { return w().s.n; }

  // v_k = from / norm, and what the next product takes of it; 0 where the Krylov space ends.
  void append(const Index& k, const Vector<T>& from, const Real& norm) {
    const auto by_norm = p.let("by_norm", select(norm == 0.0, 0.0, 1.0 / norm));
    p.foreach(0, n(), [&](const Index& i) {
      const auto next = p.let("next", from[i] * as<T>(by_norm));
      v[i] = next;
      basis(k, i) = next;
    });
    w().m->stored(p, n(), v, z);
  }

  // c = Vᵀw,  w −= V c
  void orthogonalise(const Vector<double>& c) {
    p.foreach(builder::range("part", 0, pieces) * builder::range("k", 0, j + 1),
              builder::Team::Block, [&](const auto& part, const auto& k) {
                const auto end = min((part + 1) * piece, n());
                parts(part, k) = sum(builder::range("i", part * piece, end), [&](const auto& i) {
                  return as<double>(basis(k, i)) * as<double>(q[i]);
                });
              });
    p.foreach(0, j + 1, [&](const auto& k) {
      c[k] = sum(0, pieces, [&](const auto& part) { return parts(part, k); });
    });
    p.foreach(0, n(), [&](const Index& i) {
      // One after the other, and no fold: so few terms are not worth its strands.
      const auto rest = p.var("rest", as<double>(q[i]));
      p.for_(builder::range("k", 0, j + 1),
             [&](const Index& k) { rest -= c[k] * as<double>(basis(k, i)); });
      q[i] = as<T>(rest);
    });
  }

  // Applies the rotations so far to the new column, and one more that makes its last entry 0.
  void rotate(const Real& norm) {
    w().rr = 0.0;
    p.foreach(builder::range(0, 1), builder::independent, [&](const auto& one) {
      const auto entry = [&](const auto& k) { return h[k] + again[k]; };
      const auto above = p.var("above", entry(builder::constant<std::int64_t>(0)));
      p.for_(builder::range("k", 0, j), [&](const auto& k) {
        const auto below = p.let("below", entry(k + 1));
        triangle(one, k, j) = cosine(one, k) * above + sine(one, k) * below;
        above = cosine(one, k) * below - sine(one, k) * above;
      });
      // A NaN goes on into rr, which ends the trips.
      const auto length = p.let("length", sqrt(above * above + norm * norm));
      const auto c = p.let("c", select(length == 0.0, 0.0, above / length));
      const auto s = p.let("s", select(length == 0.0, 1.0, norm / length));
      triangle(one, j, j) = length;
      cosine(one, j) = c;
      sine(one, j) = s;
      const auto last = p.let("last", g(one, j));
      g(one, j) = c * last;
      g(one, j + 1) = -s * last;
      w().rr += (s * last) * (s * last);
    });
  }

  // (V c)_i of the j vectors so far.
  Real combination(const Index& i, const Vector<double>& c) const {
    return sum(0, j, [&](const auto& k) { return c(0, k) * as<double>(basis(k, i)); });
  }

  builder::Program& p;
  std::int64_t m;
  Index pieces;
  Vector<T> basis;
  Vector<T> v;
  Vector<T> z;
  Vector<T> q;
  Vector<double> parts;
  Vector<double> h;
  Vector<double> again;
  Vector<double> triangle;
  Vector<double> cosine;
  Vector<double> sine;
  Vector<double> g;
  Vector<double> u;
  builder::Scalar<std::int64_t> j;
};

}  // namespace

ir::Program make_gmres(const Variant& variant) {
  return make_method_program<Gmres>("gmres", variant);
}

}  // namespace gyre::solvers
