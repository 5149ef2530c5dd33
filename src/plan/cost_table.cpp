#include "gyre/plan/cost_table.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gyre::plan {
namespace {

struct Row {
  const char* name;
  double CostTable::*cost;
};

// Every number of CostTable by its name, in its order.
constexpr Row rows[] = {
    {"graph_kernel", &CostTable::graph_kernel},
    {"programmatic_kernel", &CostTable::programmatic_kernel},
    {"empty_kernel", &CostTable::empty_kernel},
    {"guarded_off_kernel", &CostTable::guarded_off_kernel},
    {"while_trip", &CostTable::while_trip},
    {"if_not_taken", &CostTable::if_not_taken},
    {"if_taken", &CostTable::if_taken},
    {"if_else", &CostTable::if_else},
    {"switch_of_8", &CostTable::switch_of_8},
    {"switch_of_64", &CostTable::switch_of_64},
    {"host_kernel", &CostTable::host_kernel},
    {"item_pageable", &CostTable::item_pageable},
    {"item_pinned", &CostTable::item_pinned},
    {"item_polled", &CostTable::item_polled},
    {"launch_call", &CostTable::launch_call},
    {"launch_call_while", &CostTable::launch_call_while},
    {"launch_and_wait", &CostTable::launch_and_wait},
    {"launch_and_wait_while", &CostTable::launch_and_wait_while},
    {"block_barrier", &CostTable::block_barrier},
    {"cluster_barrier", &CostTable::cluster_barrier},
    {"grid_barrier", &CostTable::grid_barrier},
    {"last_block_ticket", &CostTable::last_block_ticket},
    {"bytes_per_microsecond", &CostTable::bytes_per_microsecond},
    {"kernel_sweep", &CostTable::kernel_sweep},
    {"block_sweep", &CostTable::block_sweep},
    {"cluster_sweep", &CostTable::cluster_sweep},
    {"grid_sweep", &CostTable::grid_sweep},
    {"block_trip", &CostTable::block_trip},
    {"cluster_trip", &CostTable::cluster_trip},
    {"grid_trip", &CostTable::grid_trip},
    {"kernel_fold", &CostTable::kernel_fold},
    {"block_fold", &CostTable::block_fold},
    {"cluster_fold", &CostTable::cluster_fold},
    {"grid_fold", &CostTable::grid_fold},
    {"shared_bytes_per_microsecond", &CostTable::shared_bytes_per_microsecond},
    {"cached_bytes_per_microsecond", &CostTable::cached_bytes_per_microsecond},
    {"shared_bytes_by_four", &CostTable::shared_bytes_by_four},
    {"cached_bytes_by_four", &CostTable::cached_bytes_by_four},
};
static_assert(sizeof(CostTable) == sizeof(std::string) + std::size(rows) * sizeof(double),
              "a cost has no row");

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw UsageError(name + " is no table of costs: " + why +
                   "; 'gyre doctor --calibrate' measures one");
}

using Json = nlohmann::ordered_json;

double read_cost(const Json& costs, const char* cost, const std::string& name) {
  const auto found = costs.find(cost);
  if (found == costs.end()) refuse(name, std::string("'") + cost + "' is missing");
  const double value = found->is_number() ? found->get<double>() : -1;
  if (!std::isfinite(value) || value < 0) {
    refuse(name, std::string("'") + cost + "' is no number from 0 up");
  }
  return value;
}

void refuse_unknown(const Json& costs, const std::string& name) {
  for (const auto& cost : costs.items()) {
    const std::string& key = cost.key();
    const bool known =
        key == "device" || std::any_of(std::begin(rows), std::end(rows),
                                       [&](const Row& row) { return row.name == key; });
    if (!known) refuse(name, "'" + key + "' is no cost");
  }
}

}  // namespace

CostTable parse_cost_table(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) refuse(name, "it is no JSON object");
  const auto device = json.find("device");
  if (device == json.end() || !device->is_string()) refuse(name, "'device' names no GPU");
  refuse_unknown(json, name);

  CostTable table;
  table.device = device->get<std::string>();
  for (const Row& row : rows) table.*row.cost = read_cost(json, row.name, name);
  return table;
}

std::string print_cost_table(const CostTable& table) {
  std::string text = "{\n  \"device\": " + Json(table.device).dump();
  for (const Row& row : rows) text += fmt::format(",\n  \"{}\": {:.4g}", row.name, table.*row.cost);
  return text + "\n}\n";
}

}  // namespace gyre::plan
