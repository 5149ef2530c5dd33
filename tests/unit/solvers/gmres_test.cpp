/// The basis of gmres, which its program keeps to itself: here it is handed out.
#include "gyre/solvers/gmres.hpp"

#include "gyre/io/matrix_market.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::dot;

double distance_from_orthonormal(const std::vector<Values>& basis) {
  double most = 0;
  for (std::size_t i = 0; i < basis.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      most = std::max(most, std::abs(dot(basis[i], basis[j]) - (i == j ? 1 : 0)));
    }
  }
  return most;
}

// After one cycle of so many trips.
std::vector<Values> basis_of_gmres(const io::CsrMatrix& matrix, const Values& b, int trips) {
  auto program = make_gmres({.restart = trips});
  for (ir::Symbol& symbol : program.symbols) {
    if (symbol.name == "basis") symbol.intent = ir::Intent::Out;
  }
  auto executable = compile(std::move(program), {.executor = "cpu"});
  const auto n = b.size();
  Values x(n);
  Values flat(n * static_cast<std::size_t>(trips));
  executable.bind("row", matrix.row);
  executable.bind("col", matrix.col);
  executable.bind("val", matrix.val);
  executable.bind("b", b);
  executable.bind("x", x);
  executable.bind("basis", flat.data(), {trips, static_cast<std::int64_t>(n)});
  executable.set("rtol", 0.0);
  executable.set("dtol", 1e300);
  executable.set("max_trips", std::int64_t{trips});
  executable.run();
  std::vector<Values> basis;
  for (auto at = flat.begin(); at != flat.end(); at += static_cast<std::ptrdiff_t>(n)) {
    basis.emplace_back(at, at + static_cast<std::ptrdiff_t>(n));
  }
  return basis;
}

// The textbook's.
std::vector<Values> basis_by_modified_gram_schmidt(const io::CsrMatrix& a, const Values& b,
                                                   int trips) {
  std::vector<Values> basis = {textbook::scaled(1 / norm(b), b)};
  while (static_cast<int>(basis.size()) < trips) {
    Values w = io::multiply(a, basis.back());
    for (const Values& v : basis) textbook::add(w, -dot(v, w), v);
    basis.push_back(textbook::scaled(1 / norm(w), w));
  }
  return basis;
}

TEST(GmresBasis, StaysOrthonormalWhereModifiedGramSchmidtLosesIt) {
  Values entries;
  for (int i = 0; i < 80; ++i) entries.push_back(std::pow(10.0, -0.15 * i));
  const auto matrix = diagonal(entries);
  const Values b(80, 1.0);
  constexpr int trips = 40;

  EXPECT_GT(distance_from_orthonormal(basis_by_modified_gram_schmidt(matrix, b, trips)), 1e-10);
  EXPECT_LT(distance_from_orthonormal(basis_of_gmres(matrix, b, trips)), 1e-13);
}

TEST(GmresBasis, IsNoLessOrthonormalThanByModifiedGramSchmidtOnRealMatrices) {
  const char* folder = std::getenv("GYRE_MATRICES");
  if (folder == nullptr) GTEST_SKIP() << "GYRE_MATRICES names no folder of matrices";
  for (const char* name : {"1138_bus", "494_bus", "nos6", "gr_30_30", "cryg2500", "mahindas"}) {
    const std::string path = std::string(folder) + "/" + name + ".mtx";
    if (!std::filesystem::exists(path)) continue;
    const auto matrix = io::read_matrix(path);
    const Values b = textbook::random_values(static_cast<std::size_t>(matrix.rows));
    constexpr int trips = 60;

    const double by_textbook =
        distance_from_orthonormal(basis_by_modified_gram_schmidt(matrix, b, trips));

    EXPECT_LT(distance_from_orthonormal(basis_of_gmres(matrix, b, trips)),
              std::max(by_textbook, 1e-13))
        << name;
  }
}

}  // namespace
}  // namespace gyre::solvers
