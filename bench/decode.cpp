// What does a token cost where the loop that decodes is one launch, and where the host asks after
// each?
//
// A transformer of two layers decodes 256 tokens greedily, at one width after the other: launches
// and looks of the host cost the same at each, so that they matter less and less. Then speculative
// decode beside greedy decode of its target, and a transducer. All memory lies on the GPU; times
// are the host's, from launch to result.
#include "forwards/batch.hpp"
#include "forwards/decoder_weights.hpp"
#include "forwards/greedy.hpp"
#include "forwards/speculative.hpp"
#include "forwards/transducer_weights.hpp"
#include "gyre/base/error.hpp"
#include "support/clock.hpp"
#include "support/decode_way.hpp"
#include "support/report.hpp"

#ifdef GYRE_BENCH_HAS_LIBRARIES
#include "forwards/cublas_product.hpp"
#endif

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
using namespace forwards;

constexpr std::int32_t decoded = 256;

DecoderShape shape_of(int width, int layers) {
  return {.layers = layers,
          .width = width,
          .heads = std::max(1, width / 64),
          .hidden = 4 * width,
          .vocabulary = 1024,
          .positions = decoded + 1,
          .page = 16};
}

std::vector<Request> requests_of(int members) {
  std::vector<Request> requests;
  for (int m = 0; m < members; ++m) {
    requests.push_back({.prompt = {m + 1}, .stop_token = -1, .most_tokens = decoded + 1});
  }
  return requests;
}

void add_weights(bench::DeviceMemory& memory, const DecoderWeights& weights,
                 const std::string& prefix = "") {
  DecoderWeights::each(weights, [&](const char* name, const auto& values, auto extents) {
    memory.add(prefix + name, values, std::move(extents));
  });
}

// What every way of a greedy decode binds, the trips of one and all trips alike.
bench::DeviceMemory greedy_memory(const DecoderWeights& weights, Batch& batch) {
  constexpr std::int64_t places = 16;
  bench::DeviceMemory memory;
  const auto add = [&](const auto& name, const auto& values, auto extents) {
    memory.add(name, values, std::move(extents));
  };
  add_weights(memory, weights);
  batch.each(add);
  const auto members = static_cast<std::size_t>(batch.members);
  const std::int64_t width = weights.shape.width;
  const std::int64_t vocabulary = weights.shape.vocabulary;
  add("emitted", std::vector<std::int64_t>(members * places), std::vector{batch.members, places});
  add("logits", std::vector<float>(members * static_cast<std::size_t>(places * vocabulary)),
      std::vector{batch.members, places, vocabulary});
  add("row_position", std::vector<std::int32_t>(members),
      std::vector<std::int64_t>{1, batch.members});
  add("row", std::vector<float>(members * static_cast<std::size_t>(width)),
      std::vector<std::int64_t>{1, batch.members, width});
  add("left", std::vector<std::int32_t>(1), std::vector<std::int64_t>{1});
  return memory;
}

// Runs `way` from the start of its batch again and again.
std::vector<double> time(bench::DecodeWay& way, bench::DeviceMemory& memory, int runs,
                         std::int64_t& waits) {
  return bench::sample(1, runs, [&] {
    memory.clear("cached");
    memory.clear("ended");
    return bench::microseconds([&] { waits = way.run(); });
  });
}

// How many tokens stand where they stand in `expected`, before the first that does not.
std::size_t agreement(const Tokens& tokens, const Tokens& expected) {
  return static_cast<std::size_t>(
      std::mismatch(tokens.begin(), tokens.end(), expected.begin()).first - tokens.begin());
}

bench::DecodeWays greedy_ways(const DecoderShape& shape) {
  const auto program = greedy_decode(shape);
  bench::DecodeWays ways;
  ways.push_back(bench::make_one_launch("device_graph", program));
  for (auto& way : bench::make_asking_ways(program)) ways.push_back(std::move(way));
  ways.push_back(bench::make_graph_per_token(shape));
#ifdef GYRE_BENCH_HAS_LIBRARIES
  ways.push_back(
      bench::make_one_launch("device_graph, cuBLAS", greedy_decode(shape, cublas_product())));
#endif
  return ways;
}

std::string greedy_problem(const DecoderShape& shape, int members) {
  return "greedy, " + std::to_string(members) + (members == 1 ? " member" : " members") +
         ", width " + std::to_string(shape.width);
}

void measure_greedy(bench::Report& report, const DecoderShape& shape, int members,
                    bench::DecodeWays ways) {
  const std::string problem = greedy_problem(shape, members);
  const auto weights = make_decoder_weights(shape, 1);
  Batch batch(shape, requests_of(members));
  auto memory = greedy_memory(weights, batch);
  Tokens expected;
  for (const auto& way : ways) {
    if (!report.wants(problem, way->name())) continue;
    try {
      way->prepare(memory);
    } catch (const gyre::Error& error) {
      report.leave_out(problem, way->name(), error.what());
      continue;
    }
    std::int64_t waits = 0;
    const auto times = time(*way, memory, report.options().runs(15, 2), waits);
    const auto tokens = memory.to_host<std::int32_t>("tokens");
    if (expected.empty()) expected = tokens;
    const bool is_library = way->name().find("cuBLAS") != std::string::npos;
    if (tokens != expected && !is_library) {
      throw std::logic_error(way->name() + " decodes other tokens at " + problem);
    }
    if (way->name().starts_with("device_graph") && waits != 0) {
      throw std::logic_error(way->name() + " made the host wait");
    }
    report.add(problem, way->name(),
               {{"by", way->is_gyre() ? "gyre" : "rival"},
                {"width", shape.width},
                {"members", members},
                {"host_waits", waits},
                {"tokens_agree", agreement(tokens, expected)},
                {"us_per_token", bench::quantiles_of_parts(times, decoded)}});
  }
}

