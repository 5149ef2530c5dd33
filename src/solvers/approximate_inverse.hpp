/// A preconditioner within a program, as methods see it: M⁻¹ r element by element.
#pragma once

#include "gyre/solvers/numbers.hpp"
#include "linear_system.hpp"

#include <memory>

namespace gyre::solvers {

/// M⁻¹ of M⁻¹A x = M⁻¹b. One file a preconditioner; making one records what each solve begins with.
template <class T>
class ApproximateInverse {
 public:
  ApproximateInverse() = default;
  virtual ~ApproximateInverse() = default;
  ApproximateInverse(const ApproximateInverse&) = delete;
  ApproximateInverse& operator=(const ApproximateInverse&) = delete;

  virtual bool is_identity() const { return false; }
  /// Whether element i depends on element i of r alone, as a multiple of it.
  virtual bool is_diagonal() const { return false; }
  /// What must be done before elements of M⁻¹ r are asked for, until r changes.
  virtual void apply(const Vector<T>&) const {}
  /// (M⁻¹ r)_i.
  virtual Element<T> element(const Vector<T>& r, const Index& i) const = 0;

  /// M⁻¹ r as a vector that others can be multiplied with: in z, or r itself where M = I.
  virtual Vector<T> stored(builder::Program& p, const Index& n, const Vector<T>& r,
                           const Vector<T>& z) const {
    if (is_identity()) return r;
    apply(r);
    p.foreach(0, n, [&](const Index& i) { z[i] = element(r, i); });
    return z;
  }
};

/// One whose M⁻¹ r takes statements, and is stored.
template <class T>
class StoredInverse : public ApproximateInverse<T> {
 public:
  explicit StoredInverse(const LinearSystem<T>& system)
      : system_(system), z_(system.vector("inverse_r")) {}

  void apply(const Vector<T>& r) const final { compute(r, z_); }
  Element<T> element(const Vector<T>&, const Index& i) const final { return z_[i]; }
  Vector<T> stored(builder::Program&, const Index&, const Vector<T>& r,
                   const Vector<T>& z) const final {
    compute(r, z);
    return z;
  }

 protected:
  /// z = M⁻¹ r.
  virtual void compute(const Vector<T>& r, const Vector<T>& z) const = 0;
  const LinearSystem<T>& s() const { return system_; }

 private:
  const LinearSystem<T>& system_;
  Vector<T> z_;
};

template <class T>
using MadeInverse = std::unique_ptr<const ApproximateInverse<T>>;

/// M⁻¹ of that kind for the system's matrix.
template <class T>
MadeInverse<T> make_inverse(const LinearSystem<T>& system, const Variant& variant);

// What the table of preconditioners makes.
template <class T>
MadeInverse<T> make_identity(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_jacobi_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_block_jacobi_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_spai_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_multigrid_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_chebyshev_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_ilu_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_cholesky_inverse(const LinearSystem<T>& system, const Variant& variant);
template <class T>
MadeInverse<T> make_ssor_inverse(const LinearSystem<T>& system, const Variant& variant);

}  // namespace gyre::solvers
