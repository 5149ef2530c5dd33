// What does gyre cost around a loop? Compiling with a cold and a warm cache, building graphs, the
// first launch and later ones, rebinding, cancelling, and memory. Host times of one call each, of
// conjugate gradients on 4,096 rows.
#include "gyre/gyre.hpp"
#include "support/cg_program.hpp"
#include "support/clock.hpp"
#include "support/gyre_cg.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
using bench::microseconds;

constexpr const char* count_text = R"(program count() {
  in k: i64
  out n: i64
  while n < k { n += 1 }
}
)";

/// One executor, and what is measured of it.
class Costs {
 public:
  Costs(bench::Report& report, bench::DeviceSystem& system, std::string executor)
      : report_(report), system_(system), executor_(std::move(executor)) {}

  void measure() {
    compile();
    start();
    launch();
    rebind();
    cancel();
    memory();
  }

 private:
  void add(const std::string& what, const std::vector<double>& times) {
    report_.add(what, executor_, {{"us", bench::quantiles(times)}});
  }

  // A loop that is cancelled; should that fail, it ends within minutes.
  gyre::Executable count() const {
    return gyre::compile(gyre::text::parse_program("count", count_text),
                         {.executor = executor_, .max_trips = 20'000'000});
  }

  gyre::Executable bound_cg() {
    gyre::Executable cg = bench::compile_cg(executor_);
    bench::bind_cg(cg, system_, {0, 3});
    return cg;
  }

  // A program of another name is one that no cache has seen.
  void compile() {
    static int names = 0;
    add("compile, cold cache", bench::sample(0, report_.options().runs(3, 1), [&] {
          std::string text = bench::cg_text;
          text.replace(text.find("cg("), 2, "cold" + std::to_string(++names));
          return microseconds([&] {
            gyre::compile(gyre::text::parse_program("cg", text), {.executor = executor_});
          });
        }));
    add("compile, warm cache", bench::sample(1, report_.options().runs(20, 3), [&] {
          return microseconds([&] { bench::compile_cg(executor_); });
        }));
  }

  void start() {
    const int runs = report_.options().runs(20, 2);
    add("prepare: lay out, build and instantiate", bench::sample(1, runs, [&] {
          gyre::Executable cg = bound_cg();
          return microseconds([&] { cg.prepare(); });
        }));
    add("first launch to result, 3 trips", bench::sample(1, runs, [&] {
          gyre::Executable cg = bound_cg();
          return microseconds([&] { cg.run(); });
        }));
  }

  void launch() {
    gyre::Executable cg = bound_cg();
    cg.prepare();
    const bench::BenchStream stream;
    std::vector<double> launches;
    add("launch to result, 3 trips", bench::sample(20, report_.options().runs(1000, 10), [&] {
          std::optional<gyre::Launch> running;
          launches.push_back(microseconds([&] { running.emplace(cg.launch(stream.get())); }));
          return launches.back() + microseconds([&] { running->result(); });
        }));
    add("launch call", launches);
  }

  void rebind() {
    gyre::Executable cg = bound_cg();
    const bench::DeviceArray<double> b(system_.b.to_host());
    const bench::DeviceArray<double> x(system_.x.size());
    const bench::BenchStream stream;
    const std::int64_t n = system_.rows();
    int turn = 0;
    std::vector<double> binds;
    std::vector<double> launches;
    for (int run = 0; run < report_.options().runs(500, 10); ++run) {
      const bool other = ++turn % 2 == 1;
      binds.push_back(microseconds([&] {
        cg.bind("b", other ? b.data() : system_.b.data(), {n});
        cg.bind("x", other ? x.data() : system_.x.data(), {n});
      }));
      std::optional<gyre::Launch> running;
      launches.push_back(microseconds([&] { running.emplace(cg.launch(stream.get())); }));
      running->result();
    }
    add("bind two vectors", binds);
    add("launch call after binding two vectors", launches);
  }

  void cancel() {
    gyre::Executable endless = count();
    endless.set("k", std::numeric_limits<std::int64_t>::max());
    endless.prepare();
    add("cancel to result", bench::sample(2, report_.options().runs(50, 3), [&] {
          gyre::Launch running = endless.launch();
          static_cast<void>(running.wait_for(std::chrono::milliseconds(2)));
          const double us = microseconds([&] {
            running.cancel();
            static_cast<void>(running.result());
          });
          if (running.result().status() == gyre::Status::Cancelled) return us;
          throw gyre::InternalError("a cancelled loop: " + running.result().describe());
        }));
  }

  void memory() {
    constexpr int executables = 64;
    std::vector<gyre::Executable> made;
    const auto make = [&] {
      made.push_back(bound_cg());
      made.back().prepare();
    };
    const auto free_bytes = [] {
      std::size_t free = 0;
      std::size_t total = 0;
      bench::must(cudaMemGetInfo(&free, &total));
      return free;
    };
    make();
    const std::size_t before = free_bytes();
    for (int i = 0; i < executables; ++i) make();
    // Its three vectors are not gyre's.
    const std::size_t temporaries = 3 * system_.b.bytes();
    report_.add("memory of an executable", executor_,
                {{"device_bytes", (before - free_bytes()) / executables},
                 {"of_that_temporaries", temporaries}});
  }

  bench::Report& report_;
  bench::DeviceSystem& system_;
  std::string executor_;
};

void measure(bench::Report& report) {
  const auto folder = std::filesystem::temp_directory_path() / "gyre-bench-cache";
  std::filesystem::remove_all(folder);
  setenv("GYRE_CACHE_DIR", folder.c_str(), 1);
  bench::DeviceSystem system(bench::Stencil{5, 64});
  system.x.clear();
  for (const std::string& executor : bench::gyre_gpu_executors()) {
    if (!report.wants("", executor)) continue;
    try {
      Costs(report, system, executor).measure();
    } catch (const gyre::Error& error) {
      report.leave_out("costs", executor, error.what());
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words, {"launch_costs", "what gyre costs around a loop", "microseconds of the host"},
      measure);
}
