#include "gyre/solvers/solve_result.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

TEST(SolveResult, EveryReasonHasANameAndASentenceOfItsOwn) {
  std::set<std::string> names;
  std::set<std::string> sentences;

  for (const Reason reason : reasons()) {
    names.emplace(name_of(reason));
    sentences.insert(describe({.reason = reason}));
  }

  EXPECT_EQ(names.size(), reasons().size());
  EXPECT_EQ(sentences.size(), reasons().size());
  EXPECT_FALSE(sentences.contains(""));
}

TEST(SolveResult, ReasonsArePositiveWhereTheSolveHasConvergedAndNegativeElsewhere) {
  for (const Reason reason : reasons()) {
    const bool converged = name_of(reason).starts_with("converged");

    EXPECT_EQ(is_converged(reason), converged) << name_of(reason);
    EXPECT_EQ(static_cast<int>(reason) > 0, converged) << name_of(reason);
    EXPECT_NE(static_cast<int>(reason), 0) << name_of(reason);
  }
}

TEST(SolveResult, StagnationNamesBothResiduals) {
  const auto sentence = describe(
      {.reason = Reason::Stagnated, .relative_residual = 2.5e-9, .recurrence_residual = 9.0e-11});

  EXPECT_NE(sentence.find("9.00e-11"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("2.50e-09"), std::string::npos) << sentence;
}

TEST(SolveResult, RowsAndTripsAreCountedFromOneForPeople) {
  EXPECT_NE(describe({.reason = Reason::NoDiagonal, .row = 0}).find("row 1 "), std::string::npos);
  EXPECT_NE(describe({.reason = Reason::Indefinite, .iterations = 4}).find("trip 5 "),
            std::string::npos);
}

}  // namespace
}  // namespace gyre::solvers
