#include "gyre/io/file.hpp"
#include "support/refusal.hpp"

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

// A vector of two as gzip makes it:
//     %%MatrixMarket matrix array real general
//     2 1
//     1
//     2
const std::string zipped_vector(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x53\x55\xf5\x4d\x2c\x29\xca\xac\xf0"
    "\x4d\x2c\xca\x4e\x2d\x51\xc8\x05\x73\x14\x12\x8b\x8a\x12\x2b\x15\x8a\x52\x13"
    "\x73\x14\xd2\x53\xf3\x52\x8b\x12\x73\xb8\x8c\x14\x0c\xb9\x0c\xb9\x8c\xb8\x00"
    "\x06\xab\xb4\xf4\x31\x00\x00\x00",
    65);
const std::string vector = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";

// 64 KiB of zeros as gzip makes them.
const std::string zipped_zeros(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x01\x00\x00\x00\x80\x90"
    "\xfe\xaf\xee\x08\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x6a\xeb\x8e\x97\xd7\x00\x00\x01"
    "\x00",
    96);

std::string gzip_refusal(const std::string& bytes) {
  return support::refusal([&] { gunzip(bytes, "m.mtx.gz"); });
}

class Gzip : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gzip_refusal(zipped_vector).find("no zlib") != std::string::npos) {
      GTEST_SKIP() << "this build has no zlib";
    }
  }
};

TEST_F(Gzip, IsKnownByItsMagicNumber) {
  EXPECT_TRUE(is_gzip(zipped_vector));
  EXPECT_FALSE(is_gzip(vector));
  EXPECT_FALSE(is_gzip("\x1f"));
}

TEST_F(Gzip, InflatesToWhatItHolds) {
  EXPECT_EQ(gunzip(zipped_vector, "v"), vector);
  EXPECT_EQ(gunzip(zipped_zeros, "z"), std::string(65536, '\0'));
}

TEST_F(Gzip, MembersFollowEachOther) {
  EXPECT_EQ(gunzip(zipped_vector + zipped_vector, "v"), vector + vector);
}

TEST_F(Gzip, ZerosMayPadTheEndAndNothingElse) {
  EXPECT_EQ(gunzip(zipped_vector + std::string(512, '\0'), "v"), vector);
  EXPECT_EQ(gzip_refusal(zipped_vector + "x"),
            "'m.mtx.gz' holds bytes after the end of its gzip data");
}

TEST_F(Gzip, EveryTruncationIsFound) {
  for (std::size_t size = 2; size < zipped_vector.size(); ++size) {
    EXPECT_EQ(gzip_refusal(zipped_vector.substr(0, size)), "'m.mtx.gz' is a truncated gzip file")
        << size;
  }
}

TEST_F(Gzip, ADamagedByteIsFound) {
  std::string damaged = zipped_vector;
  damaged[damaged.size() - 6] ^= 1;

  EXPECT_EQ(gzip_refusal(damaged), "'m.mtx.gz' is a damaged gzip file");
}

TEST_F(Gzip, ABombIsRefused) {
  std::string bomb;
  for (int member = 0; member < 4200; ++member) bomb += zipped_zeros;

  EXPECT_NE(gzip_refusal(bomb).find("inflates to more than 256 MiB"), std::string::npos);
}

}  // namespace
}  // namespace gyre::io
