/// Matrix Market files: matrices and vectors in and out.
///
/// The format is that of NIST (math.nist.gov/MatrixMarket/formats.html). Read are coordinate and
/// array, real (also spelled double), integer and pattern (every value 1), general, symmetric and
/// skew-symmetric; gzip too where the build has zlib. Complex and hermitian are refused. Beyond
/// the letter of the format, comments and blank lines may stand anywhere after the banner, lines
/// may end in CRLF, the last one in nothing, and numbers may be Fortran's (`1.D+05`).
///
/// Entries given twice are summed. A symmetric file may give either triangle, or some entries from
/// each; giving one place from both sides is refused, since such a file means either a general
/// matrix or twice the value. A skew-symmetric file has no diagonal. Integers past 2^53 round to
/// the nearest double.
///
/// A malformed file is a UsageError that opens with `file:line:col` and shows the line with a
/// caret. What a header claims is never allocated for: memory follows the size of the file, so more
/// rows than max(2^24, its bytes) are refused.
///
/// Leaves out other formats; arrays of other types are in array_file.hpp.
#pragma once

#include "gyre/io/csr_matrix.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::io {

/// `rows` x `cols` values, row by row.
struct DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> val;
};

/// The matrix in `path`, both triangles of a symmetric one. Of an array file zeros are left out; of
/// a coordinate file every entry is kept.
CsrMatrix read_matrix(const std::string& path);
/// The same from a text; `name` stands in errors.
CsrMatrix parse_matrix(std::string_view text, std::string_view name);

/// The matrix in `path` with its zeros; at most max(2^24, bytes of the file) values.
DenseMatrix read_dense(const std::string& path);
DenseMatrix parse_dense(std::string_view text, std::string_view name);

/// The n x 1 matrix in `path`, array or coordinate. Throws UsageError for any other shape.
std::vector<double> read_vector(const std::string& path);
std::vector<double> parse_vector(std::string_view text, std::string_view name);

enum class Symmetry { General, Symmetric, SkewSymmetric };

struct MatrixMarketOptions {
  /// Other than General: only the lower triangle is written. Writing throws UsageError for a
  /// matrix that is not, exactly, what is claimed.
  Symmetry symmetry = Symmetry::General;
  /// Lines of comment under the banner, without their `%`.
  std::string comment;
};

/// `matrix` as coordinate real, row by row, each value in the fewest digits that read back as the
/// same double.
std::string print_matrix(const CsrMatrix& matrix, const MatrixMarketOptions& options = {});
/// Writes it; see write_file for what a failure leaves.
void write_matrix(const std::string& path, const CsrMatrix& matrix,
                  const MatrixMarketOptions& options = {});

/// `matrix` as array real, column by column as the format has it.
std::string print_dense(const DenseMatrix& matrix);

/// `values` as an n x 1 array.
std::string print_vector(std::span<const double> values);
void write_vector(const std::string& path, std::span<const double> values);

}  // namespace gyre::io
