#include "gyre/executors/arena_memory.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

class Piece {
 public:
  explicit Piece(std::size_t bytes) : bytes_(bytes) {}
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
};

TEST(ArenaPieces, OneServesAllThatFitIntoIt) {
  ArenaPieces<Piece> pieces;

  const auto large = pieces.take(100);
  const auto small = pieces.take(10);

  EXPECT_EQ(small, large);
  EXPECT_EQ(pieces.held_bytes(), 100u);
}

TEST(ArenaPieces, WhoeverHoldsAPieceKeepsItBesideALargerOne) {
  ArenaPieces<Piece> pieces;
  auto small = pieces.take(10);

  const auto large = pieces.take(100);

  EXPECT_EQ(small->bytes(), 10u);
  EXPECT_EQ(pieces.held_bytes(), 110u);
  small = pieces.take(10);
  EXPECT_EQ(small, large);
  EXPECT_EQ(pieces.held_bytes(), 100u);
}

TEST(ArenaPieces, TheLargestOfThoseThatAreLeftServesNext) {
  ArenaPieces<Piece> pieces;
  const auto small = pieces.take(10);
  const auto middle = pieces.take(50);
  { const auto large = pieces.take(100); }

  EXPECT_EQ(pieces.take(5), middle);
  EXPECT_EQ(pieces.held_bytes(), 60u);
}

struct OnePart final : ArenaPart {
  std::size_t held_bytes() const override { return 3; }
};
struct OtherPart final : ArenaPart {
  std::size_t held_bytes() const override { return 4; }
};

TEST(ArenaMemory, HasOnePartOfEachKind) {
  ArenaMemory memory;

  const auto one = memory.part<OnePart>();

  EXPECT_EQ(memory.part<OnePart>(), one);
  memory.part<OtherPart>();
  EXPECT_EQ(memory.held_bytes(), 7u);
}

}  // namespace
}  // namespace gyre::executors
