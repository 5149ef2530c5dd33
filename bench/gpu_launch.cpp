// What does gyre cost around a loop? Compiling cold and warm, launching, rebinding, waiting for a
// result, cancelling, memory, and many loops at once.
//
//     gpu_launch [NAME]        results go to NAME.json, else to gpu_launch.json
//
// Host times of one call each, in microseconds; quantiles over many.
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"
#include "support/cg_program.hpp"
#include "support/report.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using gyre::bench::quantiles;
using gyre::bench::seconds;
namespace cuda = gyre::cuda;

constexpr const char* count_text = R"(program count() {
  in k: i64
  out n: i64
  while n < k { n += 1 }
}
)";

gyre::Executable make(const char* text) {
  return gyre::compile(gyre::text::parse_program("bench", text),
                       {.executor = "device_graph", .overlap = gyre::Overlap::Queue});
}

double us(const std::function<void()>& work) {
  return seconds(work) * 1e6;
}

/// CG on a five-point matrix of the device, its vectors twice: to bind the one or the other.
class BoundCg {
 public:
  explicit BoundCg(int side) : n_(side * side) {
    std::vector<std::int32_t> row = {0};
    std::vector<std::int32_t> col;
    std::vector<double> val;
    for (int at = 0; at < n_; ++at) {
      const int x = at % side;
      const auto add = [&](bool is_there, int column, double value) {
        if (!is_there) return;
        col.push_back(column);
        val.push_back(value);
      };
      add(at >= side, at - side, -1);
      add(x > 0, at - 1, -1);
      add(true, at, 4);
      add(x + 1 < side, at + 1, -1);
      add(at + side < n_, at + side, -1);
      row.push_back(static_cast<std::int32_t>(col.size()));
    }
    nnz_ = static_cast<std::int64_t>(col.size());
    put(row.data(), row.size() * 4, row_);
    put(col.data(), col.size() * 4, col_);
    put(val.data(), val.size() * 8, val_);
    const std::vector<double> ones(static_cast<std::size_t>(n_), 1.0);
    for (int i = 0; i < 2; ++i) {
      put(ones.data(), ones.size() * 8, b_[i]);
      put(ones.data(), ones.size() * 8, x_[i]);
    }
    cg.bind("row", address<std::int32_t>(row_), {n_ + 1});
    cg.bind("col", address<std::int32_t>(col_), {nnz_});
    cg.bind("val", address<double>(val_), {nnz_});
    bind_vectors(0);
    cg.set("max_trips", 3);
    cg.prepare();
  }

  void bind_vectors(int which) {
    cg.bind("b", address<double>(b_[which]), {n_});
    cg.bind("x", address<double>(x_[which]), {n_});
  }

  gyre::Executable cg = make(gyre::bench::cg_text);

 private:
  template <class T>
  static T* address(const cuda::DeviceMemory& memory) {
    return reinterpret_cast<T*>(memory.address());
  }
  void put(const void* values, std::size_t bytes, cuda::DeviceMemory& memory) {
    memory = cuda::DeviceMemory(bytes);
    cuda::copy_to_device(memory, values, bytes, stream_);
    stream_.synchronize();
  }

  std::int64_t n_;
  std::int64_t nnz_ = 0;
  cuda::Stream stream_;
  cuda::DeviceMemory row_, col_, val_, b_[2], x_[2];
};

nlohmann::json compile_times() {
  const auto folder = std::filesystem::temp_directory_path() / "gyre-bench-cache";
  std::filesystem::remove_all(folder);
  setenv("GYRE_CACHE_DIR", folder.c_str(), 1);
  const double cold = us([] { make(gyre::bench::cg_text); });
  std::vector<double> warm;
  for (int i = 0; i < 20; ++i) warm.push_back(us([] { make(gyre::bench::cg_text); }));
  return {{"compile_cold_us", cold}, {"compile_warm_us", quantiles(warm)}};
}

