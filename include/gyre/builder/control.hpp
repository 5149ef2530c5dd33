/// What `if_`, `switch_` and `do_` of a program being built go on with.
///
/// Each part must follow at once: an `else_` after another statement is a UsageError.
#pragma once

#include "gyre/builder/recorder.hpp"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gyre::builder {

/// `.limit`: after so many trips the launch ends with Status::TripLimit if the condition still
/// holds. `.expect`: how many trips are likely; a hint.
struct LoopOptions {
  std::optional<GivenInteger> limit = {};
  std::optional<GivenInteger> expect = {};
};

/// What a case stands for: one number, or the half-open range `Label{first, last}`.
struct Label : ir::Case::Label {
  Label(std::integral auto number) : Label(number, number) { last += 1; }
  Label(std::integral auto from, std::integral auto to)
      : ir::Case::Label{static_cast<std::int64_t>(from), static_cast<std::int64_t>(to)} {}
};

/// The first arm of a `fork`, with the place in C++ that gave it.
struct FirstArm {
  template <std::invocable Body>
  FirstArm(Body&& given, const CallSite& at = CallSite::current())  // NOLINT: stands for it
      : body(std::ref(given)), site(at) {}

  std::function<void()> body;
  CallSite site;
};

/// Follows an `if_`.
class IfChain {
 public:
  IfChain(std::shared_ptr<Recorder> recorder, const Given<bool>& condition,
          const std::function<void()>& then);

  template <std::invocable Body>
  IfChain& else_if(const Given<bool>& condition, Body&& body) {
    add(condition, body);
    return *this;
  }
  template <std::invocable Body>
  void else_(Body&& body) {
    close(body);
  }

 private:
  struct Arm {
    ir::Expr condition;
    ir::Region body;
    SourceLoc loc;
  };

  void add(const Given<bool>& condition, const std::function<void()>& body);
  void close(const std::function<void()>& body);
  /// Writes the statement anew, as ifs nested in else arms.
  void amend();

  std::shared_ptr<Recorder> recorder_;
  Recorder::Anchor anchor_;
  std::vector<Arm> arms_;
  ir::Region otherwise_;
};

/// Follows a `switch_`.
class SwitchChain {
 public:
  SwitchChain(std::shared_ptr<Recorder> recorder, const GivenInteger& selector);

  /// `case_({1, 2, Label{10, 20}}, body)`.
  template <std::invocable Body>
  SwitchChain& case_(std::initializer_list<Label> labels, Body&& body,
                     const CallSite& at = CallSite::current()) {
    add(labels, body, at);
    return *this;
  }
  /// `case_(1, body)`.
  template <std::invocable Body>
  SwitchChain& case_(const Label& label, Body&& body, const CallSite& at = CallSite::current()) {
    add({label}, body, at);
    return *this;
  }
  template <std::invocable Body>
  void default_(Body&& body) {
    close(body);
  }

 private:
  void add(std::initializer_list<Label> labels, const std::function<void()>& body,
           const CallSite& at);
  void close(const std::function<void()>& body);

  std::shared_ptr<Recorder> recorder_;
  Recorder::Anchor anchor_;
};

/// Follows a `do_`, and must be gone on with: without `while_` the program cannot be finished.
class [[nodiscard]] DoBody {
 public:
  DoBody(std::shared_ptr<Recorder> recorder, const std::function<void()>& body,
         const SourceLoc& loc);

  void while_(const Given<bool>& condition, const LoopOptions& options = {});

 private:
  std::shared_ptr<Recorder> recorder_;
  Recorder::Anchor anchor_;
};

}  // namespace gyre::builder
