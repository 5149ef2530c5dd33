#include "gyre/solvers/solve_result.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

constexpr Reason every_reason[] = {Reason::ConvergedRtol, Reason::ConvergedAtol,
                                   Reason::MaxTrips,      Reason::BreakdownIndefinite,
                                   Reason::DivergedNan,   Reason::BreakdownNoDiagonal,
                                   Reason::Stagnated,     Reason::Cancelled};

TEST(SolveResult, EveryReasonHasANameAndASentenceOfItsOwn) {
  std::set<std::string> names;
  std::set<std::string> sentences;

  for (const Reason reason : every_reason) {
    names.emplace(name_of(reason));
    sentences.insert(describe({.reason = reason}));
  }

  EXPECT_EQ(names.size(), std::size(every_reason));
  EXPECT_EQ(sentences.size(), std::size(every_reason));
  EXPECT_FALSE(sentences.contains(""));
}

TEST(SolveResult, OnlyTheTwoToleranceReasonsAreConvergence) {
  for (const Reason reason : every_reason) {
    EXPECT_EQ(is_converged(reason), name_of(reason).starts_with("converged")) << name_of(reason);
  }
}

TEST(SolveResult, StagnationNamesBothResiduals) {
  const auto sentence = describe(
      {.reason = Reason::Stagnated, .relative_residual = 2.5e-9, .recurrence_residual = 9.0e-11});

  EXPECT_NE(sentence.find("9.00e-11"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("2.50e-09"), std::string::npos) << sentence;
}

TEST(SolveResult, RowsAndTripsAreCountedFromOneForPeople) {
  EXPECT_NE(describe({.reason = Reason::BreakdownNoDiagonal, .row = 0}).find("row 1 "),
            std::string::npos);
  EXPECT_NE(describe({.reason = Reason::BreakdownIndefinite, .iterations = 4}).find("trip 5 "),
            std::string::npos);
}

}  // namespace
}  // namespace gyre::solvers
