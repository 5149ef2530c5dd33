#include "gyre/io/array_file.hpp"

#include "gyre/base/error.hpp"
#include "support/refusal.hpp"

#include <cstring>
#include <filesystem>
#include <span>

#include <gtest/gtest.h>
#include <unistd.h>

namespace gyre::io {
namespace {

using ir::ScalarType;

template <class T>
std::vector<T> read_values(const ArrayData& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

template <class T>
ArrayData array_of(ScalarType type, std::vector<std::int64_t> extents, std::vector<T> values) {
  ArrayData array{.type = type, .extents = std::move(extents), .bytes = {}};
  const auto bytes = std::as_bytes(std::span(values));
  array.bytes.assign(bytes.begin(), bytes.end());
  return array;
}

std::string file_refusal(const std::string& text, ScalarType type) {
  return support::refusal([&] { parse_array_text(text, "a.txt", type); });
}

class ArrayFile : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const auto* ending : {".npy", ".mtx", ".txt"}) std::filesystem::remove(path(ending));
  }

  static std::string path(const std::string& ending) {
    const auto name = "gyre_array_" + std::to_string(::getpid()) + ending;
    return (std::filesystem::temp_directory_path() / name).string();
  }
};

TEST_F(ArrayFile, EveryTypeComesBackFromNpyAndText) {
  const std::vector<ArrayData> arrays = {
      array_of<std::uint8_t>(ScalarType::Bool, {3}, {0, 1, 1}),
      array_of<std::int32_t>(ScalarType::I32, {2}, {-2147483648, 2147483647}),
      array_of<std::int64_t>(ScalarType::I64, {2}, {INT64_MIN, INT64_MAX}),
      array_of<float>(ScalarType::F32, {4}, {0.1f, -0.0f, 1e-45f, 3.4028235e38f}),
      array_of<double>(ScalarType::F64, {4}, {0.1, -0.0, 5e-324, 1.7976931348623157e308}),
      array_of<std::uint16_t>(ScalarType::F16, {3}, {0x3555, 0x0001, 0x7bff}),
      array_of<std::uint16_t>(ScalarType::BF16, {3}, {0x3eab, 0x0001, 0x7f7f}),
  };
  for (const auto& array : arrays) {
    for (const auto* ending : {".npy", ".txt"}) {
      write_array(path(ending), array.view());
      const auto back = read_array(path(ending), array.type);

      EXPECT_EQ(back.extents, array.extents) << ir::name_of(array.type) << ending;
      EXPECT_EQ(back.bytes, array.bytes) << ir::name_of(array.type) << ending;
    }
  }
}

