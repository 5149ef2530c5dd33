#include "support/gyre_loop.hpp"

#include "gyre/text/parser.hpp"

#include <map>
#include <utility>

namespace gyre::bench {
namespace {

class GyreLoop : public LoopWay {
 public:
  explicit GyreLoop(std::string executor) : executor_(std::move(executor)) {}

  std::string name() const override { return executor_; }
  bool is_gyre() const override { return true; }

  void prepare(const LoopShape& shape, LoopBuffers& buffers) override {
    auto found = loops_.find(shape.kernels);
    if (found == loops_.end()) {
      auto program = text::parse_program("loop", loop_text(shape.kernels));
      found =
          loops_.emplace(shape.kernels, compile(std::move(program), {.executor = executor_})).first;
    }
    loop_ = &found->second;
    const auto n = static_cast<std::int64_t>(buffers.a.size());
    loop_->bind("a", buffers.a.data(), {n});
    loop_->bind("b", buffers.b.data(), {n});
    loop_->set("trips", shape.trips);
    loop_->prepare();
  }

  std::int64_t run() override { return loop_->run().get<std::int64_t>("done"); }

 private:
  std::string executor_;
  /// By the kernels of their bodies.
  std::map<int, Executable> loops_;
  Executable* loop_ = nullptr;
};

}  // namespace

std::string loop_text(int kernels) {
  std::string text = R"(program loop(n: size) {
  inout a: f32[n], b: f32[n]
  in trips: i64
  out done: i64
  while done < trips {
)";
  for (int i = 0; i < kernels; ++i) {
    const char* sweep = i % 2 == 0 ? "b[i] = a[n - 1 - i] + 1" : "a[i] = b[n - 1 - i] + 1";
    text += std::string("    foreach i in 0..n { ") + sweep + " }\n";
  }
  return text + "    done += 1\n  }\n}\n";
}

std::string nested_loops_text(int depth) {
  std::string text = R"(program nested(n: size) {
  inout a: f32[n], b: f32[n]
  in width: i64
  out done: i64
)";
  for (int level = 0; level < depth; ++level) {
    const std::string counter = "t" + std::to_string(level);
    text +=
        "  var " + counter + ": i64\n  while " + counter + " < width {\n  " + counter + " += 1\n";
  }
  text += "  foreach i in 0..n { b[i] = a[n - 1 - i] + 1 }\n  done += 1\n";
  return text + std::string(static_cast<std::size_t>(depth), '}') + "}\n";
}

LoopWays make_gyre_loops(const std::vector<std::string>& executors) {
  LoopWays ways;
  for (const std::string& executor : executors)
    ways.push_back(std::make_unique<GyreLoop>(executor));
  return ways;
}

}  // namespace gyre::bench
