#include "gyre/base/diagnostic.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gyre {

void Diagnostics::add(Diagnostic diagnostic) {
  const bool is_error = diagnostic.severity == Severity::Error;
  if (is_error) ++error_count_;
  if (kept_.size() < max_kept) kept_.push_back(std::move(diagnostic));
}

void Diagnostics::error(std::string rule, const SourceLoc& loc, std::string message,
                        std::string hint) {
  add({Severity::Error, std::move(rule), std::move(message), loc, {}, std::move(hint)});
}

void Diagnostics::warning(std::string rule, const SourceLoc& loc, std::string message,
                          std::string hint) {
  add({Severity::Warning, std::move(rule), std::move(message), loc, {}, std::move(hint)});
}

void Diagnostics::truncate(std::size_t count) {
  while (kept_.size() > count) {
    if (kept_.back().severity == Severity::Error) --error_count_;
    kept_.pop_back();
  }
}

namespace {

// Long lines (a megabyte of garbage on one line) are shown as a window around the caret.
constexpr std::size_t window = 100;

std::string caret_lines(const SourceLoc& loc) {
  if (!loc || !loc.source || loc.source->text.empty()) return {};
  std::string_view line = loc.source->line(loc.line);
  std::size_t column = std::min<std::size_t>(loc.column == 0 ? 0 : loc.column - 1, line.size());
  if (line.size() > window) {
    const std::size_t start = column > window / 2 ? column - window / 2 : 0;
    line = line.substr(start, window);
    column -= start;
  }
  std::string shown;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    shown += c == '\t' ? ' ' : (byte < 0x20 || byte == 0x7f ? '?' : c);
  }
  const std::size_t room = shown.size() > column ? shown.size() - column : 1;
  const std::size_t length = std::clamp<std::size_t>(loc.length, 1, room);
  const std::string number = std::to_string(loc.line);
  const std::string gutter(number.size(), ' ');
  return "  " + number + " | " + shown + "\n  " + gutter + " | " + std::string(column, ' ') + "^" +
         std::string(length - 1, '~') + "\n";
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string text = to_string(diagnostic.loc);
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Severity::Error ? "error: " : "warning: ";
  text += diagnostic.message;
  if (!diagnostic.rule.empty()) text += " [" + diagnostic.rule + "]";
  if (!diagnostic.region.empty()) text += " in " + diagnostic.region;
  text += '\n';
  text += caret_lines(diagnostic.loc);
  if (!diagnostic.hint.empty()) text += "  hint: " + diagnostic.hint + "\n";
  return text;
}

std::string render(const Diagnostics& diagnostics) {
  std::string text;
  std::size_t shown_errors = 0;
  for (const auto& diagnostic : diagnostics.all()) {
    text += render(diagnostic);
    if (diagnostic.severity == Severity::Error) ++shown_errors;
  }
  if (diagnostics.error_count() > shown_errors) {
    text += "and " + std::to_string(diagnostics.error_count() - shown_errors) + " more errors\n";
  }
  return text;
}

namespace {

// Levenshtein distance with a neighbouring swap counted as one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 64) return {};
  std::string_view best;
  std::size_t best_distance = name.size() <= 2 ? 1 : (name.size() + 2) / 3;
  for (const auto& candidate : candidates) {
    if (candidate.size() > 64) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // Where every letter differs nothing was meant.
    if (distance >= std::max(name.size(), candidate.size())) continue;
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace gyre