TEST_F(ArrayFile, AMatrixComesBackFromMatrixMarket) {
  const auto matrix = array_of<double>(ScalarType::F64, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto vector = array_of<double>(ScalarType::F64, {2}, {0.5, -0.0});

  write_array(path(".mtx"), matrix.view());
  const auto matrix_back = read_array(path(".mtx"), ScalarType::F64);
  write_array(path(".mtx"), vector.view());
  const auto vector_back = read_array(path(".mtx"), ScalarType::F64);

  EXPECT_EQ(matrix_back.extents, matrix.extents);
  EXPECT_EQ(matrix_back.bytes, matrix.bytes);
  EXPECT_EQ(vector_back.extents, vector.extents);
  EXPECT_EQ(vector_back.bytes, vector.bytes);
}

TEST_F(ArrayFile, MatrixMarketTakesNothingElse) {
  EXPECT_THROW(write_array(path(".mtx"), array_of<float>(ScalarType::F32, {1}, {1}).view()),
               UsageError);
  EXPECT_THROW(write_array(path(".mtx"), array_of<double>(ScalarType::F64, {1, 1, 1}, {1}).view()),
               UsageError);
}

TEST_F(ArrayFile, WhatTheFileHoldsBecomesTheTypeAskedFor) {
  write_array(path(".npy"), array_of<std::int64_t>(ScalarType::I64, {2}, {1, 2}).view());

  EXPECT_EQ(read_values<std::int32_t>(read_array(path(".npy"), ScalarType::I32)),
            (std::vector<std::int32_t>{1, 2}));
}

TEST_F(ArrayFile, TheEndingNamesTheFormat) {
  EXPECT_THROW(read_array("x.bin", ScalarType::F64), UsageError);
  EXPECT_THROW(read_array("npy", ScalarType::F64), UsageError);
  EXPECT_THROW(write_array("x.npy.gz", array_of<float>(ScalarType::F32, {1}, {1}).view()),
               UsageError);
  EXPECT_THROW(read_array("/nowhere/x.txt.gz", ScalarType::F64), UsageError);
}

TEST_F(ArrayFile, ATextIsNumbersBetweenBlanks) {
  const auto array = parse_array_text("# three\n1 2.5\n\n\t-3e0\r\n", "a.txt", ScalarType::F64);

  EXPECT_EQ(array.extents, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(read_values<double>(array), (std::vector<double>{1, 2.5, -3}));
  EXPECT_EQ(parse_array_text("", "a.txt", ScalarType::I32).extents[0], 0);
}

TEST_F(ArrayFile, ATextKeepsAll64BitsOfAnInteger) {
  EXPECT_EQ(read_values<std::int64_t>(
                parse_array_text("9223372036854775807 1e3", "a.txt", ScalarType::I64)),
            (std::vector<std::int64_t>{INT64_MAX, 1000}));
}

TEST_F(ArrayFile, ATextOfBoolsMaySayTrueAndFalse) {
  EXPECT_EQ(
      read_values<std::uint8_t>(parse_array_text("true 0 1 false", "a.txt", ScalarType::Bool)),
      (std::vector<std::uint8_t>{1, 0, 1, 0}));
  EXPECT_NE(file_refusal("true", ScalarType::I32), "accepted");
}

TEST_F(ArrayFile, AFaultInATextIsLocated) {
  EXPECT_EQ(file_refusal("1 2\n3 four\n", ScalarType::F64),
            "a.txt:2:3: error: 'four' is not a number\n"
            "  2 | 3 four\n"
            "    |   ^~~~");
  EXPECT_TRUE(
      file_refusal("1.5", ScalarType::I32).starts_with("a.txt:1:1: error: i32 cannot hold '1.5'"));
  EXPECT_NE(file_refusal("1e39", ScalarType::F32).find("f32 cannot hold '1e39'"),
            std::string::npos);
  EXPECT_NE(file_refusal("1e999", ScalarType::F64).find("f64 cannot hold '1e999'"),
            std::string::npos);
}

TEST_F(ArrayFile, ATextHasTheLastDimensionAlongItsLines) {
  EXPECT_EQ(print_array_text(array_of<float>(ScalarType::F32, {2, 2}, {1, 0.1f, 3, 4}).view()),
            "1 0.1\n3 4\n");
  EXPECT_EQ(print_array_text(array_of<float>(ScalarType::F32, {2}, {1, 2}).view()), "1\n2\n");
  EXPECT_EQ(print_array_text(array_of<float>(ScalarType::F32, {2, 0}, {}).view()), "");
}

TEST_F(ArrayFile, APathIsRefusedBeforeThereIsAnArray) {
  verify_array_path("x.npy", ScalarType::F16, 4);
  verify_array_path("x.mtx", ScalarType::F64, 2);

  EXPECT_THROW(verify_array_path("x.mtx", ScalarType::F32, 1), UsageError);
  EXPECT_THROW(verify_array_path("x.mtx", ScalarType::F64, 3), UsageError);
  EXPECT_THROW(verify_array_path("x.bin", ScalarType::F64, 1), UsageError);
  EXPECT_THROW(verify_array_path("x.npy.gz", ScalarType::F64, 1), UsageError);
}

}  // namespace
}  // namespace gyre::io
