#include "run_report.hpp"

#include "gyre/ir/arguments.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

using Json = nlohmann::ordered_json;

// So many elements of a buffer tell a person whether the result makes sense.
constexpr std::size_t most_shown = 6;
// Of a switch with more arms, those that ran are shown; of them no more than this.
constexpr std::size_t most_arms = 16;

std::vector<ir::Value> first_elements(const io::ArrayData& array) {
  const std::size_t count = array.bytes.size() / ir::size_of(array.type);
  std::vector<ir::Value> values;
  for (std::size_t k = 0; k < std::min(count, most_shown); ++k) {
    values.push_back(
        ir::load_element(array.type, array.bytes.data(), static_cast<std::int64_t>(k)));
  }
  return values;
}

std::string print_buffer(const RunBuffer& buffer) {
  std::string text = buffer.name + ": " + ir::shape_text(buffer.array.type, buffer.array.extents);
  if (!buffer.file.empty()) return text + " in " + buffer.file;
  const auto first = first_elements(buffer.array);
  if (first.empty()) return text;
  text += " =";
  for (const ir::Value& value : first) text += " " + to_string(value);
  const bool has_more = first.size() * ir::size_of(buffer.array.type) < buffer.array.bytes.size();
  return has_more ? text + " ..." : text;
}

// Cases by their place in the program, from 0, and how often each ran.
std::string print_arms_that_ran(const std::string& region, const std::vector<std::uint64_t>& arms) {
  std::vector<std::string> cases;
  std::size_t ran = 0;
  for (std::size_t k = 0; k + 1 < arms.size(); ++k) {
    if (arms[k] == 0 || ++ran > most_arms) continue;
    cases.push_back(fmt::format("case#{} {}", k, arms[k]));
  }
  if (ran > most_arms) cases.push_back(fmt::format("{} more", ran - most_arms));
  return fmt::format("{}: {} of {} cases ran{}{}; default {}", region, ran, arms.size() - 1,
                     cases.empty() ? "" : ": ", fmt::join(cases, ", "), arms.back());
}

// An if has the arms then and else; a switch its cases and the default.
std::string print_arms(const std::string& region, const std::vector<std::uint64_t>& arms) {
  const auto name = region.substr(region.rfind('/') + 1);
  if (name.starts_with("if#")) {
    return fmt::format("{}: then {}, else {}", region, arms.at(0), arms.at(1));
  }
  if (arms.size() > most_arms) return print_arms_that_ran(region, arms);
  return fmt::format("{}: cases {}; default {}", region,
                     fmt::join(arms.begin(), arms.end() - 1, ", "), arms.back());
}

// `head` stands before the first line only.
std::string print_lines(std::string_view head, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += fmt::format("{:<10} {}\n", text.empty() ? head : "", line);
  }
  return text;
}

Json to_json(const ir::Value& value) {
  return ir::dispatch(value.type(), [&](auto zero) { return Json(value.as<decltype(zero)>()); });
}

Json to_json(const RunBuffer& buffer) {
  Json json = {{"type", ir::name_of(buffer.array.type)}, {"extents", buffer.array.extents}};
  if (!buffer.file.empty()) {
    json["file"] = buffer.file;
    return json;
  }
  Json first = Json::array();
  for (const ir::Value& value : first_elements(buffer.array)) first.push_back(to_json(value));
  json["first"] = std::move(first);
  return json;
}

}  // namespace

std::string print_report(const RunReport& report) {
  const ir::Outcome& outcome = report.result.outcome();
  std::vector<std::string> scalars;
  for (const auto& [name, value] : outcome.scalars) {
    scalars.push_back(name + " = " + to_string(value));
  }
  std::vector<std::string> trips;
  for (const auto& [region, count] : outcome.trips) {
    trips.push_back(fmt::format("{}: {}", region, count));
  }
  std::vector<std::string> arms;
  for (const auto& [region, counts] : outcome.arms) arms.push_back(print_arms(region, counts));
  std::vector<std::string> buffers;
  for (const RunBuffer& buffer : report.outputs) buffers.push_back(print_buffer(buffer));

  return print_lines("program", {report.program + " on " + report.executor}) +
         print_lines("ended", {report.result.describe()}) + print_lines("scalars", scalars) +
         print_lines("trips", trips) + print_lines("arms", arms) + print_lines("buffers", buffers);
}

std::string print_json(const RunReport& report) {
  const ir::Outcome& outcome = report.result.outcome();
  Json scalars = Json::object();
  for (const auto& [name, value] : outcome.scalars) scalars[name] = to_json(value);
  Json buffers = Json::object();
  for (const RunBuffer& buffer : report.outputs) buffers[buffer.name] = to_json(buffer);
  const Json json = {{"program", report.program},
                     {"executor", report.executor},
                     {"status", ir::name_of(outcome.status)},
                     {"message", report.result.describe()},
                     {"label", outcome.label},
                     {"code", outcome.code},
                     {"region", outcome.region},
                     {"fault", ir::name_of(outcome.fault)},
                     {"detail", outcome.detail},
                     {"scalars", std::move(scalars)},
                     {"trips", outcome.trips},
                     {"arms", outcome.arms},
                     {"buffers", std::move(buffers)},
                     {"seconds", report.seconds},
                     {"host_syncs", outcome.host_syncs}};
  // A file's name may hold any bytes; what comes out is UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gyre::cli
