#include "try_executors.hpp"

#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace gyre::cli {
namespace {

// Counts the odd numbers below 10 by a loop and a branch.
constexpr std::string_view trial =
    "program trial() {\n"
    "  out i: i64, odd: i64\n"
    "  while i < 10 {\n"
    "    if i % 2 == 1 { odd += 1 }\n"
    "    i += 1\n"
    "  }\n"
    "}\n";

// What went wrong on the executor of that name; empty where nothing did.
std::string failure_of(std::string_view executor) {
  try {
    Executable executable = compile(text::parse_program("trial", std::string(trial)),
                                    {.executor = std::string(executor)});
    const Result result = executable.run();
    if (result.completed() && result.get<std::int64_t>("odd") == 5) return {};
    return "a program of one loop ended with " + result.describe() +
           " and counted wrong; please report it";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::vector<executors::ExecutorInfo> try_executors() {
  auto infos = executors::available_executors();
  for (executors::ExecutorInfo& info : infos) {
    if (!info.available) continue;
    info.reason = failure_of(info.name);
    info.available = info.reason.empty();
  }
  return infos;
}

}  // namespace gyre::cli
