// The dense layer of the samples, in the language and as plain C++.
#include "forwards/dense.hpp"

#include "forwards/plain.hpp"
#include "forwards/weights.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forwards {
namespace {

struct Shape {
  std::int64_t rows, inputs, outputs;

  friend void PrintTo(const Shape& shape, std::ostream* out) {
    *out << shape.rows << " x " << shape.inputs << " to " << shape.outputs;
  }
};

enum class Taking { All, SomeAndZeros, SomeAlone };

// Layer `number` of three on every row, or on those with tag 1.
gyre::ir::Program dense_program(int number, Activation activation, Taking rows_taking) {
  gyre::Program p("dense");
  auto rows = p.size("rows");
  auto inputs = p.size("inputs");
  auto outputs = p.size("outputs");
  auto x = p.in<float>("x", {rows, inputs});
  auto w = p.in<float>("w", {3, outputs, inputs});
  auto b = p.in<float>("b", {3, outputs});
  auto tag = p.in<std::int32_t>("tag", {rows});
  auto y = p.inout<float>("y", {rows, outputs});
  Dense layer{rows, outputs, inputs, x, w, b, y, number, activation};
  if (rows_taking != Taking::All) layer.only = Rows{tag, 1, rows_taking == Taking::SomeAlone};
  dense_in_language(p, layer);
  return p.finish();
}

struct Operands {
  explicit Operands(const Shape& of)
      : shape(of),
        x(make_values(1, count(of.rows * of.inputs))),
        w(make_weights(2, count(3 * of.outputs * of.inputs), count(of.inputs))),
        b(make_values(3, count(3 * of.outputs))),
        tag(count(of.rows)) {
    for (std::size_t row = 0; row < tag.size(); ++row) tag[row] = row % 3 != 0;
  }

  static std::size_t count(std::int64_t number) { return static_cast<std::size_t>(number); }

  Shape shape;
  std::vector<float> x, w, b;
  std::vector<std::int32_t> tag;
};

// What y holds before the layer.
constexpr float untouched = -7;

std::vector<float> run(gyre::ir::Program program, const Operands& of) {
  const Shape& shape = of.shape;
  auto dense = gyre::compile(std::move(program), {.executor = "cpu"});
  std::vector<float> y(Operands::count(shape.rows * shape.outputs), untouched);
  dense.bind("x", of.x, {shape.rows, shape.inputs});
  dense.bind("w", of.w, {3, shape.outputs, shape.inputs});
  dense.bind("b", of.b, {3, shape.outputs});
  dense.bind("tag", of.tag);
  dense.bind("y", y, {shape.rows, shape.outputs});
  EXPECT_TRUE(dense.run().completed());
  return y;
}

std::vector<float> plain_code(std::size_t layer, bool relu, Taking rows, const Operands& of) {
  const std::size_t inputs = Operands::count(of.shape.inputs);
  const std::size_t outputs = Operands::count(of.shape.outputs);
  std::vector<float> y(of.tag.size() * outputs, rows == Taking::SomeAndZeros ? 0 : untouched);
  for (std::size_t row = 0; row < of.tag.size(); ++row) {
    if (rows != Taking::All && of.tag[row] == 0) continue;
    const std::vector<float> one(of.x.data() + row * inputs, of.x.data() + (row + 1) * inputs);
    const auto values = plain::dense(of.w.data() + layer * outputs * inputs,
                                     of.b.data() + layer * outputs, outputs, one, relu);
    std::copy(values.begin(), values.end(), y.data() + row * outputs);
  }
  return y;
}

class DenseInTheLanguage : public testing::TestWithParam<Shape> {};

TEST_P(DenseInTheLanguage, HasTheBitsOfPlainCode) {
  const Operands operands(GetParam());

  for (const int layer : {0, 2}) {
    for (const bool relu : {false, true}) {
      for (const Taking rows : {Taking::All, Taking::SomeAndZeros, Taking::SomeAlone}) {
        const auto activation = relu ? Activation::Relu : Activation::Identity;
        const auto y = run(dense_program(layer, activation, rows), operands);

        EXPECT_EQ(y, plain_code(static_cast<std::size_t>(layer), relu, rows, operands))
            << layer << (relu ? ", relu, " : ", ") << static_cast<int>(rows);
      }
    }
  }
}

std::string shape_name(const testing::TestParamInfo<Shape>& of) {
  return std::to_string(of.param.rows) + "x" + std::to_string(of.param.inputs) + "to" +
         std::to_string(of.param.outputs);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DenseInTheLanguage,
                         testing::Values(Shape{1, 1, 1}, Shape{3, 7, 2}, Shape{4, 8, 3},
                                         Shape{5, 33, 17}, Shape{2, 1024, 8}, Shape{2, 3000, 3}),
                         shape_name);

TEST(Weights, AreThoseOfTheirSeed) {
  EXPECT_EQ(make_values(5, 100), make_values(5, 100));
  EXPECT_NE(make_values(5, 100), make_values(6, 100));
}

TEST(Weights, SpreadEvenlyOverTheirRange) {
  constexpr std::size_t bins = 16;
  constexpr std::size_t each = 1000;
  std::vector<std::size_t> counts(bins);
  for (const float value : make_values(7, bins * each, 2)) {
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 2);
    ++counts[static_cast<std::size_t>((value + 2) / 4 * bins)];
  }

  // Five standard deviations of a binomial count are 153.
  for (const std::size_t count : counts) EXPECT_NEAR(static_cast<double>(count), each, 153);
}

TEST(Weights, NeitherFadeNorGrowThroughManyLayers) {
  std::vector<float> h = make_values(1, 256);
  for (std::uint64_t layer = 0; layer < 20; ++layer) {
    const auto w = make_weights(layer + 2, 256 * 256, 256);
    h = plain::dense(w.data(), std::vector<float>(256).data(), 256, h, true);
  }

  float mean_square = 0;
  for (const float value : h) mean_square += value * value / 256;
  EXPECT_GT(mean_square, 0.02);
  EXPECT_LT(mean_square, 20);
}

}  // namespace
}  // namespace forwards
