#include "report.hpp"

#include "gyre/base/error.hpp"
#include "gyre/executors/make_executor.hpp"
#include "support/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace gyre::bench {
namespace {

// A row as one line: numbers and words one behind the other, a time by its median.
std::string as_line(const nlohmann::json& figures) {
  std::string line;
  for (const auto& [name, value] : figures.items()) {
    const nlohmann::json& shown =
        value.is_object() && value.contains("median") ? value["median"] : value;
    char number[32];
    std::snprintf(number, sizeof number, "%.4g", shown.is_number() ? shown.get<double>() : 0);
    line += "  " + name + " " + (shown.is_number_float() ? number : shown.dump());
  }
  return line;
}

std::filesystem::path file_of(const std::string& bench) {
  const char* named = std::getenv("GYRE_BENCH_RESULTS");
  const std::filesystem::path folder = named != nullptr ? named : GYRE_SOURCE_DIR "/bench/results";
  return folder / (bench + ".json");
}

// What figures depend on. Hosts of one kind differ in their load, which is told for each run.
bool is_same_kind(const nlohmann::json& machine, const nlohmann::json& other) {
  const auto fact = [](const nlohmann::json& of, const char* name) {
    return of.contains(name) ? of[name] : nlohmann::json();
  };
  for (const char* name : {"cpu", "cores", "gpu", "driver", "compiler", "build_type"}) {
    if (fact(machine, name) != fact(other, name)) return false;
  }
  return true;
}

}  // namespace

Report::Report(Subject subject, Options options)
    : subject_(std::move(subject)),
      options_(std::move(options)),
      content_({{"bench", subject_.name},
                {"question", subject_.question},
                {"unit", subject_.unit},
                {"quick", options_.quick},
                {"finished", false},
                {"machine", machine_facts()},
                {"rows", nlohmann::json::array()},
                {"left_out", nlohmann::json::array()}}) {
  std::printf("%s: %s\n", subject_.name.c_str(), subject_.question.c_str());
  if (options_.resume) resume();
}

void Report::resume() {
  std::ifstream file(file_of(subject_.name));
  if (!file) return;
  nlohmann::json earlier = nlohmann::json::parse(file, nullptr, false);
  if (!earlier.is_object()) {
    throw UsageError("the earlier results of " + subject_.name + " are no JSON object");
  }
  if (earlier["quick"] != options_.quick ||
      !is_same_kind(earlier["machine"], content_["machine"])) {
    throw UsageError("the earlier results of " + subject_.name +
                     " are of another kind of run or machine");
  }
  resuming_ = std::exchange(content_["machine"], earlier["machine"]);
  content_["left_out"] = earlier["left_out"];
  for (const auto& [name, value] : earlier.items()) {
    if (!content_.contains(name)) content_[name] = value;
  }
  const nlohmann::json rows = earlier["rows"];
  for (const auto& row : rows) {
    if (!earlier["finished"] && row["problem"] == rows.back()["problem"]) continue;
    content_["rows"].push_back(row);
    kept_.emplace(row["problem"], row["way"]);
  }
}

bool Report::wants(const std::string& problem, const std::string& way) const {
  return !kept_.contains({problem, way}) &&
         (subject_.name + '/' + problem + '/' + way).find(options_.filter) != std::string::npos;
}

bool Report::may_want(const std::string& problem) const {
  return std::none_of(kept_.begin(), kept_.end(),
                      [&](const auto& row) { return row.first == problem; });
}

void Report::add(const std::string& problem, const std::string& way,
                 const nlohmann::json& figures) {
  nlohmann::json row = {{"problem", problem}, {"way", way}};
  row.update(figures);
  auto& rows = content_["rows"];
  // Measured anew, since the bench asked for something else than this row.
  if (kept_.erase({problem, way}) != 0) {
    std::erase_if(rows.get_ref<nlohmann::json::array_t&>(), [&](const nlohmann::json& kept) {
      return kept["problem"] == problem && kept["way"] == way;
    });
  }
  rows.push_back(row);
  // Each run that added rows, but for the first, which stands in the place of all.
  if (!resuming_.is_null()) content_["resumed"].push_back(std::exchange(resuming_, nullptr));
  std::printf("  %-34s %-34s%s\n", problem.c_str(), way.c_str(), as_line(figures).c_str());
  std::fflush(stdout);
  write();
}

void Report::leave_out(const std::string& problem, const std::string& way, const std::string& why) {
  auto& left_out = content_["left_out"];
  const nlohmann::json row = {{"problem", problem}, {"way", way}, {"why", why}};
  if (std::find(left_out.begin(), left_out.end(), row) == left_out.end()) left_out.push_back(row);
  std::printf("  %-34s %-34s  left out: %s\n", problem.c_str(), way.c_str(), why.c_str());
}

void Report::note(const std::string& name, const nlohmann::json& value) {
  content_[name] = value;
  std::printf("  %s: %s\n", name.c_str(), value.dump().c_str());
}

void Report::finish() {
  content_["finished"] = true;
  write();
}

void Report::write() const {
  if (content_["rows"].empty()) return;
  const std::filesystem::path path = file_of(subject_.name);
  std::filesystem::create_directories(path.parent_path());
  // Whoever ends the program meanwhile leaves the rows that it had.
  const std::filesystem::path beside = path.string() + ".tmp";
  std::ofstream file(beside);
  file << content_.dump(1) << '\n';
  if (!file.flush()) throw EnvironmentError("cannot write to " + path.parent_path().string());
  std::filesystem::rename(beside, path);
}

int run_bench(int count, char** words, const Subject& subject, void (*measure)(Report&)) {
  const auto succeeds = [&](const auto& work) {
    try {
      work();
      return true;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", subject.name.c_str(), error.what());
      return false;
    }
  };
  std::optional<Report> report;
  if (!succeeds([&] { report.emplace(subject, parse_options(count, words)); })) return 2;
  const bool measured = succeeds([&] { measure(*report); });
  const bool written = succeeds([&] { measured ? report->finish() : report->write(); });
  return measured && written ? 0 : 1;
}

int run_gpu_bench(int count, char** words, const Subject& subject, void (*measure)(Report&)) {
  for (const auto& executor : executors::available_executors()) {
    if (executor.name != "device_graph" || executor.available) continue;
    std::printf("%s: no GPU to measure: %s\n", subject.name.c_str(), executor.reason.c_str());
    return 77;
  }
  return run_bench(count, words, subject, measure);
}

}  // namespace gyre::bench
