// Any bytes are a program or located diagnostics; a program survives being printed and laid out.
#include "gyre/text/format.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/text/printer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace {

using gyre::text::CallRegistry;

const CallRegistry& calls() {
  static const CallRegistry registry = {
      {"work", std::make_shared<const gyre::ir::Callee>(gyre::ir::Callee{"work", {}, nullptr})}};
  return registry;
}

void expect(bool holds) {
  if (!holds) __builtin_trap();
}

void check_diagnostics(const gyre::Diagnostics& diagnostics) {
  for (const auto& diagnostic : diagnostics.all()) {
    expect(static_cast<bool>(diagnostic.loc) && !diagnostic.message.empty());
  }
  render(diagnostics);
}

/// A program whose types the verifier would refuse has no text that says so.
bool is_typed(const gyre::ir::Program& program) {
  const std::string text = gyre::text::print(program);
  return text.find("<invalid>") == std::string::npos;
}

void check_round_trip(const gyre::ir::Program& program) {
  const std::string once = gyre::text::print(program);
  gyre::Diagnostics diagnostics;
  const auto back = gyre::text::parse("printed.gyre", once, diagnostics, calls());
  expect(back.has_value());
  expect(gyre::text::print(*back) == once);
}

void check_format(const std::string& text) {
  gyre::Diagnostics diagnostics;
  const auto once = gyre::text::format("fuzz.gyre", text, diagnostics);
  if (!once) return;
  const auto twice = gyre::text::format("fuzz.gyre", *once, diagnostics);
  expect(twice == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  gyre::Diagnostics diagnostics;
  const auto program = gyre::text::parse("fuzz.gyre", text, diagnostics, calls());
  expect(program.has_value() != diagnostics.has_errors());
  check_diagnostics(diagnostics);
  if (program && is_typed(*program)) check_round_trip(*program);
  check_format(text);
  return 0;
}