nlohmann::json launch_times() {
  BoundCg bound(64);
  std::vector<double> launch;
  std::vector<double> rebind;
  std::vector<double> rebound_launch;
  std::vector<double> to_result;
  for (int i = 0; i < 2000; ++i) {
    {
      const auto start = std::chrono::steady_clock::now();
      auto running = bound.cg.launch();
      const auto launched = std::chrono::steady_clock::now();
      static_cast<void>(running.result());
      const auto end = std::chrono::steady_clock::now();
      const auto time = [](auto from, auto to) {
        return std::chrono::duration<double, std::micro>(to - from).count();
      };
      launch.push_back(time(start, launched));
      to_result.push_back(time(start, end));
    }
    rebind.push_back(us([&] { bound.bind_vectors(i % 2); }));
    gyre::Launch running = [&] {
      const auto start = std::chrono::steady_clock::now();
      auto made = bound.cg.launch();
      rebound_launch.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
              .count());
      return made;
    }();
    static_cast<void>(running.result());
  }
  return {{"launch_us", quantiles(launch)},
          {"launch_to_result_of_3_trips_us", quantiles(to_result)},
          {"bind_two_vectors_us", quantiles(rebind)},
          {"launch_after_binding_us", quantiles(rebound_launch)}};
}

nlohmann::json cancel_times() {
  std::vector<double> times;
  for (int i = 0; i < 30; ++i) {
    gyre::Executable endless = make(count_text);
    endless.set("k", std::numeric_limits<std::int64_t>::max());
    auto launch = endless.launch();
    while (launch.progress() < 1000) std::this_thread::yield();
    times.push_back(us([&] {
      launch.cancel();
      static_cast<void>(launch.result());
    }));
  }
  // One that has run for ten seconds.
  gyre::Executable endless = make(count_text);
  endless.set("k", std::numeric_limits<std::int64_t>::max());
  auto launch = endless.launch();
  std::this_thread::sleep_for(std::chrono::seconds(10));
  const double after_ten_seconds = us([&] {
    launch.cancel();
    static_cast<void>(launch.result());
  });
  return {{"cancel_us", quantiles(times)},
          {"cancel_after_10_s_us", after_ten_seconds},
          {"trips_in_10_s", launch.result().total_trips()}};
}

nlohmann::json memory_use() {
  constexpr int count = 64;
  std::vector<gyre::Executable> executables;
  const auto add = [&] {
    executables.push_back(make(count_text));
    executables.back().set("k", std::int64_t{5});
    executables.back().run();
  };
  add();
  const std::size_t before = cuda::memory_info().free_bytes;
  for (int i = 0; i < count; ++i) add();
  const std::size_t after = cuda::memory_info().free_bytes;
  return {{"device_bytes_per_executable", (before - after) / count}};
}

// The same loops one after the other and at once, each on a stream of its own.
nlohmann::json overlap() {
  nlohmann::json rows = nlohmann::json::array();
  for (const int loops : {1, 4, 16, 64}) {
    std::vector<gyre::Executable> executables;
    for (int i = 0; i < loops; ++i) {
      executables.push_back(make(count_text));
      executables.back().set("k", std::int64_t{2000});
      executables.back().run();
    }
    const double turns = us([&] {
      for (auto& executable : executables) executable.run();
    });
    const double at_once = us([&] {
      std::vector<gyre::Launch> launches;
      for (auto& executable : executables) launches.push_back(executable.launch());
      for (auto& launch : launches) static_cast<void>(launch.result());
    });
    rows.push_back({{"loops", loops}, {"one_by_one_us", turns}, {"at_once_us", at_once}});
  }
  return {{"loops_of_2000_trips", rows}};
}

}  // namespace

int main(int count, char** arguments) {
  if (const std::string reason = gyre::executors::why_no_device_graph(); !reason.empty()) {
    std::printf("no GPU to measure: %s\n", reason.c_str());
    return 77;
  }
  nlohmann::json report = {{"question", "what gyre costs around a loop"},
                           {"unit", "microseconds of the host's clock"},
                           {"machine", gyre::bench::machine_facts()}};
  const cuda::Context context;
  const cuda::CurrentContext current(context);
  for (const auto& part :
       {compile_times(), launch_times(), cancel_times(), memory_use(), overlap()}) {
    std::printf("%s\n", part.dump().c_str());
    report.update(part);
  }
  gyre::bench::write_results(count > 1 ? arguments[1] : "gpu_launch", report);
  return 0;
}
