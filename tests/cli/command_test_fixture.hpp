/// Runs the gyre program as a user does: in a folder of files, by a line of the shell.
#pragma once

#include "gyre/io/file.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gyre::cli {

/// How a command ended and what it said.
struct Ran {
  int exit = -1;
  std::string out;
  std::string err;
};

/// A folder that lives as long as the test.
class CommandTest : public testing::Test {
 protected:
  CommandTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("gyre_cli_" + std::to_string(getpid()) + "_" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~CommandTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    io::write_file(path(name), text);
  }

  /// `gyre arguments` in the folder; `before` stands before it on the line.
  Ran gyre(const std::string& arguments, const std::string& before = {}) const {
    return run(before + " " GYRE_PROGRAM " " + arguments);
  }

  /// A line of the shell, in the folder.
  Ran run(const std::string& line) const {
    const std::string command =
        "cd '" + folder_.string() + "' && " + line + " 2>err.txt </dev/null";
    Ran ran;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> chunk{};
    while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
      ran.out.append(chunk.data(), got);
    }
    const int status = pclose(pipe);
    ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    ran.err = io::read_file(path("err.txt"));
    return ran;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace gyre::cli
