#include "solve_report.hpp"

#include <cmath>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// In the unit that leaves one to three digits before the point.
std::string print_time(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

double seconds_per_iteration(const solvers::SolveResult& result) {
  return result.iterations > 0 ? result.seconds / static_cast<double>(result.iterations) : 0;
}

// Whether the recurrence tells something else than the residual that was computed from x.
bool recurrence_differs(const solvers::SolveResult& result) {
  return result.iterations > 0 && std::abs(result.recurrence_residual - result.relative_residual) >
                                      0.01 * result.relative_residual;
}

std::string print_preconditioner(const SolveReport& report) {
  std::string text = report.preconditioner == "none" ? "" : " with " + report.preconditioner;
  if (report.precision != "f64") text += " in " + report.precision;
  return text;
}

std::string print_system(const SolveReport& report) {
  return fmt::format("{}: {}, {}, {}", report.matrix, counted(report.n, "row"),
                     report.entries == 1 ? "1 entry" : fmt::format("{} entries", report.entries),
                     report.is_symmetric ? "symmetric" : "not symmetric");
}

Json to_json(const SolveReport& report) {
  const solvers::SolveResult& result = report.result;
  Json json = {{"matrix", report.matrix},
               {"n", report.n},
               {"nnz", report.entries},
               {"symmetric", report.is_symmetric},
               {"method", report.method},
               {"why", report.why},
               {"preconditioner", report.preconditioner},
               {"precision", report.precision},
               {"executor", report.executor},
               {"reason", solvers::name_of(result.reason)},
               {"converged", solvers::is_converged(result.reason)},
               {"message", solvers::describe(result)},
               {"iterations", result.iterations},
               {"restarts", result.restarts},
               {"residual", result.residual},
               {"relative_residual", result.relative_residual},
               {"start_residual", result.start_residual},
               {"recurrence_residual", result.recurrence_residual},
               {"seconds", result.seconds},
               {"seconds_per_iteration", seconds_per_iteration(result)},
               {"host_syncs", result.host_syncs}};
  if (!result.history.empty()) {
    json["first_trip"] = result.first_kept;
    json["history"] = result.history;
  }
  return json;
}

std::string dump(const Json& json) {
  // A file's name may hold any bytes; what comes out is UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string print_report(const SolveReport& report) {
  const solvers::SolveResult& result = report.result;
  std::string iterations = fmt::format("{}", result.iterations);
  if (result.restarts > 0) iterations += ", with " + counted(result.restarts, "restart");
  std::string residual = fmt::format("{:.3e} = ||b - A x|| / ||b||", result.relative_residual);
  if (recurrence_differs(result)) {
    residual += fmt::format("; {:.3e} by the recurrence", result.recurrence_residual);
  }
  std::string time = print_time(result.seconds);
  if (result.iterations > 0) {
    time += fmt::format(", {} per iteration", print_time(seconds_per_iteration(result)));
  }
  return fmt::format(
      "matrix      {}\n"
      "method      {}{} on {}{}\n"
      "ended       {}: {}\n"
      "iterations  {}\n"
      "residual    {}\n"
      "time        {}, {}\n",
      print_system(report), report.method, print_preconditioner(report), report.executor,
      report.why.empty() ? "" : ": " + report.why, solvers::name_of(result.reason),
      solvers::describe(result), iterations, residual, time,
      counted(static_cast<std::int64_t>(result.host_syncs), "host synchronisation"));
}

std::string print_table(const std::vector<SolveReport>& reports) {
  const SolveReport& first = reports.front();
  std::string table =
      fmt::format("{}\n{}{}\n\n", print_system(first), first.method, print_preconditioner(first));
  table += fmt::format("{:<13} {:<21} {:>10} {:>14} {:>14} {:>11}\n", "executor", "status",
                       "iterations", "true residual", "per iteration", "host syncs");
  for (const SolveReport& report : reports) {
    const solvers::SolveResult& result = report.result;
    table +=
        fmt::format("{:<13} {:<21} {:>10} {:>14.3e} {:>14} {:>11}\n", report.executor,
                    solvers::name_of(result.reason), result.iterations, result.relative_residual,
                    print_time(seconds_per_iteration(result)), result.host_syncs);
  }
  return table;
}

std::string print_json(const SolveReport& report) {
  return dump(to_json(report));
}

std::string print_json(const std::vector<SolveReport>& reports) {
  Json list = Json::array();
  for (const SolveReport& report : reports) list.push_back(to_json(report));
  return dump(list);
}

std::string print_history(const solvers::SolveResult& result) {
  std::string text = "trip residual\n";
  std::int64_t trip = result.first_kept;
  for (const double norm : result.history) text += fmt::format("{} {:.16e}\n", trip++, norm);
  return text;
}

}  // namespace gyre::cli
