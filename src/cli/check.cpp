/// `gyre check FILE`: every fault of a program, and whether it is one that can run.
#include "command.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/verifier/verify.hpp"
#include "source_file.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

struct CheckOptions {
  std::string file;
  bool json = false;
};

struct Summary {
  std::size_t objects = 0;
  std::size_t regions = 0;
};

Summary summarize(const ir::Program& program) {
  Summary summary;
  summary.objects = program.all(ir::SymbolKind::Size).size();
  ir::for_each_region(program.body, [&](const ir::Region& region) {
    if (ir::as<ir::Declare>(region) != nullptr) ++summary.objects;
    if (!region->path.empty()) ++summary.regions;
  });
  return summary;
}

std::string counted(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// `, 2 warnings`, or nothing.
std::string warnings_in(const Diagnostics& diagnostics) {
  const auto count = std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                                   [](const auto& d) { return d.severity == Severity::Warning; });
  return count == 0 ? "" : ", " + counted(static_cast<std::size_t>(count), "warning");
}

// Lines and columns from 1, as in the text form.
nlohmann::ordered_json to_json(const Diagnostic& diagnostic) {
  return {{"severity", diagnostic.severity == Severity::Error ? "error" : "warning"},
          {"rule", diagnostic.rule},
          {"message", diagnostic.message},
          {"line", diagnostic.loc.line},
          {"column", diagnostic.loc.column},
          {"length", diagnostic.loc.length},
          {"region", diagnostic.region},
          {"hint", diagnostic.hint}};
}

nlohmann::ordered_json to_json(const std::string& file, const Diagnostics& diagnostics) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) list.push_back(to_json(diagnostic));
  return {{"file", file},
          {"ok", !diagnostics.has_errors()},
          {"errors", diagnostics.error_count()},
          {"diagnostics", std::move(list)}};
}

Exit check(const CheckOptions& options) {
  const auto source = read_source(options.file);
  Diagnostics diagnostics;
  const std::optional<ir::Program> program = text::parse(source, diagnostics);
  if (program) verifier::verify(*program, diagnostics);

  if (options.json) {
    // Whatever bytes the text holds, what an editor reads is UTF-8.
    const auto replace = nlohmann::ordered_json::error_handler_t::replace;
    fmt::print("{}\n", to_json(source->name, diagnostics).dump(2, ' ', false, replace));
  } else {
    fmt::print(stderr, "{}", render(diagnostics));
  }
  if (diagnostics.has_errors() || !program) return Exit::BadInput;
  if (!options.json) {
    const Summary summary = summarize(*program);
    fmt::print("{}: ok ({}, {}{})\n", source->name, counted(summary.objects, "object"),
               counted(summary.regions, "region"), warnings_in(diagnostics));
  }
  return Exit::Done;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<CheckOptions>();
  auto* command = app.add_subcommand("check",
                                     "Says what is wrong with a program, with places and hints.\n\n"
                                     "Examples:\n"
                                     "  gyre check cg.gyre\n"
                                     "  gyre check --json cg.gyre\n");
  command->add_option("FILE", options->file, "the program's text; - reads standard input")
      ->required();
  command->add_flag("--json", options->json, "print the findings as JSON on standard output");
  command->callback([options, &exit] { exit = check(*options); });
}

}  // namespace gyre::cli
