/// `gyre fmt FILE`: a program's text in the one layout.
#include "command.hpp"
#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "gyre/text/format.hpp"
#include "source_file.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

struct FmtOptions {
  std::string file;
  bool in_place = false;
  bool check = false;
};

Exit format(const FmtOptions& options) {
  if (options.in_place && options.file == "-") {
    throw UsageError("standard input cannot be rewritten in place; without -i the text is printed");
  }
  const auto source = read_source(options.file);
  Diagnostics diagnostics;
  const std::optional<std::string> formatted = text::format(source, diagnostics);
  if (!formatted) throw ProgramError(std::move(diagnostics));

  if (options.check) {
    if (*formatted == source->text) return Exit::Done;
    fmt::print(stderr, "gyre: {} is not in the layout of gyre fmt; 'gyre fmt -i' rewrites it\n",
               source->name);
    return Exit::GoalNotReached;
  }
  if (!options.in_place) {
    std::fwrite(formatted->data(), 1, formatted->size(), stdout);
  } else if (*formatted != source->text) {
    io::write_file(options.file, *formatted);
  }
  return Exit::Done;
}

}  // namespace

void add_fmt(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<FmtOptions>();
  auto* command =
      app.add_subcommand("fmt",
                         "Lays out a program's text; comments stay.\n\n"
                         "Examples:\n"
                         "  gyre fmt cg.gyre            prints the text laid out\n"
                         "  gyre fmt -i cg.gyre         rewrites the file\n"
                         "  gyre fmt --check cg.gyre    exits with 1 where it would change\n"
                         "  gyre fmt - < cg.gyre\n");
  command->add_option("FILE", options->file, "the program's text; - reads standard input")
      ->required();
  auto* in_place = command->add_flag("-i,--in-place", options->in_place, "rewrite the file");
  command->add_flag("--check", options->check, "print nothing; exit with 1 where it would change")
      ->excludes(in_place);
  command->callback([options, &exit] { exit = format(*options); });
}

}  // namespace gyre::cli
