// Conjugate gradients from a file of text: programs/cg.gyre holds the whole solve, its stop test
// included. One launch runs it to the end.
#include "laplacian.hpp"

#include <gyre/gyre.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

int main() {
  const std::string path = GYRE_SAMPLE_PROGRAMS "/cg.gyre";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();

  Laplacian a(64);
  std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x(a.rows());
  try {
    auto cg = gyre::compile(gyre::parse_program(path, text.str()));
    cg.bind("row", a.row);
    cg.bind("col", a.col);
    cg.bind("val", a.val);
    cg.bind("b", b);
    cg.bind("x", x);
    cg.set("rtol", 1e-10);

    const auto result = cg.run();

    std::printf("%s after %d trips, true residual %.2e, %d host synchronisations\n",
                result.describe().c_str(), result.get<int>("trips"), a.residual(b, x),
                static_cast<int>(result.host_syncs()));
    return a.residual(b, x) < 1e-9 ? 0 : 1;
  } catch (const gyre::Error& error) {
    // A faulty program comes here with every diagnostic, located in the text.
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
