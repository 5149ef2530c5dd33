#include "gyre/io/npy.hpp"

#include "gyre/base/error.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

namespace gyre::io {

namespace {

using ir::ScalarType;

constexpr std::string_view magic = "\x93NUMPY";

constexpr std::array<std::pair<std::string_view, ScalarType>, 7> dtypes = {{
    {"|b1", ScalarType::Bool},
    {"<i4", ScalarType::I32},
    {"<i8", ScalarType::I64},
    {"<f4", ScalarType::F32},
    {"<f8", ScalarType::F64},
    {"<f2", ScalarType::F16},
    {"<V2", ScalarType::BF16},
}};

struct NpyHeader {
  ScalarType type = ScalarType::Invalid;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Reads the header's text, a Python dict such as
//     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class NpyHeaderParser {
 public:
  NpyHeaderParser(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  NpyHeader parse() {
    expect("{");
    while (!take("}")) {
      const auto key = parse_string();
      expect(":");
      if (key == "descr") {
        parse_descr();
      } else if (key == "fortran_order") {
        header_.fortran_order = parse_bool();
      } else if (key == "shape") {
        parse_shape();
      } else {
        fail("its header has an unknown key");
      }
      if (!take(",")) {
        expect("}");
        break;
      }
    }
    if (header_.type == ScalarType::Invalid || !has_shape_) fail("its header lacks a key");
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(std::string(name_) + ": " + what);
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail("its header is damaged: '" + std::string(token) + "' is missing");
  }

  std::string_view parse_string() {
    const char* const quote = take("'") ? "'" : "\"";
    if (*quote == '"') expect(quote);
    const auto end = rest_.find(*quote);
    if (end == std::string_view::npos) fail("its header is damaged: a string does not end");
    const auto text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool parse_bool() {
    if (take("True")) return true;
    expect("False");
    return false;
  }

  void parse_descr() {
    if (take("[")) fail("its elements are records, and an array has plain ones");
    const auto descr = parse_string();
    for (const auto& [spelling, type] : dtypes) {
      if (descr == spelling) header_.type = type;
    }
    // Raw bytes have no order, so both spellings are met.
    if (descr == "|V2") header_.type = ScalarType::BF16;
    if (header_.type == ScalarType::Invalid) {
      fail("its elements are '" + std::string(descr.substr(0, 20)) +
           "'; an array has bool, int32, int64, float16, float32 or float64, little-endian (astype "
           "in NumPy converts)");
    }
  }

  void parse_shape() {
    expect("(");
    while (!take(")")) {
      skip_blanks();
      std::int64_t extent = 0;
      const auto result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (result.ec != std::errc() || extent < 0) fail("its shape is damaged");
      rest_.remove_prefix(static_cast<std::size_t>(result.ptr - rest_.data()));
      header_.shape.push_back(extent);
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    has_shape_ = true;
  }

  std::string_view rest_;
  std::string_view name_;
  NpyHeader header_;
  bool has_shape_ = false;
};

// The little-endian number of `size` bytes that `bytes` begins with.
std::size_t parse_length(std::string_view bytes, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value * 256 + static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

ArrayData parse_npy(std::string_view bytes, std::string_view name) {
  const auto fail = [&](const std::string& what) -> void {
    throw UsageError(std::string(name) + ": " + what);
  };
  if (!bytes.starts_with(magic)) fail("it is no .npy file: its first bytes are not NumPy's");
  const auto version = bytes.size() > magic.size() ? bytes[magic.size()] : '\0';
  if (version < 1 || version > 3) fail("its .npy version is unknown");
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t start = magic.size() + 2 + length_size;
  if (bytes.size() < start) fail("it is truncated");
  const std::size_t length = parse_length(bytes.substr(magic.size() + 2), length_size);
  if (bytes.size() - start < length) fail("it is truncated");

  auto header = NpyHeaderParser(bytes.substr(start, length), name).parse();
  if (header.shape.empty() || header.shape.size() > 4) {
    fail("it has " + std::to_string(header.shape.size()) + " dimensions; an array has 1 to 4");
  }
  if (header.fortran_order && header.shape.size() > 1) {
    fail("it is in Fortran order; numpy.ascontiguousarray makes it C's");
  }
  const auto content = bytes.substr(start + length);
  ArrayData array{.type = header.type, .extents = std::move(header.shape), .bytes = {}};
  const auto content_bytes = std::as_bytes(std::span(content.data(), content.size()));
  try {
    verify_array({array.type, array.extents, content_bytes});
  } catch (const UsageError&) {
    fail("its " + std::to_string(content.size()) +
         " bytes of content are not what its shape needs");
  }
  array.bytes.assign(content_bytes.begin(), content_bytes.end());
  return array;
}

std::string print_npy(const ArrayView& array) {
  verify_array(array);
  std::string_view descr;
  for (const auto& [spelling, type] : dtypes) {
    if (type == array.type) descr = spelling;
  }
  std::string shape;
  for (const auto extent : array.extents) {
    shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
  }
  // A Python tuple of one needs its comma.
  if (array.extents.size() == 1) shape += ',';
  std::string header =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The format aligns the content to 64 bytes and ends the header in a newline.
  const std::size_t fixed = magic.size() + 4;
  header.append(63 - (fixed + header.size()) % 64, ' ');
  header += '\n';
  std::string out(magic);
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() % 256);
  out += static_cast<char>(header.size() / 256);
  out += header;
  out.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
  return out;
}

}  // namespace gyre::io
