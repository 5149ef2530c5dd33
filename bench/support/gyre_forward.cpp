#include "support/gyre_forward.hpp"

#include "gyre/gyre.hpp"
#include "rivals/forward_kernels.hpp"

#include <map>
#include <utility>

namespace gyre::bench {
namespace {

enum class Arms { Expressions, GuardedCalls, PlainCalls };

const char* name_of(Arms arms) {
  switch (arms) {
    case Arms::Expressions: return "expressions";
    case Arms::GuardedCalls: return "guarded calls";
    case Arms::PlainCalls: return "plain calls";
  }
  return "";
}

// The program while it is built: its objects, and its steps in the form that its arms have.
struct Forward {
  explicit Forward(Arms form) : arms(form) {}

  void first_step() {
    if (arms == Arms::Expressions) {
      p.foreach(0, n, [&](auto i) { h[i] = 2 * x[i]; });
      return;
    }
    p.call("double", reads(x), writes(h), [x = x, h = h](CallContext& c) {
      rivals::put_double(c.stream(), c.count(x), c.ptr(x), c.ptr(h));
    });
  }

  void arm(int number) {
    const float addend = addend_of(number);
    if (arms == Arms::Expressions) {
      p.foreach(0, n, [&](auto i) { y[i] = h[i] + addend; });
      return;
    }
    const bool guarded = arms == Arms::GuardedCalls;
    auto call = p.call("add", reads(h), writes(y), [h = h, y = y, addend, guarded](CallContext& c) {
      rivals::put_add(c.stream(), guarded ? c.guard() : nullptr, c.count(h), addend, c.ptr(h),
                      c.ptr(y));
    });
    if (guarded) call.guarded();
  }

  Arms arms;
  Program p{"forward"};
  Size n = p.size("n");
  Buffer<std::int32_t> which = p.in<std::int32_t>("which", {1});
  Buffer<float> x = p.in<float>("x", {n});
  Buffer<float> y = p.out<float>("y", {n});
  Buffer<float> h = p.temp<float>("h", {n});
};

// Two arms are an if, more of them a switch.
ir::Program make_program(Arms form, int arms) {
  Forward forward(form);
  forward.first_step();
  if (arms == 2) {
    forward.p.if_(forward.which[0] > 0, [&] { forward.arm(1); }).else_([&] { forward.arm(0); });
  } else {
    auto chain = forward.p.switch_(forward.which[0]);
    for (int arm = 0; arm < arms; ++arm) chain.case_(arm, [&] { forward.arm(arm); });
  }
  return forward.p.finish();
}

class GyreForward : public ForwardWay {
 public:
  GyreForward(std::string executor, Arms form) : executor_(std::move(executor)), form_(form) {}

  std::string name() const override { return executor_ + ", " + name_of(form_); }
  bool is_gyre() const override { return true; }

  void prepare(int arms, ForwardBuffers& buffers) override {
    auto found = forwards_.find(arms);
    if (found == forwards_.end()) {
      found = forwards_.emplace(arms, compile(make_program(form_, arms), {.executor = executor_}))
                  .first;
    }
    forward_ = &found->second;
    const auto n = static_cast<std::int64_t>(buffers.x.size());
    forward_->bind("which", buffers.which.data(), {1});
    forward_->bind("x", buffers.x.data(), {n});
    forward_->bind("y", buffers.y.data(), {n});
    forward_->prepare();
  }

  void run() override { static_cast<void>(forward_->run()); }

 private:
  std::string executor_;
  Arms form_;
  /// By their number of arms.
  std::map<int, Executable> forwards_;
  Executable* forward_ = nullptr;
};

}  // namespace

ForwardWays make_gyre_forwards(const std::vector<std::string>& executors) {
  ForwardWays ways;
  for (const std::string& executor : executors) {
    for (const Arms form : {Arms::Expressions, Arms::GuardedCalls, Arms::PlainCalls}) {
      ways.push_back(std::make_unique<GyreForward>(executor, form));
    }
  }
  return ways;
}

}  // namespace gyre::bench
