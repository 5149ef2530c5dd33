/// The gyre program: picks the command, and turns whatever went wrong into one sentence and an exit
/// code.
#include "command.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

constexpr auto about = R"(Runs loops and branches on the GPU.

Examples:
  gyre check cg.gyre                     say what is wrong with a program
  gyre run heat.gyre --in u=u0.npy       run it on values and files
  gyre solve A.mtx                       solve a linear system, and say why it ended
  gyre explain cg.gyre                   show what the passes make of it, and the plan
  gyre doctor                            say what this machine has for it

Exit codes: 0 done, 1 the work did not reach its goal, 2 bad usage or input, 3 the machine failed.
)";

Exit fail(Exit exit, std::string_view message) {
  const bool has_end = message.ends_with('\n');
  fmt::print(stderr, "gyre: {}{}", message, has_end ? "" : "\n");
  return exit;
}

// What was printed may still be under way, to a disk that is full.
void flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw EnvironmentError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

// A command's description opens with examples; the list of commands shows its first line.
class Formatter final : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    std::stringstream line;
    CLI::detail::format_help(line, command->get_name(),
                             description.substr(0, description.find('\n')), column_width_);
    return line.str();
  }
};

// What is wrong with the command that `argv` names; empty where there is such a command, or where
// an option stands in its place. CLI11 would only say that a subcommand is required.
std::string command_fault(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "name a command; 'gyre --help' lists them";
  const std::string name = argv[1];
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (name.starts_with('-') ||
      std::find(commands.begin(), commands.end(), name) != commands.end()) {
    return {};
  }
  const std::string meant = nearest_name(name, commands);
  return "no command is called '" + name + "'" +
         (meant.empty() ? "; 'gyre --help' lists them"
                        : "; did you mean '" + std::string(meant) + "'?");
}

Exit run(int argc, char** argv) {
  CLI::App app(about, "gyre");
  app.formatter(std::make_shared<Formatter>());
  app.set_version_flag("--version", "gyre " GYRE_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("gyre: {}; --help says more\n", error.what());
  });
  Exit exit = Exit::Done;
  add_check(app, exit);
  add_fmt(app, exit);
  add_explain(app, exit);
  add_plan(app, exit);
  add_run(app, exit);
  add_solve(app, exit);
  add_doctor(app, exit);

  if (const auto fault = command_fault(app, argc, argv); !fault.empty()) {
    return fail(Exit::BadInput, fault);
  }
  try {
    app.parse(argc, argv);
    flush_output();
    return exit;
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version arrives here too, and is no fault.
    return app.exit(error) == 0 ? Exit::Done : Exit::BadInput;
  } catch (const ProgramError& error) {
    fmt::print(stderr, "{}", error.what());
    return Exit::BadInput;
  } catch (const UsageError& error) {
    return fail(Exit::BadInput, error.what());
  } catch (const EnvironmentError& error) {
    return fail(Exit::MachineFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(Exit::MachineFailed, "the machine has no memory left for this");
  } catch (const std::exception& error) {
    return fail(Exit::MachineFailed, error.what());
  }
}

}  // namespace
}  // namespace gyre::cli

int main(int argc, char** argv) {
  return static_cast<int>(gyre::cli::run(argc, argv));
}
