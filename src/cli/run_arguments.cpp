#include "run_arguments.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/host_memory.hpp"
#include "gyre/io/array_file.hpp"
#include "gyre/ir/extent.hpp"
#include "gyre/text/printer.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gyre::cli {
namespace {

using ir::ScalarType;
using ir::Symbol;
using ir::SymbolKind;

template <class T>
std::optional<ir::Value> parse_number(std::string_view word) {
  T number{};
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return ir::Value(number);
}

std::optional<ir::Value> parse_value(std::string_view word, ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
      if (word != "true" && word != "false") return std::nullopt;
      return ir::Value(word == "true");
    case ScalarType::I32: return parse_number<std::int32_t>(word);
    case ScalarType::I64: return parse_number<std::int64_t>(word);
    case ScalarType::F32: return parse_number<float>(word);
    case ScalarType::F64: return parse_number<double>(word);
    default: return std::nullopt;
  }
}

std::string declared_shape(const ir::Program& program, const Symbol& symbol) {
  std::vector<std::string> extents;
  for (const ir::Expr& extent : symbol.extents) {
    extents.push_back(text::print_expr(program, extent));
  }
  return fmt::format("{}[{}]", ir::name_of(symbol.type), fmt::join(extents, ", "));
}

std::size_t count_bytes(const Symbol& symbol, const std::vector<std::int64_t>& extents) {
  auto bytes = static_cast<std::int64_t>(ir::size_of(symbol.type));
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
  }
  for (const std::int64_t extent : extents) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      throw UsageError("buffer '" + symbol.name + "' is too large: " +
                       ir::shape_text(symbol.type, extents) + " has more than 2^63 bytes");
    }
  }
  return static_cast<std::size_t>(bytes);
}

class RunReader {
 public:
  RunReader(const ir::Program& program, const RunWords& words)
      : program_(program), words_(words), values_(program.symbols.size()) {}

  RunArguments run() {
    verify_names(program_, words_);
    verify_outputs();
    take_values();
    refuse_missing();
    read_files();
    take_sizes();
    make_buffers();
    return std::move(arguments_);
  }

 private:
  // Before the work, not after it.
  void verify_outputs() const {
    for (const Symbol& symbol : program_.symbols) {
      const auto found = words_.out.find(symbol.name);
      if (!takes_out(symbol) || found == words_.out.end()) continue;
      io::verify_array_path(found->second, symbol.type, symbol.extents.size());
    }
  }

  void take_values() {
    for (const Symbol& symbol : program_.symbols) {
      const auto found = words_.set.find(symbol.name);
      if (!takes_set(symbol) || found == words_.set.end()) continue;
      const auto value = parse_value(found->second, symbol.type);
      const bool is_size = symbol.kind == SymbolKind::Size;
      if (!value || (is_size && value->as_integer() < 0)) {
        throw UsageError("--set " + symbol.name + "=" + found->second + ": '" + symbol.name +
                         "' is " +
                         (is_size ? "a size, a whole number from 0 on"
                                  : std::string(ir::name_of(symbol.type)) +
                                        ", which does not hold '" + found->second + "'"));
      }
      if (is_size) {
        arguments_.sizes.emplace(symbol.name, value->as_integer());
      } else {
        arguments_.scalars.emplace(symbol.name, *value);
      }
    }
  }

  // All that is missing at once, so that one look at the answer is enough.
  void refuse_missing() const {
    std::vector<std::string> missing;
    for (const Symbol& symbol : program_.symbols) {
      if (symbol.kind == SymbolKind::Scalar && takes_set(symbol) && !symbol.initial &&
          !words_.set.contains(symbol.name)) {
        missing.push_back(
            fmt::format("--set {}=VALUE ({})", symbol.name, ir::name_of(symbol.type)));
      }
      if (takes_in(symbol) && !words_.in.contains(symbol.name)) {
        missing.push_back(
            fmt::format("--in {}=FILE ({})", symbol.name, declared_shape(program_, symbol)));
      }
    }
    if (missing.empty()) return;
    throw UsageError(fmt::format("program '{}' needs {}", program_.name, fmt::join(missing, ", ")));
  }

