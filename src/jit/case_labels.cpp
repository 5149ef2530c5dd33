#include "case_labels.hpp"

#include "emit_expr.hpp"
#include "emit_text.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

/// So many comparisons are done before one load from memory is.
constexpr std::size_t most_runs = 8;

std::vector<LabelRun> sorted_labels(const plan::SwitchNode& node) {
  std::vector<LabelRun> rows;
  for (std::size_t i = 0; i < node.labels.size(); ++i) {
    for (const ir::Case::Label& label : node.labels[i]) {
      rows.push_back({label.first, label.last, static_cast<std::int64_t>(i), false});
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const LabelRun& a, const LabelRun& b) { return a.first < b.first; });
  return rows;
}

std::string literal(std::int64_t value) {
  return cpp_literal(ir::Value(value));
}

// A range of 64 bits has more labels than an i64 counts.
std::uint64_t length_of(const LabelRun& run) {
  return static_cast<std::uint64_t>(run.last) - static_cast<std::uint64_t>(run.first);
}

// Whether `next` goes on where `run` ends; `run` is made longer then.
bool goes_on(LabelRun& run, const LabelRun& next) {
  if (run.last != next.first) return false;
  const std::uint64_t length = length_of(run);
  const bool same_arm = !run.counts && run.arm == next.arm;
  const bool next_arm =
      (run.counts || length == 1) && length_of(next) == 1 &&
      static_cast<std::uint64_t>(next.arm) == static_cast<std::uint64_t>(run.arm) + length;
  if (!same_arm && !next_arm) return false;
  run.counts = next_arm;
  run.last = next.last;
  return true;
}

}  // namespace

std::vector<LabelRun> label_runs(const plan::SwitchNode& node) {
  std::vector<LabelRun> runs;
  for (const LabelRun& row : sorted_labels(node)) {
    if (runs.empty() || !goes_on(runs.back(), row)) runs.push_back(row);
  }
  return runs;
}

std::string emit_find_case(const plan::SwitchNode& node, std::uint32_t number,
                           const std::string& selector) {
  const std::string otherwise = jit::number(node.cases.size());
  const auto runs = label_runs(node);
  if (runs.size() > most_runs) {
    return call("gyre::find_case", {"labels" + jit::number(number),
                                    jit::number(sorted_labels(node).size()), selector, otherwise});
  }
  std::vector<std::string> arguments = {selector, otherwise};
  for (const LabelRun& run : runs) {
    arguments.push_back(
        "gyre::LabelRun{" +
        joined({literal(run.first), literal(run.last),
                jit::number(static_cast<std::uint64_t>(run.arm)), run.counts ? "true" : "false"}) +
        "}");
  }
  return call("gyre::case_of", arguments);
}

std::string emit_labels(const plan::SwitchNode& node, std::uint32_t number) {
  if (label_runs(node).size() <= most_runs) return "";
  std::string text = "__device__ const long long labels" + jit::number(number) + "[] = {";
  for (const LabelRun& row : sorted_labels(node)) {
    text += literal(row.first) + ", " + literal(row.last) + ", " + literal(row.arm) + ", ";
  }
  return text + "};\n";
}

}  // namespace gyre::jit
