#include "gyre/io/npy.hpp"

#include "support/refusal.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

using ir::ScalarType;

// A version 1 file with `header` as it is.
std::string npy(const std::string& header, const std::string& content) {
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(header.size());
  bytes += '\x00';
  return bytes + header + content;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& content) {
  return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n",
             content);
}

std::string npy_refusal(const std::string& bytes) {
  return support::refusal([&] { parse_npy(bytes, "a.npy"); });
}

::testing::AssertionResult refused(const std::string& bytes, const std::string& message) {
  const auto found = npy_refusal(bytes);
  if (found.starts_with("a.npy: ") && found.find(message) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << found;
}

TEST(Npy, ReadsEveryType) {
  const std::vector<std::tuple<std::string, ScalarType, std::size_t>> types = {
      {"|b1", ScalarType::Bool, 1}, {"<i4", ScalarType::I32, 4}, {"<i8", ScalarType::I64, 8},
      {"<f4", ScalarType::F32, 4},  {"<f8", ScalarType::F64, 8}, {"<f2", ScalarType::F16, 2},
      {"<V2", ScalarType::BF16, 2}, {"|V2", ScalarType::BF16, 2}};
  for (const auto& [descr, type, size] : types) {
    const std::string content(3 * size, '\x01');

    const auto array = parse_npy(npy(descr, "(3,)", content), "a.npy");

    EXPECT_EQ(array.type, type) << descr;
    EXPECT_EQ(array.extents, (std::vector<std::int64_t>{3}));
    EXPECT_EQ(array.bytes, (std::vector<std::byte>(3 * size, std::byte{1})));
  }
}

TEST(Npy, ReadsShapesOfEveryRank) {
  EXPECT_EQ(parse_npy(npy("<f4", "(2, 1)", std::string(8, 'x')), "a").extents,
            (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(parse_npy(npy("<f4", "(1, 2, 1, 1)", std::string(8, 'x')), "a").extents,
            (std::vector<std::int64_t>{1, 2, 1, 1}));
  EXPECT_EQ(parse_npy(npy("<f4", "(0, 5)", ""), "a").extents, (std::vector<std::int64_t>{0, 5}));
  EXPECT_TRUE(refused(npy("<f4", "()", "abcd"), "0 dimensions"));
  EXPECT_TRUE(refused(npy("<f4", "(1,1,1,1,1)", "abcd"), "5 dimensions"));
}

TEST(Npy, ReadsVersion2) {
  std::string bytes = npy("<f4", "(1,)", "abcd");
  bytes[6] = '\x02';
  bytes.insert(10, std::string(2, '\0'));

  EXPECT_EQ(parse_npy(bytes, "a").bytes.size(), 4u);
}

TEST(Npy, ReadsAnyOrderOfKeysAndOneDimensionInFortransOrder) {
  const auto array =
      parse_npy(npy("{\"shape\":(1,),\"fortran_order\":True,\"descr\":\"<f4\"}", "abcd"), "a");

  EXPECT_EQ(array.type, ScalarType::F32);
}

TEST(Npy, RefusesFortranOrder) {
  EXPECT_TRUE(refused(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}", "abcd"),
                      "Fortran order"));
}

TEST(Npy, RefusesOtherTypesByName) {
  EXPECT_TRUE(refused(npy(">f8", "(1,)", std::string(8, 'x')), "'>f8'"));
  EXPECT_TRUE(refused(npy("<c16", "(1,)", std::string(16, 'x')), "'<c16'"));
  EXPECT_TRUE(refused(npy("|O", "(1,)", std::string(8, 'x')), "'|O'"));
  EXPECT_TRUE(refused(
      npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"), "records"));
}

TEST(Npy, RefusesContentThatIsNotWhatTheShapeNeeds) {
  EXPECT_TRUE(refused(npy("<f8", "(2,)", std::string(15, 'x')), "15 bytes of content"));
  EXPECT_TRUE(refused(npy("<f8", "(2,)", std::string(24, 'x')), "24 bytes of content"));
  EXPECT_TRUE(refused(npy("<f8", "(4294967296, 4294967296)", ""), "0 bytes of content"));
  EXPECT_TRUE(refused(npy("<f8", "(99999999999999999999,)", ""), "shape is damaged"));
  EXPECT_TRUE(refused(npy("<f8", "(-1,)", ""), "shape is damaged"));
}

TEST(Npy, EveryTruncationIsFound) {
  const std::string bytes = npy("<f8", "(1,)", std::string(8, 'x'));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(npy_refusal(bytes.substr(0, size)), "accepted") << size;
  }
}

TEST(Npy, RefusesADamagedHeader) {
  EXPECT_TRUE(refused("text", "no .npy file"));
  EXPECT_TRUE(refused(npy("", ""), "'{' is missing"));
  EXPECT_TRUE(refused(npy("{}", ""), "lacks a key"));
  EXPECT_TRUE(refused(npy("{'descr': '<f8", ""), "does not end"));
  EXPECT_TRUE(refused(npy("{'other': 1}", ""), "unknown key"));
  EXPECT_TRUE(refused(npy("{'shape': (1 1)}", ""), "')' is missing"));
}

TEST(Npy, ComesBackAligned) {
  ArrayData array{.type = ScalarType::I64, .extents = {2, 2}, .bytes = {}};
  for (int i = 0; i < 32; ++i) array.bytes.push_back(static_cast<std::byte>(i));

  const auto bytes = print_npy(array.view());
  const auto back = parse_npy(bytes, "a.npy");

  EXPECT_EQ((bytes.size() - 32) % 64, 0u);
  EXPECT_EQ(bytes[bytes.size() - 33], '\n');
  EXPECT_EQ(back.type, array.type);
  EXPECT_EQ(back.extents, array.extents);
  EXPECT_EQ(back.bytes, array.bytes);
}

TEST(Npy, WritesTheHeaderThatNumPyWrites) {
  const ArrayData array{.type = ScalarType::F64, .extents = {0}, .bytes = {}};

  const auto bytes = print_npy(array.view());

  EXPECT_EQ(bytes.substr(10, 57), "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }");
  EXPECT_EQ(bytes.size(), 128u);
}

}  // namespace
}  // namespace gyre::io
