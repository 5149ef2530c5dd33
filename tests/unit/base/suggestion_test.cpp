#include "gyre/base/suggestion.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

TEST(Suggestion, GuessesASlipAndListsWhatThereIsOtherwise) {
  const std::vector<std::string> known = {"alpha", "beta"};

  EXPECT_EQ(suggestion("alhpa", known), "; did you mean 'alpha'?");
  EXPECT_EQ(suggestion("velocity", known), "; there is alpha, beta");
  EXPECT_EQ(suggestion("velocity", {}), "");
}

TEST(Suggestion, OfManyNamesListsTheFirstEight) {
  EXPECT_EQ(suggestion("velocity", std::vector<std::string>(9, "x")),
            "; there is x, x, x, x, x, x, x, x, …");
}

}  // namespace
}  // namespace gyre
