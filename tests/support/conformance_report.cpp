#include "support/conformance_report.hpp"

#include <array>
#include <charconv>
#include <string>

namespace gyre::support {
namespace {

using ir::Intent;

constexpr std::int64_t most_told = 40;
constexpr std::int64_t told_of_more = 8;

std::string end_of(ir::Outcome outcome) {
  if (outcome.fault == ir::FaultKind::BrokenPromise) {
    const auto open = outcome.detail.find('[');
    const auto close = outcome.detail.find(']');
    if (close != std::string::npos) outcome.detail.replace(open + 1, close - open - 1, "...");
  }
  return ir::describe(outcome);
}

constexpr std::size_t most_cases_told = 8;

// An if has the arms then and else; a switch its cases and the default. Of many cases those that
// ran are told by their number.
std::string text_of_arms(const std::string& region, const std::vector<std::uint64_t>& arms) {
  const auto name = region.substr(region.rfind('/') + 1);
  if (name.starts_with("if#")) {
    return "then " + std::to_string(arms.at(0)) + ", else " + std::to_string(arms.at(1));
  }
  const bool are_many = arms.size() > most_cases_told + 1;
  std::string text = "cases";
  for (std::size_t i = 0; i + 1 < arms.size(); ++i) {
    if (are_many && arms[i] == 0) continue;
    text += text == "cases" ? " " : ", ";
    if (are_many) text += std::to_string(i) + ": ";
    text += std::to_string(arms[i]);
  }
  return text + "; default " + std::to_string(arms.back());
}

// FNV-1a over the bits of all elements, as loaded.
std::uint64_t hash_of(const OwnedBuffer& buffer) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const std::int64_t count = buffer.element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    const ir::Value value = buffer.at(i);
    std::uint64_t bits = value.bits();
    if (ir::is_float(value.type()) && ir::to_string(value) == "nan") bits = ~std::uint64_t{0};
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash = (hash ^ (bits & 255)) * 0x100000001b3;
  }
  return hash;
}

std::string hex(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

std::string text_of_buffer(const OwnedBuffer& buffer) {
  const std::int64_t count = buffer.element_count();
  if (count == 0) return " nothing";
  const std::int64_t told = count > most_told ? told_of_more : count;
  const std::int64_t row = buffer.extents.size() == 1 ? count : buffer.extents.back();
  std::string text;
  for (std::int64_t i = 0; i < told; ++i) {
    if (i != 0 && i % row == 0) text += " |";
    text += " " + ir::to_string(buffer.at(i));
  }
  if (told < count) {
    text += " ... " + std::to_string(count) + " elements, hash " + hex(hash_of(buffer));
  }
  return text;
}

std::string text_of_data(const ir::Program& program, const Run& run) {
  std::string text;
  for (const ir::Symbol& symbol : program.symbols) {
    if (symbol.intent != Intent::Out && symbol.intent != Intent::Inout) continue;
    if (symbol.kind == ir::SymbolKind::Scalar) {
      const auto found = run.outcome.scalars.find(symbol.name);
      const bool is_told = found != run.outcome.scalars.end();
      text += "#> " + symbol.name + " = " + (is_told ? to_string(found->second) : "?") + "\n";
    } else {
      text += "#> " + symbol.name + " =" + text_of_buffer(run.data.buffers.at(symbol.name)) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string report(const ir::Program& program, const Run& run) {
  const ir::Outcome& outcome = run.outcome;
  std::string text = "#= " + end_of(outcome) + "\n";
  for (const auto& [region, count] : outcome.trips) {
    text += "#> trips " + region + ": " + std::to_string(count) + "\n";
  }
  for (const auto& [region, arms] : outcome.arms) {
    text += "#> arms " + region + ": " + text_of_arms(region, arms) + "\n";
  }
  const bool has_data =
      outcome.status == ir::Status::Completed || outcome.status == ir::Status::Stopped;
  return has_data ? text + text_of_data(program, run) : text;
}

}  // namespace gyre::support
