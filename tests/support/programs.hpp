/// Programs for tests: parses texts, and finds the programs that stand in files.
#pragma once

#include "gyre/base/diagnostic.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/text/parser.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::support {

/// The program that `text` holds. A fault in it fails the test with its diagnostics.
ir::Program parse_ok(std::string_view text, const text::CallRegistry& calls = {});
/// `program p(n: size) { … }` around `body`, parsed.
ir::Program parse_body(std::string_view body);
/// What the parser says of `text`.
Diagnostics diagnose(std::string_view text, const text::CallRegistry& calls = {});
/// What it says of `program p(n: size) { body }`.
Diagnostics diagnose_body(std::string_view body);
/// The rules of its errors, in order, with their lines: `unknown-name:2 redeclared:3`.
std::string rules_of(const Diagnostics& diagnostics);

std::string read_file(const std::filesystem::path& path);
/// The `.gyre` files of samples/programs, sorted.
std::vector<std::filesystem::path> sample_programs();
/// The texts in ```gyre fences of a Markdown file, in order.
std::vector<std::string> gyre_fences(const std::filesystem::path& path);
/// The same of another language.
std::vector<std::string> fences(const std::filesystem::path& path, const std::string& language);
/// `path` from the root of the repository, which GYRE_SOURCE_DIR names where it is not the one that
/// the tests were built from.
std::filesystem::path in_repository(std::string_view path);

}  // namespace gyre::support
