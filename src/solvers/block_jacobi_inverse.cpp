#include "approximate_inverse.hpp"

namespace gyre::solvers {
namespace {

// M is A within blocks of k rows that follow each other, and 0 outside. Each block is inverted when
// a solve begins, by Gauss and Jordan without pivoting: a pivot of 0 is a row without a diagonal.
template <class T>
class BlockJacobiInverse final : public StoredInverse<T> {
 public:
  BlockJacobiInverse(const LinearSystem<T>& system, std::int64_t k)
      : StoredInverse<T>(system),
        k_(k),
        blocks_((system.n + (k - 1)) / k),
        inverse_(system.program.template temp<T>("blocks", {blocks_, k, k})),
        is_bad_(system.program.template temp<std::int32_t>("bad_pivots", {blocks_, k})) {
    copy_blocks();
    invert();
    system.find_unusable_row(Reason::NoDiagonal,
                             [&](const Index& i) { return is_bad_(i / k_, i % k_) == 0; });
  }

 private:
  using StoredInverse<T>::s;

  // What lies beyond the last row is the identity.
  void copy_blocks() {
    s().program.foreach(builder::range("block", 0, blocks_) * in_block("row") * in_block("column"),
                        [&](const Index& block, const Index& row, const Index& column) {
                          const auto i = block * k_ + row;
                          const auto j = block * k_ + column;
                          const auto identity =
                              select(row == column, builder::constant<T>(1.0), 0.0);
                          inverse_(block, row, column) =
                              select(i < s().n && j < s().n, entry(min(i, s().n - 1), j), identity);
                        });
  }

  Element<T> entry(const Index& i, const Index& j) const {
    return s().a->sum_row(
        i, [&](const Index& column, const Element<T>& a) { return select(column == j, a, 0.0); });
  }

  void invert() {
    auto& p = s().program;
    p.foreach(builder::range("block", 0, blocks_), builder::independent, [&](const Index& block) {
      p.for_(in_block("pivot"), [&](const Index& pivot) {
        const auto by = p.let("by", 1.0 / inverse_(block, pivot, pivot));
        is_bad_(block, pivot) = select(is_finite(by), 0, builder::constant<std::int32_t>(1));
        inverse_(block, pivot, pivot) = 1.0;
        p.for_(in_block("column"), [&](const Index& column) {
          inverse_(block, pivot, column) = inverse_(block, pivot, column) * by;
        });
        p.for_(in_block("row"), [&](const Index& row) {
          p.if_(row != pivot, [&] {
            const auto factor = p.let("factor", inverse_(block, row, pivot));
            inverse_(block, row, pivot) = 0.0;
            p.for_(in_block("column"), [&](const Index& column) {
              inverse_(block, row, column) -= factor * inverse_(block, pivot, column);
            });
          });
        });
      });
    });
  }

  void compute(const Vector<T>& r, const Vector<T>& z) const override {
    s().program.foreach(0, s().n, [&](const Index& i) {
      const auto block = i / k_;
      const auto count = min(builder::constant<std::int64_t>(k_), s().n - block * k_);
      z[i] = sum(builder::range("column", 0, count), [&](const Index& column) {
        return inverse_(block, i % k_, column) * r[block * k_ + column];
      });
    });
  }

  auto in_block(const char* name) const {
    return builder::range(name, builder::constant<std::int64_t>(0),
                          s().program.constant(k_) * builder::constant<std::int64_t>(1));
  }

  std::int64_t k_;
  Index blocks_;
  Vector<T> inverse_;
  builder::Buffer<std::int32_t> is_bad_;
};

}  // namespace

template <class T>
MadeInverse<T> make_block_jacobi_inverse(const LinearSystem<T>& s, const Variant& variant) {
  return std::make_unique<BlockJacobiInverse<T>>(s, variant.block_size);
}

template MadeInverse<float> make_block_jacobi_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_block_jacobi_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
