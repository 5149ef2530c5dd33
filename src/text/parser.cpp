#include "gyre/text/parser.hpp"

#include "cursor.hpp"
#include "gyre/base/error.hpp"
#include "names.hpp"
#include "statement_parser.hpp"

#include <utility>

namespace gyre::text {
namespace {

/// Whether all of `source` was understood; the program is whole only then.
bool read(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics,
          const CallRegistry& calls, Lookup lookup, ir::Program& program) {
  const std::size_t errors_before = diagnostics.error_count();
  Cursor cursor(std::move(source), diagnostics);
  Names names(cursor, program, lookup);
  try {
    StatementParser(cursor, names, program, calls).parse_program();
  } catch (const Abandon&) {
  } catch (const GiveUp&) {
  }
  return diagnostics.error_count() == errors_before;
}

}  // namespace

std::optional<ir::Program> parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics,
                                 const CallRegistry& calls) {
  ir::Program program;
  if (!read(std::move(source), diagnostics, calls, Lookup::On, program)) return std::nullopt;
  return ir::number_regions(std::move(program));
}

std::optional<ir::Program> parse(std::string name, std::string text, Diagnostics& diagnostics,
                                 const CallRegistry& calls) {
  return parse(std::make_shared<const SourceText>(SourceText{std::move(name), std::move(text)}),
               diagnostics, calls);
}

ir::Program parse_program(std::string name, std::string text, const CallRegistry& calls) {
  Diagnostics diagnostics;
  auto program = parse(std::move(name), std::move(text), diagnostics, calls);
  if (!program) throw ProgramError(std::move(diagnostics));
  return *std::move(program);
}

bool check_syntax(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
  ir::Program unused;
  return read(std::move(source), diagnostics, {}, Lookup::Off, unused);
}

}  // namespace gyre::text
