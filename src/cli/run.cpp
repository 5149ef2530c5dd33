/// `gyre run FILE`: runs a program on values and files, and tells what came of it.
#include "command.hpp"
#include "gyre/base/error.hpp"
#include "gyre/io/array_file.hpp"
#include "gyre/io/file.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/runtime/trace.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "run_arguments.hpp"
#include "run_report.hpp"
#include "source_file.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

// How long Ctrl-C may go unseen.
constexpr auto watch_interval = std::chrono::milliseconds(50);

struct RunCommand {
  std::string file;
  std::vector<std::string> set;
  std::vector<std::string> in;
  std::vector<std::string> out;
  CompileOptions compile;
  // Signed, because a negative number would else be read as a huge one.
  std::int64_t max_trips = static_cast<std::int64_t>(ir::default_max_trips);
  std::string trace;
  bool json = false;
};

// Runs to the end, or to the cancelling that Ctrl-C asks for.
Result run_watched(Executable& executable, Trace* trace) {
  const Interrupt interrupt;
  Progress progress;
  Launch launch = executable.launch(trace);
  while (!launch.wait_for(watch_interval)) {
    if (interrupt.requested()) launch.cancel();
    progress.show(launch.progress());
  }
  return launch.result();
}

// What cannot be written is told before the run, not after it.
void verify_outputs(const std::vector<RunBuffer>& buffers) {
  for (const RunBuffer& buffer : buffers) {
    if (!buffer.file.empty()) io::verify_writable(buffer.file);
  }
}

// The trips of a run, in the form that the file's name asks for.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)) {
    if (path_.empty()) return;
    if (!path_.ends_with(".json") && !path_.ends_with(".csv")) {
      throw UsageError("--trace takes a file that ends in .json or .csv, not '" + path_ + "'");
    }
    io::verify_writable(path_);
  }

  Trace* trace() { return path_.empty() ? nullptr : &trace_; }
  void write() const {
    if (path_.empty()) return;
    io::write_file(path_, path_.ends_with(".csv") ? trace_.to_csv() : trace_.to_chrome_json());
    if (trace_.dropped() == 0) return;
    fmt::print(stderr, "gyre: {} lacks the last {} trips: there was no room\n", path_,
               trace_.dropped());
  }

 private:
  std::string path_;
  Trace trace_;
};

bool ended_by_itself(const Result& result) {
  return result.completed() || result.status() == ir::Status::Stopped;
}

// Fills `report` with what the run wrote.
void keep_outputs(std::vector<RunBuffer> buffers, RunReport& report) {
  const bool defined = ended_by_itself(report.result);
  for (RunBuffer& buffer : buffers) {
    if (buffer.intent == ir::Intent::In) continue;
    if (defined) {
      report.outputs.push_back(std::move(buffer));
    } else if (!buffer.file.empty()) {
      fmt::print(stderr, "gyre: {} is not written: the run did not end by itself\n", buffer.file);
    }
  }
}

RunReport run_program(const RunCommand& command) {
  const RunWords words{.set = parse_assignments("--set", command.set),
                       .in = parse_assignments("--in", command.in),
                       .out = parse_assignments("--out", command.out)};
  const ir::Program program = read_program(command.file);
  Executable executable = compile(program, command.compile);
  RunArguments arguments = make_run_arguments(program, words);
  verify_outputs(arguments.buffers);
  TraceFile trace(command.trace);
  for (const auto& [name, size] : arguments.sizes) executable.set_size(name, size);
  for (const auto& [name, value] : arguments.scalars) executable.set(name, value);
  for (RunBuffer& buffer : arguments.buffers) {
    executable.bind(buffer.name, ir::BufferView{buffer.array.type, buffer.array.extents,
                                                buffer.array.bytes.data()});
  }

  const auto start = std::chrono::steady_clock::now();
  RunReport report{.program = program.name,
                   .executor = std::string(executable.executor()),
                   .result = run_watched(executable, trace.trace()),
                   .outputs = {}};
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trace.write();
  keep_outputs(std::move(arguments.buffers), report);
  return report;
}

Exit run(const RunCommand& command) {
  const RunReport report = run_program(command);
  fmt::print("{}", command.json ? print_json(report) : print_report(report));
  for (const RunBuffer& buffer : report.outputs) {
    if (!buffer.file.empty()) io::write_array(buffer.file, buffer.array.view());
  }
  return ended_by_itself(report.result) ? Exit::Done : Exit::GoalNotReached;
}

// Each use of the option takes one word, so that FILE may follow it.
void add_assignments(CLI::App& command, const std::string& name, std::vector<std::string>& words,
                     const std::string& description) {
  command.add_option(name, words, description)->allow_extra_args(false);
}

}  // namespace

void add_run(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<RunCommand>();
  auto* command = app.add_subcommand(
      "run",
      "Runs a program on values and files, and tells what came of it.\n\n"
      "Examples:\n"
      "  gyre run newton_sqrt.gyre --in a=a.txt --out root=root.txt\n"
      "  gyre run heat.gyre --in u=u0.npy --set steps=500 --out u=u1.npy\n"
      "  gyre run heat.gyre --in u=ones --set rows=64 --set columns=64 --json\n"
      "  gyre run heat.gyre --in u=u0.npy --set steps=500 --trace trips.json\n\n"
      "Files end in .npy, .mtx or .txt; a .txt has no shape and takes the declared one. Sizes\n"
      "follow from the inputs where they can. A run that completes or reaches a stop exits with\n"
      "0; one that ends by a trip limit, a fault or Ctrl-C exits with 1 and writes no files.\n");
  command->add_option("FILE", options->file, "the program's text; - reads standard input")
      ->required();
  add_assignments(*command, "--set", options->set, "NAME=VALUE of a size or a scalar");
  add_assignments(*command, "--in", options->in, "NAME=FILE, NAME=zeros or NAME=ones of a buffer");
  add_assignments(*command, "--out", options->out, "NAME=FILE to write a buffer to");
  command->add_option("--executor", options->compile.executor, "where it runs: auto, or a name")
      ->capture_default_str();
  command
      ->add_option("--max-trips", options->max_trips,
                   "the limit of loops that name none, at each entry")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  command
      ->add_option("--threads", options->compile.threads,
                   "threads of the cpu executor; 0: one a core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->add_flag("--checked", options->compile.checked,
                    "detect broken promises of independent and scatter");
  command
      ->add_option("--trace", options->trace,
                   "keep when each trip of each loop started: .json for Perfetto, or .csv")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON");
  command->callback([options, &exit] {
    options->compile.max_trips = static_cast<std::uint64_t>(options->max_trips);
    exit = run(*options);
  });
}

}  // namespace gyre::cli
