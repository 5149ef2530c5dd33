/// Where rules put what they find: gives each finding its rule's name and its region's path.
#pragma once

#include "gyre/verifier/verify.hpp"
#include "survey.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gyre::verifier {

class Report {
 public:
  explicit Report(const Survey& survey) : survey_(survey) {}

  /// Names the rule that the following findings break.
  void start(const Rule& rule) { rule_ = &rule; }

  void error(const RegionSite& at, const SourceLoc& loc, std::string message,
             std::string hint = {}) {
    add(Severity::Error, at.path, place(at, loc), std::move(message), std::move(hint));
  }
  void error(const ExprSite& at, std::string message, std::string hint = {}) {
    error(survey_.region(at.region), at.node->loc, std::move(message), std::move(hint));
  }
  void warning(const RegionSite& at, const SourceLoc& loc, std::string message,
               std::string hint = {}) {
    add(Severity::Warning, at.path, place(at, loc), std::move(message), std::move(hint));
  }
  /// A finding about what stands in no region: a size, the program itself.
  void error_outside(const SourceLoc& loc, std::string message, std::string hint = {}) {
    add(Severity::Error, {}, loc, std::move(message), std::move(hint));
  }

  /// Whether a rule was broken that all others rely on.
  bool has_broken_tree() const { return has_broken_tree_; }
  /// Hands everything on, by place.
  void move_to(Diagnostics& diagnostics);

 private:
  // C++ knows where a statement was written, not where an operator was.
  static const SourceLoc& place(const RegionSite& at, const SourceLoc& loc) {
    return loc ? loc : at.node->loc;
  }

  void add(Severity severity, std::string_view path, const SourceLoc& loc, std::string message,
           std::string hint) {
    has_broken_tree_ = has_broken_tree_ || rule_->breaker == Breaker::BuilderFirst;
    found_.push_back({severity, std::string(rule_->name), std::move(message), loc,
                      std::string(path), std::move(hint)});
  }

  const Survey& survey_;
  const Rule* rule_ = nullptr;
  bool has_broken_tree_ = false;
  std::vector<Diagnostic> found_;
};

/// `'name'`, for messages.
inline std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace gyre::verifier
