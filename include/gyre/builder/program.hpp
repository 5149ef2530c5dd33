/// The C++ front end: a program written down by running C++.
///
///     gyre::Program p("halve");
///     auto n = p.size("n");
///     auto x = p.inout<double>("x", {n});
///     auto trips = p.out<std::int32_t>("trips", 0);
///     p.while_(sum(0, n, [&](auto i) { return x[i] * x[i]; }) > 1.0, [&] {
///       p.foreach(0, n, [&](auto i) { x[i] *= 0.5; });
///       trips += 1;
///     });
///     auto executable = gyre::compile(p.finish());
///
/// Bodies are lambdas, run once, while the program is built. Each statement remembers its line of
/// C++, and diagnostics point there. A handle used with another program, a statement after
/// `finish`, an `else_` out of place and the like are UsageErrors; what a text could get wrong as
/// well (scopes, stores, jumps) is left to the verifier.
#pragma once

#include "gyre/builder/call.hpp"
#include "gyre/builder/control.hpp"
#include "gyre/builder/declarations.hpp"
#include "gyre/builder/fold.hpp"
#include "gyre/builder/functions.hpp"
#include "gyre/builder/primitives.hpp"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gyre::builder {

/// Marks a foreach whose indices, by promise, do not read what another one writes.
struct Independent {};
inline constexpr Independent independent;

using ir::Team;

class Program : public Primitives {
 public:
  explicit Program(std::string name, const CallSite& at = CallSite::current());
  ~Program();

  /// Runs `body` for every point, in parallel: `p.foreach(range(0, n) * range(0, m), [&](auto i,
  /// auto j) { … })`, `p.foreach(0, n, [&](auto i) { … })`.
  template <IntegerType... T, BodyOver<Ranges<T...>> Body>
  void foreach(const Ranges<T...>& points, Body body, const CallSite& at = CallSite::current()) {
    foreach_over(points, false, Team::Any, body, at);
  }
  template <IntegerType... T, BodyOver<Ranges<T...>> Body>
  void foreach(const Ranges<T...>& points, Independent, Body body,
               const CallSite& at = CallSite::current()) {
    foreach_over(points, true, Team::Any, body, at);
  }
  /// The same, each point run by a warp or a block: `p.foreach(range(0, n), Team::Block, …)`.
  template <IntegerType... T, BodyOver<Ranges<T...>> Body>
  void foreach(const Ranges<T...>& points, Team team, Body body,
               const CallSite& at = CallSite::current()) {
    foreach_over(points, false, team, body, at);
  }
  template <Operand A, Operand B, BodyOver<Ranges<BoundType<A, B>>> Body>
  void foreach(const A& begin, const B& end, Body body, const CallSite& at = CallSite::current()) {
    foreach_over(range(begin, end), false, Team::Any, body, at);
  }

  /// Runs `declare` as if it stood ahead of the outermost statement that is being built, and gives
  /// what it gives: `auto r = p.ahead([&] { return p.temp<double>("r", {n}); })`. So a body can
  /// have what only the top level of a program declares.
  template <std::invocable Declare>
  auto ahead(Declare declare) {
    std::optional<std::invoke_result_t<Declare>> declared;
    add_ahead([&] { declared.emplace(declare()); });
    return *std::move(declared);
  }

  /// Runs `body` for each index in order.
  template <IntegerType T, BodyOver<Ranges<T>> Body>
  void for_(const Ranges<T>& points, Body body, const CallSite& at = CallSite::current()) {
    add_for(
        points.all(),
        [&](const auto& bound) { detail::call_with_indices(points, recorder(), bound, body); }, at);
  }
  template <Operand A, Operand B, BodyOver<Ranges<BoundType<A, B>>> Body>
  void for_(const A& begin, const B& end, Body body, const CallSite& at = CallSite::current()) {
    for_(range(begin, end), std::move(body), at);
  }

  /// Runs `body` while `condition` holds: `p.while_(rr > tol, {.limit = 100}, [&] { … })`.
  template <std::invocable Body>
  void while_(const Given<bool>& condition, Body&& body) {
    add_while(condition, {}, body);
  }
  template <std::invocable Body>
  void while_(const Given<bool>& condition, const LoopOptions& options, Body&& body) {
    add_while(condition, options, body);
  }
  /// `p.do_([&] { … }).while_(condition)`: the first trip is not tested.
  template <std::invocable Body>
  DoBody do_(Body&& body, const CallSite& at = CallSite::current()) {
    return DoBody(recorder(), body, SourceLoc::here(at));
  }

  /// `p.if_(c, [&] { … }).else_if(d, [&] { … }).else_([&] { … })`.
  template <std::invocable Body>
  IfChain if_(const Given<bool>& condition, Body&& body) {
    return IfChain(recorder(), condition, body);
  }
  /// `p.switch_(mode).case_({1, 2}, [&] { … }).default_([&] { … })`.
  SwitchChain switch_(const GivenInteger& selector) { return SwitchChain(recorder(), selector); }

  /// Runs all arms, in any order or at once: `p.fork([&] { … }, [&] { … })`. None touches what
  /// another one writes.
  template <std::invocable... More>
  void fork(const FirstArm& first, More&&... more) {
    add_fork(first, {std::function<void()>(std::ref(more))...});
  }

  void break_(const CallSite& at = CallSite::current());
  void continue_(const CallSite& at = CallSite::current());
  /// Ends the launch with Status::Stopped; both are found in the result.
  void stop(std::string label, const CallSite& at = CallSite::current());
  void stop(std::string label, const GivenInteger& code);

  template <ElementType T>
  void copy(const Buffer<T>& to, const Buffer<T>& from, const CallSite& at = CallSite::current()) {
    add_copy(to.object(), from.object(), at);
  }
  template <ElementType T>
  void fill(const Buffer<T>& buffer, const Given<Loaded<T>>& value) {
    add_fill(buffer.object(), value.value, value.site);
  }

  /// Calls work given in place (call.hpp): objects and forms in any order.
  template <CallPart... Parts>
  CallChain call(const CallName& name, const Parts&... parts) {
    CallParts all;
    (all.add(parts), ...);
    return detail::call(recorder(), name, std::move(all));
  }
  /// Calls work defined elsewhere on `arguments`, in the order of its accesses.
  void call(std::shared_ptr<const ir::Callee> callee, const std::vector<detail::Object>& arguments,
            const CallSite& at = CallSite::current());

  /// Ends the building and gives the program, not verified yet. UsageError within a body, or
  /// where an exception has broken a body off.
  ir::Program finish();

 private:
  using BoundBody = std::function<void(const std::vector<ir::Range>&)>;

  template <IntegerType... T, class Body>
  void foreach_over(const Ranges<T...>& points, bool promised, Team team, Body& body,
                    const CallSite& at) {
    add_foreach(
        points.all(), promised, team,
        [&](const auto& bound) { detail::call_with_indices(points, recorder(), bound, body); }, at);
  }

  void add_foreach(const std::vector<detail::OpenRange>& ranges, bool promised, Team team,
                   const BoundBody& body, const CallSite& at);
  void add_ahead(const std::function<void()>& declare);
  void add_for(const std::vector<detail::OpenRange>& ranges, const BoundBody& body,
               const CallSite& at);
  void add_while(const Given<bool>& condition, const LoopOptions& options,
                 const std::function<void()>& body);
  void add_fork(const FirstArm& first, const std::vector<std::function<void()>>& more);
  void add_copy(const detail::Object& to, const detail::Object& from, const CallSite& at);
  void add_fill(const detail::Object& buffer, const AnyValue& value, const CallSite& at);
};

}  // namespace gyre::builder
