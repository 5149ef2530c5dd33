#include "source_file.hpp"

#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/verifier/verify.hpp"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/core.h>

namespace gyre::cli {

std::shared_ptr<const SourceText> read_source(const std::string& file) {
  SourceText source;
  if (file == "-") {
    source = {"<stdin>", std::string(std::istreambuf_iterator<char>(std::cin), {})};
  } else {
    source = {file, io::read_file(file)};
  }
  return std::make_shared<const SourceText>(std::move(source));
}

ir::Program read_program(const std::string& file) {
  Diagnostics diagnostics;
  std::optional<ir::Program> program = text::parse(read_source(file), diagnostics);
  if (!program) throw ProgramError(std::move(diagnostics));
  return *std::move(program);
}

ir::Program read_verified_program(const std::string& file) {
  ir::Program program = read_program(file);
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  if (diagnostics.has_errors()) throw ProgramError(std::move(diagnostics));
  fmt::print(stderr, "{}", render(diagnostics));
  return program;
}

}  // namespace gyre::cli
