// Any bytes are a matrix or a UsageError; a matrix is sound, and prints to a text that reads back
// as itself.
#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

void check_matrix(std::string_view text) {
  const auto matrix = gyre::io::parse_matrix(text, "fuzz.mtx");
  gyre::io::verify_csr(matrix);
  const auto printed = gyre::io::print_matrix(matrix);
  const auto back = gyre::io::parse_matrix(printed, "printed.mtx");
  if (gyre::io::print_matrix(back) != printed) __builtin_trap();
}

// A fault that is not located would leave the user searching.
void expect_located(const gyre::UsageError& error) {
  if (std::string_view(error.what()).rfind("fuzz.mtx:", 0) != 0) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (gyre::io::is_gzip(bytes)) {
      check_matrix(gyre::io::gunzip(bytes, "fuzz.mtx"));
    } else {
      check_matrix(bytes);
    }
  } catch (const gyre::UsageError& error) {
    if (!gyre::io::is_gzip(bytes)) expect_located(error);
  }
  try {
    gyre::io::parse_vector(bytes, "fuzz.mtx");
  } catch (const gyre::UsageError& error) {
    expect_located(error);
  }
  return 0;
}
