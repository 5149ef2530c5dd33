#include "gyre/solvers/advice.hpp"

#include "systems.hpp"

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

Advice advise_on(const io::CsrMatrix& matrix, bool is_symmetric) {
  return advise(facts_of(view(matrix), is_symmetric));
}

TEST(Advice, TakesWhatTheMatrixShows) {
  EXPECT_EQ(advise_on(laplacian(4), true).method, "cg");
  EXPECT_EQ(advise_on(laplacian(4), true).preconditioner, Preconditioner::None);
  EXPECT_EQ(advise_on(laplacian(4, 3.0), true).preconditioner, Preconditioner::Jacobi);
  EXPECT_EQ(advise_on(diagonal({1, -1}), true).method, "minres");
  EXPECT_EQ(advise_on(dense({{0, 1}, {1, 0}}), true).method, "minres");
  EXPECT_EQ(advise_on(laplacian(4, 3.0), false).method, "bicgstab");
  EXPECT_EQ(advise_on(dense({{0, 1}, {2, 0}}), false).method, "gmres");
}

TEST(Advice, GoesOnWhereAnotherMethodHelps) {
  const Advice cg = advise_on(laplacian(4), true);
  const Advice bicgstab = advise_on(laplacian(4, 3.0), false);

  EXPECT_EQ(advise_after(cg, Reason::Indefinite)->method, "minres");
  EXPECT_FALSE(advise_after(cg, Reason::MaxTrips));
  EXPECT_EQ(advise_after(bicgstab, Reason::Breakdown)->method, "gmres");
  EXPECT_EQ(advise_after(bicgstab, Reason::Breakdown)->preconditioner, Preconditioner::Jacobi);
  EXPECT_FALSE(advise_after(bicgstab, Reason::ConvergedRtol));
}

}  // namespace
}  // namespace gyre::solvers