  void read_files() {
    for (const Symbol& symbol : program_.symbols) {
      const auto found = words_.in.find(symbol.name);
      if (!takes_in(symbol) || found == words_.in.end()) continue;
      if (found->second == "zeros" || found->second == "ones") continue;
      files_.emplace(symbol.name, io::read_array(found->second, symbol.type));
    }
  }

  // A file without a shape tells the extent of a buffer of one dimension, and nothing of others.
  void take_sizes() {
    for (const Symbol& symbol : program_.symbols) {
      const auto file = files_.find(symbol.name);
      if (!takes_in(symbol) || file == files_.end()) continue;
      const auto& extents = file->second.extents;
      if (extents.size() != symbol.extents.size()) continue;
      for (std::size_t d = 0; d < extents.size(); ++d) {
        const auto solved = ir::solve_extent(symbol.extents[d], extents[d]);
        if (!solved || solved->value < 0) continue;
        arguments_.sizes.emplace(program_[solved->size].name, solved->value);
      }
    }
    for (const ir::SymbolId id : program_.all(SymbolKind::Size)) {
      const auto found = arguments_.sizes.find(program_[id].name);
      if (found == arguments_.sizes.end()) {
        throw UsageError("size '" + program_[id].name +
                         "' is not given, and no input's shape tells it: --set " +
                         program_[id].name + "=NUMBER");
      }
      values_[static_cast<std::size_t>(id)] = ir::Value(found->second);
    }
  }

  void make_buffers() {
    for (const Symbol& symbol : program_.symbols) {
      if (!takes_in(symbol) && !takes_out(symbol)) continue;
      RunBuffer buffer{.name = symbol.name, .intent = symbol.intent, .array = {}, .file = {}};
      buffer.array = make_array(symbol, extents_of(symbol));
      const auto out = words_.out.find(symbol.name);
      if (out != words_.out.end()) buffer.file = out->second;
      arguments_.buffers.push_back(std::move(buffer));
    }
  }

  std::vector<std::int64_t> extents_of(const Symbol& symbol) const {
    std::vector<std::int64_t> extents;
    for (const ir::Expr& extent : symbol.extents) {
      extents.push_back(
          ir::eval_constant(extent, values_, "an extent of '" + symbol.name + "'").as_integer());
      if (extents.back() < 0) {
        throw UsageError("buffer '" + symbol.name +
                         "' has a negative extent: " + ir::shape_text(symbol.type, extents));
      }
    }
    return extents;
  }

  io::ArrayData make_array(const Symbol& symbol, std::vector<std::int64_t> extents) {
    const std::size_t bytes = count_bytes(symbol, extents);
    const auto file = files_.find(symbol.name);
    if (file == files_.end()) return fill_array(symbol, std::move(extents), bytes);

    io::ArrayData array = std::move(file->second);
    const bool has_shape = array.extents.size() != 1;
    if (array.bytes.size() != bytes || (has_shape && array.extents != extents)) {
      throw UsageError("'" + words_.in.at(symbol.name) + "' holds " +
                       ir::shape_text(array.type, array.extents) + ", and '" + symbol.name +
                       "' is " + ir::shape_text(symbol.type, extents));
    }
    array.extents = std::move(extents);
    return array;
  }

  io::ArrayData fill_array(const Symbol& symbol, std::vector<std::int64_t> extents,
                           std::size_t bytes) const {
    io::ArrayData array{.type = symbol.type, .extents = std::move(extents), .bytes = {}};
    array.bytes = take_host_memory(bytes, "buffer '" + symbol.name + "'",
                                   [&] { return std::vector<std::byte>(bytes); });
    const auto word = words_.in.find(symbol.name);
    if (word == words_.in.end() || word->second != "ones") return array;
    const std::size_t size = ir::size_of(symbol.type);
    for (std::size_t at = 0; at < bytes; at += size) {
      io::store_element({.is_integer = true, .integer = 1}, symbol.type, array.bytes.data() + at);
    }
    return array;
  }

  const ir::Program& program_;
  const RunWords& words_;
  // The sizes by SymbolId.
  std::vector<ir::Value> values_;
  std::map<std::string, io::ArrayData> files_;
  RunArguments arguments_;
};

}  // namespace

RunArguments make_run_arguments(const ir::Program& program, const RunWords& words) {
  return RunReader(program, words).run();
}

}  // namespace gyre::cli
