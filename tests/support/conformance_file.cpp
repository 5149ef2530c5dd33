#include "support/conformance_file.hpp"

#include "support/programs.hpp"
#include "support/words.hpp"

#include <sstream>
#include <stdexcept>
#include <string_view>

namespace gyre::support {
namespace {

class Reader {
 public:
  ConformanceFile read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      take(line);
    }
    if (is_continued_) fail("the last run goes on in a line that is not there");
    (file_.runs.empty() ? file_.program : file_.tail) += pending_;
    return std::move(file_);
  }

 private:
  void take(const std::string& line) {
    if (is_continued_ && !line.starts_with("#:")) fail("a run goes on in a line '#: …'");
    if (line.starts_with("#:")) {
      take_run(line);
    } else if (line.starts_with("#=") || line.starts_with("#>") || line.starts_with("#!")) {
      if (file_.runs.empty() || !pending_.empty()) fail("a result without a run '#: …' before it");
      file_.runs.back().results += line + "\n";
    } else {
      if (!file_.runs.empty() && !line.empty() && line[0] != '#') fail("the program goes on");
      pending_ += line + "\n";
    }
  }

  // Comments before the first run belong to the program.
  void take_run(const std::string& line) {
    if (!is_continued_) {
      file_.runs.push_back({.given = file_.runs.empty() ? std::map<std::string, std::string>()
                                                        : file_.runs.back().given});
      named_.clear();
      (file_.runs.size() == 1 ? file_.program : file_.runs.back().head) += pending_;
      pending_.clear();
    }
    file_.runs.back().head += line + "\n";
    std::string_view words = std::string_view(line).substr(2);
    is_continued_ = words.ends_with("\\");
    if (is_continued_) words.remove_suffix(1);
    for (const std::string& word : split_words(words)) take_word(file_.runs.back(), word);
  }

  void take_word(ConformanceRun& run, const std::string& word) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (!named_.emplace(name, number_).second) fail("'" + name + "' is given twice");
    if (word == "--checked") {
      run.checked = true;
    } else if (equals == std::string::npos || equals + 1 == word.size()) {
      fail("'" + word + "' is not NAME=CONTENTS, --checked or --max-trips=N");
    } else if (name == "--max-trips") {
      run.max_trips = std::stoull(word.substr(equals + 1));
    } else {
      run.given[name] = word.substr(equals + 1);
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(number_) + ": " + what);
  }

  ConformanceFile file_;
  std::string pending_;
  std::map<std::string, int> named_;
  bool is_continued_ = false;
  int number_ = 0;
};

}  // namespace

ConformanceFile parse_conformance(const std::string& text) {
  return Reader().read(text);
}

std::string with_results(const ConformanceFile& file, const std::vector<std::string>& results) {
  std::string text = file.program;
  for (std::size_t i = 0; i < file.runs.size(); ++i) text += file.runs[i].head + results.at(i);
  return text + file.tail;
}

std::map<std::string, std::filesystem::path> conformance_files() {
  std::map<std::string, std::filesystem::path> files;
  const auto folder = in_repository("tests/conformance");
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() != ".gyre") continue;
    auto name = std::filesystem::relative(entry.path(), folder).replace_extension();
    files.emplace(name.generic_string(), entry.path());
  }
  return files;
}

}  // namespace gyre::support
