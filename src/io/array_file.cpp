#include "gyre/io/array_file.hpp"

#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"
#include "gyre/io/npy.hpp"
#include "text_cursor.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace gyre::io {

namespace {

using ir::ScalarType;

enum class ArrayFormat { Npy, MatrixMarket, Text };

ArrayFormat format_of(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name.replace_extension();
  const auto ending = name.extension();
  if (ending == ".npy") return ArrayFormat::Npy;
  if (ending == ".mtx") return ArrayFormat::MatrixMarket;
  if (ending == ".txt") return ArrayFormat::Text;
  throw UsageError("'" + path + "' does not say what it is; name it .npy, .mtx or .txt");
}

std::vector<std::byte> bytes_of(const std::vector<double>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

ArrayData from_dense(const DenseMatrix& matrix) {
  ArrayData array{.type = ScalarType::F64, .extents = {matrix.rows}, .bytes = bytes_of(matrix.val)};
  if (matrix.cols != 1) array.extents.push_back(matrix.cols);
  return array;
}

std::string print_as_matrix_market(const ArrayView& array) {
  DenseMatrix matrix{.rows = array.extents[0],
                     .cols = array.extents.size() == 2 ? array.extents[1] : 1,
                     .val = std::vector<double>(verify_array(array))};
  if (!matrix.val.empty()) std::memcpy(matrix.val.data(), array.bytes.data(), array.bytes.size());
  return print_dense(matrix);
}

// An integer keeps its 64 bits; `1e3` is one too, by way of a double.
NumberFault parse_element(std::string_view word, ScalarType type, ArrayElement& element) {
  if (type == ScalarType::Bool && (word == "true" || word == "false")) {
    element = {.is_integer = true, .integer = word == "true"};
    return NumberFault::None;
  }
  element = {.is_integer = true};
  if (parse_number(word, element.integer) == NumberFault::None) {
    // -0 is a float's own value.
    if (element.integer != 0 || !word.starts_with('-')) return NumberFault::None;
  }
  element.is_integer = false;
  return parse_number(word, element.real);
}

void append_element(std::string& out, const ArrayView& array, std::size_t k) {
  const auto element = load_element(array, k);
  std::array<char, 32> digits;
  char* const first = digits.data();
  char* const last = first + digits.size();
  std::to_chars_result result{};
  if (element.is_integer) {
    result = std::to_chars(first, last, element.integer);
  } else if (array.type == ScalarType::F64) {
    result = std::to_chars(first, last, element.real);
  } else {
    result = std::to_chars(first, last, static_cast<float>(element.real));
  }
  out.append(first, result.ptr);
}

}  // namespace

ArrayData parse_array_text(std::string_view text, std::string_view name, ScalarType type) {
  ArrayData array{.type = type, .extents = {}, .bytes = {}};
  TextCursor cursor(text, name, '#');
  std::array<std::byte, 8> place{};
  const std::size_t size = ir::size_of(type);
  while (true) {
    const auto word = cursor.next_word_anywhere();
    if (word.empty()) break;
    ArrayElement element;
    const auto fault = parse_element(word, type, element);
    if (fault == NumberFault::Malformed) cursor.fail(word, quoted(word) + " is not a number");
    if (fault == NumberFault::TooLarge || !store_element(element, type, place.data())) {
      cursor.fail(word, std::string(ir::name_of(type)) + " cannot hold " + quoted(word));
    }
    array.bytes.insert(array.bytes.end(), place.begin(), place.begin() + size);
  }
  array.extents = {static_cast<std::int64_t>(array.bytes.size() / size)};
  return array;
}

std::string print_array_text(const ArrayView& array) {
  const std::size_t count = verify_array(array);
  const bool one_a_line = array.extents.size() == 1;
  const std::size_t line = one_a_line ? 1 : static_cast<std::size_t>(array.extents.back());
  std::string out;
  for (std::size_t k = 0; k < count; ++k) {
    append_element(out, array, k);
    out += (k + 1) % line == 0 ? '\n' : ' ';
  }
  return out;
}

ArrayData read_array(const std::string& path, ScalarType type) {
  switch (format_of(path)) {
    case ArrayFormat::Npy: return convert_array(parse_npy(read_file(path), path), type, path);
    case ArrayFormat::MatrixMarket: return convert_array(from_dense(read_dense(path)), type, path);
    case ArrayFormat::Text: return parse_array_text(read_file(path), path, type);
  }
  GYRE_CHECK(false, "every array format is read");
  return {};
}

void verify_array_path(const std::string& path, ScalarType type, std::size_t rank) {
  if (path.ends_with(".gz")) throw UsageError("'" + path + "': arrays are written without gzip");
  const bool fits_matrix_market = type == ScalarType::F64 && rank <= 2;
  if (format_of(path) == ArrayFormat::MatrixMarket && !fits_matrix_market) {
    throw UsageError("'" + path +
                     "': a .mtx file takes an array of f64 with 1 or 2 dimensions; "
                     "a .npy file takes any");
  }
}

void write_array(const std::string& path, const ArrayView& array) {
  verify_array_path(path, array.type, array.extents.size());
  switch (format_of(path)) {
    case ArrayFormat::Npy: return write_file(path, print_npy(array));
    case ArrayFormat::MatrixMarket: return write_file(path, print_as_matrix_market(array));
    case ArrayFormat::Text: return write_file(path, print_array_text(array));
  }
}

}  // namespace gyre::io
