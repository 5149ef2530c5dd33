#include "gyre/io/matrix_market.hpp"

#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "matrix_market_header.hpp"
#include "matrix_market_parser.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <tuple>
#include <utility>

namespace gyre::io {

namespace {

template <class T>
void append_number(std::string& out, T value) {
  char digits[32];
  const auto result = std::to_chars(std::begin(digits), std::end(digits), value);
  out.append(digits, result.ptr);
}

const char* symmetry_name(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::General: return "general";
    case Symmetry::Symmetric: return "symmetric";
    case Symmetry::SkewSymmetric: return "skew-symmetric";
  }
  return "";
}

bool is_skew_symmetric(const CsrMatrix& matrix) {
  CsrMatrix negated = transpose(matrix);
  for (double& v : negated.val) v = -v;
  bool zero_diagonal = true;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      if (matrix.col[k] == i) zero_diagonal = false;
    }
  }
  return matrix.rows == matrix.cols && zero_diagonal && matrix.row == negated.row &&
         matrix.col == negated.col && matrix.val == negated.val;
}

void check_symmetry(const CsrMatrix& matrix, Symmetry symmetry) {
  if ((symmetry == Symmetry::Symmetric && !is_symmetric(matrix)) ||
      (symmetry == Symmetry::SkewSymmetric && !is_skew_symmetric(matrix))) {
    throw UsageError(std::string("a matrix that is not ") + symmetry_name(symmetry) +
                     " cannot be written as such; write it as general");
  }
}

void append_comment(std::string& out, std::string_view comment) {
  while (!comment.empty()) {
    const auto end = std::min(comment.find('\n'), comment.size());
    out += "% ";
    out += comment.substr(0, end);
    out += '\n';
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
}

}  // namespace

CsrMatrix parse_matrix(std::string_view text, std::string_view name) {
  ParsedMatrix parsed = parse_matrix_market(text, name);
  auto& [row, col, val] = parsed.entries;
  if (parsed.is_array) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < val.size(); ++k) {
      if (val[k] == 0) continue;
      std::tie(row[kept], col[kept], val[kept]) = std::tie(row[k], col[k], val[k]);
      ++kept;
    }
    row.resize(kept);
    col.resize(kept);
    val.resize(kept);
  }
  return make_csr(parsed.rows, parsed.cols, parsed.entries);
}

DenseMatrix parse_dense(std::string_view text, std::string_view name) {
  const ParsedMatrix parsed = parse_matrix_market(text, name);
  // Both are below 2^31, so the product fits.
  const std::int64_t size = parsed.rows * parsed.cols;
  if (!parsed.is_array && size > claimable(text.size())) {
    throw UsageError(std::string(name) + ": a matrix of " + std::to_string(parsed.rows) + " x " +
                     std::to_string(parsed.cols) + " with " +
                     std::to_string(parsed.entries.val.size()) +
                     " entries is too large to be read as a dense array");
  }
  DenseMatrix dense{.rows = parsed.rows, .cols = parsed.cols, .val = {}};
  dense.val.assign(static_cast<std::size_t>(size), 0.0);
  const auto& [row, col, val] = parsed.entries;
  for (std::size_t k = 0; k < val.size(); ++k) {
    double& place = dense.val[static_cast<std::size_t>(row[k] * parsed.cols + col[k])];
    // Adding to the zero there would lose the sign of an array's -0.
    place = parsed.is_array ? val[k] : place + val[k];
  }
  return dense;
}

std::vector<double> parse_vector(std::string_view text, std::string_view name) {
  DenseMatrix dense = parse_dense(text, name);
  if (dense.cols != 1) {
    throw UsageError(std::string(name) + ": expected a vector, n x 1, and found a matrix of " +
                     std::to_string(dense.rows) + " x " + std::to_string(dense.cols));
  }
  return std::move(dense.val);
}

CsrMatrix read_matrix(const std::string& path) {
  return parse_matrix(read_file(path), path);
}

DenseMatrix read_dense(const std::string& path) {
  return parse_dense(read_file(path), path);
}

std::vector<double> read_vector(const std::string& path) {
  return parse_vector(read_file(path), path);
}

std::string print_matrix(const CsrMatrix& matrix, const MatrixMarketOptions& options) {
  check_symmetry(matrix, options.symmetry);
  const bool lower_only = options.symmetry != Symmetry::General;
  std::string entries;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      if (lower_only && matrix.col[k] > i) break;
      append_number(entries, i + 1);
      entries += ' ';
      append_number(entries, matrix.col[k] + std::int64_t{1});
      entries += ' ';
      append_number(entries, matrix.val[k]);
      entries += '\n';
      ++count;
    }
  }
  std::string out = "%%MatrixMarket matrix coordinate real ";
  out += symmetry_name(options.symmetry);
  out += '\n';
  append_comment(out, options.comment);
  out += std::to_string(matrix.rows) + " " + std::to_string(matrix.cols) + " " +
         std::to_string(count) + "\n";
  return out + entries;
}

void write_matrix(const std::string& path, const CsrMatrix& matrix,
                  const MatrixMarketOptions& options) {
  write_file(path, print_matrix(matrix, options));
}

std::string print_dense(const DenseMatrix& matrix) {
  std::string out = "%%MatrixMarket matrix array real general\n" + std::to_string(matrix.rows) +
                    " " + std::to_string(matrix.cols) + "\n";
  for (std::int64_t j = 0; j < matrix.cols; ++j) {
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      append_number(out, matrix.val[static_cast<std::size_t>(i * matrix.cols + j)]);
      out += '\n';
    }
  }
  return out;
}

std::string print_vector(std::span<const double> values) {
  std::string out =
      "%%MatrixMarket matrix array real general\n" + std::to_string(values.size()) + " 1\n";
  for (const double value : values) {
    append_number(out, value);
    out += '\n';
  }
  return out;
}

void write_vector(const std::string& path, std::span<const double> values) {
  write_file(path, print_vector(values));
}

}  // namespace gyre::io
