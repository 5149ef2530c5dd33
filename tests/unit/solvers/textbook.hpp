/// The methods as every textbook has them: plain loops with plain sums, to compare histories with.
///
/// Each gives ‖r‖ at the start and after each of `trips` trips. `inverse` is the diagonal of M⁻¹.
#pragma once

#include "gyre/io/csr_matrix.hpp"
#include "systems.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gyre::solvers::textbook {

inline double dot(const Values& u, const Values& v) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
  return sum;
}

inline Values times(const Values& u, const Values& v) {
  Values product(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) product[i] = u[i] * v[i];
  return product;
}

/// y += a x
inline void add(Values& y, double a, const Values& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

inline Values scaled(double a, const Values& x) {
  Values product(x.size(), 0.0);
  add(product, a, x);
  return product;
}

/// 1 / a_ii for `jacobi`, else 1.
inline Values inverse_diagonal(const io::CsrMatrix& matrix, bool jacobi) {
  Values inverse(static_cast<std::size_t>(matrix.rows), 1.0);
  for (std::size_t i = 0; jacobi && i < inverse.size(); ++i) {
    for (auto k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (matrix.col[at] == static_cast<std::int32_t>(i)) inverse[i] = 1.0 / matrix.val[at];
    }
  }
  return inverse;
}

inline Values random_values(std::size_t n) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Values values(n);
  for (double& one : values) one = number(random);
  return values;
}

inline Values cg(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  Values r = b;
  Values z = times(inverse, r);
  Values p = z;
  double rz = dot(r, z);
  Values history = {norm(r)};
  for (int trip = 0; trip < trips; ++trip) {
    const Values q = io::multiply(a, p);
    const double alpha = rz / dot(p, q);
    add(r, -alpha, q);
    z = times(inverse, r);
    const double next = dot(r, z);
    p = scaled(next / rz, p);
    add(p, 1, z);
    rz = next;
    history.push_back(norm(r));
  }
  return history;
}

inline Values bicgstab(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  Values r = b;
  const Values shadow = r;
  Values p = r;
  double rho = dot(shadow, r);
  Values history = {norm(r)};
  for (int trip = 0; trip < trips; ++trip) {
    const Values v = io::multiply(a, times(inverse, p));
    const double alpha = rho / dot(shadow, v);
    add(r, -alpha, v);
    const Values t = io::multiply(a, times(inverse, r));
    const double omega = dot(t, r) / dot(t, t);
    add(r, -omega, t);
    const double next = dot(shadow, r);
    add(p, -omega, v);
    p = scaled(next / rho * alpha / omega, p);
    add(p, 1, r);
    rho = next;
    history.push_back(norm(r));
  }
  return history;
}

/// By Arnoldi with modified Gram and Schmidt; |g| at the end of each trip.
inline Values gmres(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips,
                    int restart) {
  Values x(b.size(), 0.0);
  Values history = {norm(b)};
  int trip = 0;
  while (trip < trips) {
    Values r = b;
    add(r, -1, io::multiply(a, x));
    std::vector<Values> basis = {scaled(1 / norm(r), r)};
    std::vector<Values> columns;
    Values g = {norm(r)};
    Values cosine;
    Values sine;
    for (int j = 0; j < restart && trip < trips; ++j, ++trip) {
      Values w = io::multiply(a, times(inverse, basis.back()));
      Values h;
      for (const Values& v : basis) {
        h.push_back(dot(v, w));
        add(w, -h.back(), v);
      }
      h.push_back(norm(w));
      basis.push_back(scaled(1 / h.back(), w));
      for (std::size_t k = 0; k + 2 < h.size(); ++k) {
        const double above = h[k];
        h[k] = cosine[k] * above + sine[k] * h[k + 1];
        h[k + 1] = cosine[k] * h[k + 1] - sine[k] * above;
      }
      const std::size_t k = h.size() - 2;
      const double length = std::hypot(h[k], h[k + 1]);
      cosine.push_back(h[k] / length);
      sine.push_back(h[k + 1] / length);
      h[k] = length;
      columns.push_back(h);
      g.push_back(-sine[k] * g[k]);
      g[k] *= cosine[k];
      history.push_back(std::abs(g[k + 1]));
    }
    Values u(columns.size());
    for (std::size_t k = u.size(); k-- > 0;) {
      u[k] = g[k];
      for (std::size_t l = k + 1; l < u.size(); ++l) u[k] -= columns[l][k] * u[l];
      u[k] /= columns[k][k];
    }
    for (std::size_t k = 0; k < u.size(); ++k) add(x, u[k], times(inverse, basis[k]));
  }
  return history;
}

