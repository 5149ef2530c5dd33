// Who should run a row: a thread, a warp or a block? Sums over rows of CSR matrices of several
// shapes.
//
// A loop of so many trips, each one sweep; a trip's time is the difference between many and few.
// The rows that a thread runs are read and added to, which keeps them from being shared.
#include "gyre/cuda/device_facts.hpp"
#include "gyre/plan/find_cost_table.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"
#include "support/clock.hpp"
#include "support/device_array.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
using bench::DeviceArray;

struct Matrix {
  std::string name;
  std::int64_t n;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;

  Matrix(std::string name_, std::int64_t n_) : name(std::move(name_)), n(n_) {}
  void end_row() { row.push_back(static_cast<std::int32_t>(col.size())); }
};

/// Every point of a cube of `side`^`dimensions` and those neighbours of it whose coordinates differ
/// by at most `reach` altogether.
Matrix stencil(const std::string& name, int side, int dimensions, int reach) {
  const int depth = dimensions == 3 ? side : 1;
  Matrix matrix(name, std::int64_t{side} * side * depth);
  const auto is_inside = [](int at, int extent) { return at >= 0 && at < extent; };
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        for (int d = 0; d < 27; ++d) {
          const int dx = d % 3 - 1;
          const int dy = d / 3 % 3 - 1;
          const int dz = d / 9 - 1;
          if (std::abs(dx) + std::abs(dy) + std::abs(dz) > reach) continue;
          if (!is_inside(x + dx, side) || !is_inside(y + dy, side) || !is_inside(z + dz, depth)) {
            continue;
          }
          matrix.col.push_back(((z + dz) * side + y + dy) * side + x + dx);
        }
        matrix.end_row();
      }
    }
  }
  return matrix;
}

/// Rows of `least` to `most` entries near a random place.
Matrix random_rows(const std::string& name, std::int64_t n, int least, int most) {
  Matrix matrix(name, n);
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> length(least, most);
  std::uniform_int_distribution<std::int64_t> place(0, n - 1);
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t at = place(random);
    for (int k = length(random); k > 0; --k) {
      matrix.col.push_back(static_cast<std::int32_t>(at % n));
      at += 1 + static_cast<std::int64_t>(random() % 3);
    }
    matrix.end_row();
  }
  return matrix;
}

std::string program_of(const std::string& sweep) {
  return R"(program rows(n: size, nnz: size) {
  in row: i32[n + 1], col: i32[nnz], val: f64[nnz], x: f64[n], trips: i32
  inout y: f64[n]
  for t in 0..trips {
    foreach i in 0..n )" +
         sweep + R"( sum(k in row[i]..row[i + 1]) val[k] * x[col[k]] }
  }
})";
}

/// A matrix with vectors, on the device.
class System {
 public:
  explicit System(const Matrix& matrix)
      : n_(matrix.n),
        nnz_(static_cast<std::int64_t>(matrix.col.size())),
        row_(matrix.row),
        col_(matrix.col),
        val_(random_values(nnz_)),
        x_(random_values(n_)),
        y_(std::vector<double>(static_cast<std::size_t>(n_))) {}

  /// Microseconds of one trip.
  double trip(const std::string& sweep) {
    auto rows = gyre::compile(gyre::text::parse_program("rows", program_of(sweep)),
                              {.executor = "device_graph"});
    rows.bind("row", row_.data(), {n_ + 1});
    rows.bind("col", col_.data(), {nnz_});
    rows.bind("val", val_.data(), {nnz_});
    rows.bind("x", x_.data(), {n_});
    rows.bind("y", y_.data(), {n_});
    const auto time = [&](std::int32_t trips) {
      rows.set("trips", trips);
      const auto one = [&] { return bench::microseconds([&] { rows.run(); }); };
      return bench::median(bench::sample(0, 4, one));
    };
    constexpr int few = 5;
    constexpr int many = 45;
    return (time(many) - time(few)) / (many - few);
  }

  /// The time of its bytes at the speed of a copy.
  double floor(double bytes_per_microsecond) const {
    return static_cast<double>(12 * nnz_ + 4 * n_ + 16 * n_) / bytes_per_microsecond;
  }
  double terms() const { return static_cast<double>(nnz_) / static_cast<double>(n_); }

 private:
  static std::vector<double> random_values(std::int64_t count) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& one : values) one = value(random);
    return values;
  }

  std::int64_t n_;
  std::int64_t nnz_;
  DeviceArray<std::int32_t> row_, col_;
  DeviceArray<double> val_, x_, y_;
};

// Made one by one: the largest take seconds.
std::vector<std::function<Matrix()>> matrices(bool quick) {
  std::vector<std::function<Matrix()>> all;
  const auto add_stencil = [&](const char* name, int side, int dimensions, int reach) {
    all.push_back([=] { return stencil(name, side, dimensions, reach); });
  };
  const auto add_random = [&](const char* name, std::int64_t n, int least, int most) {
    all.push_back([=] { return random_rows(name, n, least, most); });
  };
  add_stencil("5 points, 65,536 rows", 256, 2, 1);
  add_random("60 to 80, 2,000 rows", 2'000, 60, 80);
  if (quick) return all;
  add_stencil("5 points, 1 million rows", 1000, 2, 1);
  add_stencil("5 points, 4 million rows", 2000, 2, 1);
  add_stencil("27 points, 35,937 rows", 33, 3, 3);
  add_stencil("27 points, 1 million rows", 100, 3, 3);
  add_random("60 to 80, 100,000 rows", 100'000, 60, 80);
  add_random("200 to 300, 2,000 rows", 2'000, 200, 300);
  add_random("200 to 300, 50,000 rows", 50'000, 200, 300);
  add_random("1 to 400, 50,000 rows", 50'000, 1, 400);
  add_random("2,000, 8,000 rows", 8'000, 2'000, 2'000);
  add_random("20,000, 256 rows", 256, 20'000, 20'000);
  return all;
}

struct Way {
  const char* name;
  const char* sweep;
};
constexpr Way ways[] = {{"thread", "{ y[i] = 0.5 * y[i] +"},
                        {"warp", "team warp { y[i] ="},
                        {"block", "team block { y[i] ="},
                        {"chosen", "{ y[i] ="}};

void measure(bench::Report& report) {
  const double speed =
      gyre::plan::find_cost_table(gyre::cuda::read_device_facts().name).table.bytes_per_microsecond;
  for (const auto& make : matrices(report.options().quick)) {
    const Matrix matrix = make();
    System system(matrix);
    for (const Way& way : ways) {
      if (!report.wants(matrix.name, way.name)) continue;
      report.add(matrix.name, way.name,
                 {{"n", matrix.n},
                  {"terms_per_row", system.terms()},
                  {"us", system.trip(way.sweep)},
                  {"floor_us", system.floor(speed)}});
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"gpu_teams", "who should run a row: a thread, a warp or a block",
       "microseconds of a sweep in a loop; floor: its bytes at the speed of a copy"},
      measure);
}