// Programs of all widths are compiled at once: their text knows the width.
void measure_widths(bench::Report& report) {
  for (const int members : {1, 8}) {
    std::vector<DecoderShape> shapes;
    for (const int width : {32, 64, 128, 256, 512, 1024}) {
      if (report.options().quick && width > 64) continue;
      const auto shape = shape_of(width, 2);
      if (report.may_want(greedy_problem(shape, members))) shapes.push_back(shape);
    }
    std::vector<std::future<bench::DecodeWays>> compiled;
    for (const auto& shape : shapes)
      compiled.push_back(std::async(std::launch::async, greedy_ways, shape));
    for (std::size_t i = 0; i < shapes.size(); ++i)
      measure_greedy(report, shapes[i], members, compiled[i].get());
  }
}

// Greedy decode of the target is the first, with no proposals.
struct Speculation {
  DecoderShape target;
  int proposals;

  std::string problem() const { return "speculative, width " + std::to_string(target.width); }
  std::string name() const {
    if (proposals == 0) return "device_graph";
    return "device_graph, " + std::to_string(proposals) + " proposals";
  }
  DecoderShape draft() const {
    DecoderShape one_layer = target;
    one_layer.layers = 1;
    return one_layer;
  }
};

std::unique_ptr<bench::DecodeWay> way_of(const Speculation& one) {
  return bench::make_one_launch(one.name(),
                                one.proposals == 0
                                    ? greedy_decode(one.target)
                                    : speculative_decode({one.target, one.draft(), one.proposals}));
}

void measure_speculation(bench::Report& report, const Speculation& one, const DecoderPair& decoders,
                         bench::DecodeWay& way, Tokens& expected) {
  Batch batch(one.target, requests_of(1));
  PageCache draft_cache(one.draft(), batch.pages);
  auto memory = greedy_memory(decoders.target, batch);
  add_weights(memory, decoders.draft, "draft_");
  draft_cache.each([&](const auto& name, const auto& values,
                       const auto& extents) { memory.add(name, values, extents); },
                   "draft_");
  memory.add("kept", std::vector<std::int64_t>(static_cast<std::size_t>(one.proposals) + 1),
             {one.proposals + 1});
  way.prepare(memory);
  std::int64_t waits = 0;
  const auto times = time(way, memory, report.options().runs(15, 2), waits);
  const auto tokens = memory.to_host<std::int32_t>("tokens");
  if (expected.empty()) expected = tokens;
  if (tokens != expected) throw std::logic_error(one.name() + " decodes other tokens");
  std::int64_t rounds = one.proposals == 0 ? decoded : 0;
  for (const std::int64_t count : memory.to_host<std::int64_t>("kept")) rounds += count;
  report.add(one.problem(), one.name(),
             {{"width", one.target.width},
              {"proposals", one.proposals},
              {"host_waits", waits},
              {"tokens_per_round", decoded / static_cast<double>(rounds)},
              {"us_per_token", bench::quantiles_of_parts(times, decoded)}});
}

void measure_speculations(bench::Report& report) {
  for (const int width : {64, 256, 1024}) {
    std::vector<Speculation> all;
    for (const int proposals : {0, 2, 4, 6}) {
      const Speculation one{shape_of(width, 4), proposals};
      if (report.options().quick && (width > 64 || proposals > 2)) continue;
      if (report.may_want(one.problem()) && report.wants(one.problem(), one.name())) {
        all.push_back(one);
      }
    }
    if (all.empty()) continue;
    std::vector<std::future<std::unique_ptr<bench::DecodeWay>>> compiled;
    for (const auto& one : all) compiled.push_back(std::async(std::launch::async, way_of, one));
    const auto decoders = make_decoder_pair(all.front().target, 1, 0.05F);
    Tokens expected;
    for (std::size_t i = 0; i < all.size(); ++i) {
      measure_speculation(report, all[i], decoders, *compiled[i].get(), expected);
    }
  }
}

void measure_transducer(bench::Report& report) {
  const TransducerShape shape{
      .encoder = 256, .predictor = 256, .joint = 256, .vocabulary = 512, .most_frames = 200};
  const auto weights = make_transducer_weights(shape, 1, 2.0F);
  Recordings recordings(shape, {200, 180, 150, 200}, 2);
  bench::DeviceMemory memory;
  const auto add = [&](const auto& name, const auto& values, auto extents) {
    memory.add(name, values, std::move(extents));
  };
  TransducerWeights::each(weights, add);
  recordings.each(add);
  add("emitted", std::vector<std::int64_t>(4 * 16), std::vector<std::int64_t>{4, 16});
  const auto program = transducer_decode(shape);
  bench::DecodeWays ways = bench::make_asking_ways(program);
  ways.insert(ways.begin(), bench::make_one_launch("device_graph", program));
  Tokens expected;
  for (const auto& way : ways) {
    if (!report.wants("transducer", way->name())) continue;
    way->prepare(memory);
    std::int64_t waits = 0;
    const auto times = bench::sample(1, report.options().runs(15, 2), [&] {
      return bench::microseconds([&] { waits = way->run(); });
    });
    const auto symbols = memory.to_host<std::int32_t>("symbols");
    if (expected.empty()) expected = symbols;
    if (symbols != expected) throw std::logic_error(way->name() + " hears other symbols");
    report.add("transducer", way->name(),
               {{"host_waits", waits},
                {"us_per_frame", bench::quantiles_of_parts(times, shape.most_frames)}});
  }
}

void measure(bench::Report& report) {
  measure_widths(report);
  measure_speculations(report);
  measure_transducer(report);
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"decode", "what a token costs where the device decides whether there is another",
       "microseconds a token, from launch to result"},
      measure);
}
