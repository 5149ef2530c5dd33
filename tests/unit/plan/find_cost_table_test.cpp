#include "gyre/plan/find_cost_table.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "support/environment_variable.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

namespace fs = std::filesystem;

/// A user's directory of its own, without GYRE_COSTS.
class FindCostTable : public testing::Test {
 protected:
  FindCostTable() { fs::create_directories(directory_); }
  ~FindCostTable() override { fs::remove_all(directory_); }

  static fs::path write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  static CostTable table_of(const std::string& device, double while_trip) {
    CostTable table = shipped_cost_table();
    table.device = device;
    table.while_trip = while_trip;
    return table;
  }

  fs::path directory_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  support::EnvironmentVariable user_{"GYRE_CACHE_DIR", directory_.c_str()};
  support::EnvironmentVariable named_{"GYRE_COSTS", ""};
};

TEST_F(FindCostTable, GivesTheShippedOneWhereNothingWasMeasured) {
  const FoundCosts found = find_cost_table("NVIDIA RTX 5090");

  EXPECT_EQ(found.table, shipped_cost_table());
  EXPECT_EQ(found.origin, "shipped, of NVIDIA H200");
}

TEST_F(FindCostTable, PrefersWhatWasMeasuredOnSuchAGpu) {
  const fs::path file = measured_costs_file("NVIDIA RTX 5090");
  write(file, print_cost_table(table_of("NVIDIA RTX 5090", 2.5)));

  EXPECT_EQ(file, directory_ / "costs" / "NVIDIA_RTX_5090.json");
  EXPECT_EQ(find_cost_table("NVIDIA RTX 5090").table.while_trip, 2.5);
  EXPECT_EQ(find_cost_table("NVIDIA RTX 5090").origin, "measured here, in " + file.string());
  EXPECT_EQ(find_cost_table("NVIDIA RTX 4090").table, shipped_cost_table());
}

TEST_F(FindCostTable, PrefersTheFileThatTheEnvironmentNames) {
  write(measured_costs_file("gpu"), print_cost_table(table_of("gpu", 2.5)));
  const fs::path file = write(directory_ / "mine.json", print_cost_table(table_of("gpu", 9)));
  const support::EnvironmentVariable costs("GYRE_COSTS", file.c_str());

  EXPECT_EQ(find_cost_table("gpu").table.while_trip, 9);
  EXPECT_EQ(find_cost_table("gpu").origin, file.string() + ", which GYRE_COSTS names");
}

TEST_F(FindCostTable, RefusesANamedFileThatIsMissingOrNoTable) {
  const fs::path missing = directory_ / "missing.json";
  const fs::path empty = write(directory_ / "empty.json", "");
  {
    const support::EnvironmentVariable costs("GYRE_COSTS", missing.c_str());
    EXPECT_THROW(find_cost_table("gpu"), UsageError);
  }
  const support::EnvironmentVariable costs("GYRE_COSTS", empty.c_str());
  EXPECT_THROW(find_cost_table("gpu"), UsageError);
}

TEST_F(FindCostTable, PassesOverADamagedMeasurementAndSaysSo) {
  write(measured_costs_file("gpu"), "{");
  std::vector<std::string> lines;
  log::set_sink([&](log::Level, std::string_view line) { lines.emplace_back(line); });

  const FoundCosts found = find_cost_table("gpu");

  log::set_sink({});
  EXPECT_EQ(found.table, shipped_cost_table());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("gpu.json is no table of costs"), std::string::npos) << lines[0];
}

TEST_F(FindCostTable, KeepsNoMeasurementsWithoutADirectoryOrADevice) {
  EXPECT_TRUE(measured_costs_file("").empty());
  const support::EnvironmentVariable cache("GYRE_CACHE_DIR", "");
  const support::EnvironmentVariable caches("XDG_CACHE_HOME", "");
  const support::EnvironmentVariable home("HOME", "");
  EXPECT_TRUE(measured_costs_file("gpu").empty());
}

}  // namespace
}  // namespace gyre::plan
