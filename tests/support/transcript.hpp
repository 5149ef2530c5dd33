/// Golden files: a program, and below it what commands say of it.
///
///     program p() { … }          the program; what follows are comments to it
///     #: gyre check {file}       a command, run in the file's folder; {file} is the file's name
///     #> ok                      a line of its standard output
///     #! p.gyre:1:1: error       a line of its standard error
///     #= 2                       its exit code, where that is not 0
///
/// Further commands may follow. Since the expectations stand last, lines and columns that the
/// commands speak of are those of the file itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::support {

/// A golden file, cut where its transcript begins.
struct GoldenFile {
  /// Everything before the first command, ending in a newline.
  std::string program;
  std::vector<std::string> commands;
  /// From the first command on, as it stands in the file.
  std::string transcript;
};

/// Throws std::runtime_error where the file cannot be read.
GoldenFile read_golden(const std::filesystem::path& file);

/// What the commands of `golden` say now, in the form of a transcript. `program_folder` is where
/// `gyre` lies.
std::string run_commands(const GoldenFile& golden, const std::filesystem::path& file,
                         const std::filesystem::path& program_folder);

}  // namespace gyre::support
