// Who should run a row: a thread, a warp or a block? Sums over rows of CSR matrices of several
// shapes.
//
//     gpu_teams
//
// A loop of so many trips, each one sweep; a trip's time is the difference between many and few.
// The rows that a thread runs are read and added to, which keeps them from being shared.
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/plan/find_cost_table.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

namespace cuda = gyre::cuda;

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

cuda::DeviceMemory on_device(const void* values, std::size_t bytes) {
  cuda::DeviceMemory memory(bytes);
  const cuda::Stream stream;
  cuda::copy_to_device(memory, values, bytes, stream);
  stream.synchronize();
  return memory;
}

template <class T>
cuda::DeviceMemory on_device(const std::vector<T>& values) {
  return on_device(values.data(), values.size() * sizeof(T));
}

template <class T>
T* pointer(const cuda::DeviceMemory& memory) {
  return reinterpret_cast<T*>(memory.address());
}

/// A matrix with vectors, on the device.
class System {
 public:
  explicit System(const Matrix& matrix)
      : n_(matrix.n),
        nnz_(static_cast<std::int64_t>(matrix.col.size())),
        row_(on_device(matrix.row)),
        col_(on_device(matrix.col)),
        val_(on_device(random_values(nnz_))),
        x_(on_device(random_values(n_))),
        y_(static_cast<std::size_t>(n_) * sizeof(double)) {}

  /// Microseconds of one trip.
  double trip(const std::string& sweep) {
    auto rows = gyre::compile(gyre::text::parse_program("rows", program_of(sweep)),
                              {.executor = "device_graph"});
    rows.bind("row", pointer<const std::int32_t>(row_), {n_ + 1});
    rows.bind("col", pointer<const std::int32_t>(col_), {nnz_});
    rows.bind("val", pointer<const double>(val_), {nnz_});
    rows.bind("x", pointer<const double>(x_), {n_});
    rows.bind("y", pointer<double>(y_), {n_});
    const auto time = [&](std::int32_t trips) {
      rows.set("trips", trips);
      std::vector<double> times;
      for (int i = 0; i < 4; ++i) times.push_back(gyre::bench::seconds([&] { rows.run(); }));
      return gyre::bench::median(times);
    };
    constexpr int few = 5;
    constexpr int many = 45;
    return 1e6 * (time(many) - time(few)) / (many - few);
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
  cuda::DeviceMemory row_, col_, val_, x_, y_;
};

std::vector<Matrix> matrices() {
  std::vector<Matrix> all = {
      stencil("5 points, 65,536 rows", 256, 2, 1), stencil("5 points, 1 million rows", 1000, 2, 1),
      stencil("5 points, 4 million rows", 2000, 2, 1), stencil("27 points, 35,937 rows", 33, 3, 3),
      stencil("27 points, 1 million rows", 100, 3, 3)};
  all.push_back(random_rows("60 to 80, 2,000 rows", 2'000, 60, 80));
  all.push_back(random_rows("60 to 80, 100,000 rows", 100'000, 60, 80));
  all.push_back(random_rows("200 to 300, 2,000 rows", 2'000, 200, 300));
  all.push_back(random_rows("200 to 300, 50,000 rows", 50'000, 200, 300));
  all.push_back(random_rows("1 to 400, 50,000 rows", 50'000, 1, 400));
  all.push_back(random_rows("2,000, 8,000 rows", 8'000, 2'000, 2'000));
  all.push_back(random_rows("20,000, 256 rows", 256, 20'000, 20'000));
  return all;
}

}  // namespace

int main() {
  if (const std::string reason = gyre::executors::why_no_device_graph(); !reason.empty()) {
    std::printf("no GPU to measure: %s\n", reason.c_str());
    return 77;
  }
  const nlohmann::json machine = gyre::bench::machine_facts();
  const cuda::Context context;
  const cuda::CurrentContext current(context);
  const double speed =
      gyre::plan::find_cost_table(cuda::read_device_facts().name).table.bytes_per_microsecond;
  nlohmann::json rows = nlohmann::json::array();
  std::printf("%-26s %8s %8s %8s %8s %8s\n", "rows", "floor", "thread", "warp", "block", "chosen");
  for (const Matrix& matrix : matrices()) {
    System system(matrix);
    const nlohmann::json row = {{"matrix", matrix.name},
                                {"terms_per_row", system.terms()},
                                {"floor", system.floor(speed)},
                                {"thread", system.trip("{ y[i] = 0.5 * y[i] +")},
                                {"warp", system.trip("team warp { y[i] =")},
                                {"block", system.trip("team block { y[i] =")},
                                {"chosen", system.trip("{ y[i] =")}};
    std::printf("%-26s", matrix.name.c_str());
    for (const char* column : {"floor", "thread", "warp", "block", "chosen"}) {
      std::printf(" %8.1f", row[column].get<double>());
    }
    std::printf("\n");
    rows.push_back(row);
  }
  gyre::bench::write_results(
      "gpu_teams", {{"question", "Who should run a row: a thread, a warp or a block?"},
                    {"unit", "microseconds of a sweep in a loop; floor: its bytes at copy speed"},
                    {"machine", machine},
                    {"rows", rows}});
}