/// With x and b − A x in every trip, so that no recurrence of the residual is taken on trust.
inline Values minres(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  Values x(b.size(), 0.0);
  Values v_old(b.size(), 0.0);
  Values v = b;
  Values w_old = v_old;
  Values w = v_old;
  Values z = times(inverse, v);
  double gamma_old = 1;
  double gamma = std::sqrt(dot(z, v));
  double eta = gamma;
  double c = 1, c_old = 1, s = 0, s_old = 0;
  Values history = {norm(b)};
  for (int trip = 0; trip < trips; ++trip) {
    z = scaled(1 / gamma, z);
    const Values q = io::multiply(a, z);
    const double delta = dot(q, z);
    Values v_next = q;
    add(v_next, -delta / gamma, v);
    add(v_next, -gamma / gamma_old, v_old);
    Values z_next = times(inverse, v_next);
    const double gamma_next = std::sqrt(dot(z_next, v_next));
    const double alpha0 = c * delta - c_old * s * gamma;
    const double alpha1 = std::hypot(alpha0, gamma_next);
    const double alpha2 = s * delta + c_old * c * gamma;
    const double alpha3 = s_old * gamma;
    c_old = c;
    s_old = s;
    c = alpha0 / alpha1;
    s = gamma_next / alpha1;
    Values w_next = z;
    add(w_next, -alpha3, w_old);
    add(w_next, -alpha2, w);
    w_next = scaled(1 / alpha1, w_next);
    add(x, c * eta, w_next);
    eta = -s * eta;
    v_old = v;
    v = v_next;
    w_old = w;
    w = w_next;
    z = z_next;
    gamma_old = gamma;
    gamma = gamma_next;
    Values r = b;
    add(r, -1, io::multiply(a, x));
    history.push_back(norm(r));
  }
  return history;
}

/// x += ω M⁻¹(b − A x).
inline Values richardson(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips,
                         double relaxation) {
  Values x(b.size(), 0.0);
  Values history;
  for (int trip = 0; trip <= trips; ++trip) {
    Values r = b;
    add(r, -1, io::multiply(a, x));
    history.push_back(norm(r));
    add(x, relaxation, times(inverse, r));
  }
  return history;
}

/// x_i += ω (b − A x)_i / a_ii for the red points of a square grid of that side, then for the
/// black.
inline Values red_black(const io::CsrMatrix& a, const Values& b, int trips, double relaxation,
                        std::size_t side) {
  const Values inverse = inverse_diagonal(a, true);
  Values x(b.size(), 0.0);
  Values history;
  for (int trip = 0; trip <= trips; ++trip) {
    Values r = b;
    add(r, -1, io::multiply(a, x));
    history.push_back(norm(r));
    for (const std::size_t colour : {0U, 1U}) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        if ((i / side + i % side) % 2 != colour) continue;
        double rest = b[i];
        for (auto k = a.row[i]; k < a.row[i + 1]; ++k) {
          const auto at = static_cast<std::size_t>(k);
          rest -= a.val[at] * x[static_cast<std::size_t>(a.col[at])];
        }
        x[i] += relaxation * inverse[i] * rest;
      }
    }
  }
  return history;
}

/// With the bound by Gershgorin, and a thirtieth of it.
inline Values chebyshev(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double sum = 0;
    for (auto k = a.row[i]; k < a.row[i + 1]; ++k) {
      sum += std::abs(a.val[static_cast<std::size_t>(k)]);
    }
    largest = std::max(largest, sum * std::abs(inverse[i]));
  }
  const double smallest = largest / 30;
  const double theta = (largest + smallest) / 2;
  const double delta = (largest - smallest) / 2;
  const double sigma = theta / delta;
  double rho = 1 / sigma;
  Values r = b;
  Values d = scaled(1 / theta, times(inverse, r));
  Values history = {norm(r)};
  for (int trip = 0; trip < trips; ++trip) {
    add(r, -1, io::multiply(a, d));
    const double next = 1 / (2 * sigma - rho);
    d = scaled(next * rho, d);
    add(d, 2 * next / delta, times(inverse, r));
    rho = next;
    history.push_back(norm(r));
  }
  return history;
}

}  // namespace gyre::solvers::textbook
