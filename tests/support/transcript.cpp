#include "support/transcript.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>

namespace gyre::support {
namespace {

namespace fs = std::filesystem;

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

// A folder that is gone when the test is over.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / "gyre-golden-XXXXXX") {
    std::string name = path_.string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(std::string_view name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string prefixed(std::string_view prefix, const std::string& output) {
  std::string text;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    text += prefix;
    if (!line.empty()) text += " " + line;
    text += "\n";
  }
  return text;
}

}  // namespace

GoldenFile read_golden(const fs::path& file) {
  GoldenFile golden;
  std::istringstream lines(read_all(file));
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with("#:");
    if (is_command) {
      const auto start = line.find_first_not_of(' ', 2);
      golden.commands.push_back(start == std::string::npos ? "" : line.substr(start));
    }
    auto& part = golden.commands.empty() ? golden.program : golden.transcript;
    part += line + "\n";
  }
  return golden;
}

std::string run_commands(const GoldenFile& golden, const fs::path& file,
                         const fs::path& program_folder) {
  const TemporaryFolder scratch;
  const fs::path out = scratch / "out";
  const fs::path err = scratch / "err";
  std::string transcript;
  for (const std::string& command : golden.commands) {
    const std::string line = "cd " + shell_quoted(file.parent_path().string()) +
                             " && PATH=" + shell_quoted(program_folder.string()) + ":$PATH && { " +
                             replaced(command, "{file}", shell_quoted(file.filename().string())) +
                             " ; } >" + shell_quoted(out.string()) + " 2>" +
                             shell_quoted(err.string()) + " </dev/null";
    const int status = std::system(line.c_str());
    transcript += "#: " + command + "\n";
    transcript += prefixed("#>", read_all(out)) + prefixed("#!", read_all(err));
    if (!WIFEXITED(status)) {
      transcript += "#= killed\n";
    } else if (WEXITSTATUS(status) != 0) {
      transcript += "#= " + std::to_string(WEXITSTATUS(status)) + "\n";
    }
  }
  return transcript;
}

}  // namespace gyre::support
