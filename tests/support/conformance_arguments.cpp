#include "support/conformance_arguments.hpp"

#include "gyre/ir/extent.hpp"
#include "support/contents.hpp"
#include "support/words.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace gyre::support {
namespace {

using ir::Intent;
using ir::Symbol;
using ir::SymbolKind;

class Giving {
 public:
  Giving(const ir::Program& program, const ConformanceRun& run, std::byte rubbish)
      : program_(program), run_(run), rubbish_(rubbish), values_(program.symbols.size()) {}

  OwnedArguments run() {
    for (const ir::SymbolId id : program_.all(SymbolKind::Size)) take_size(id);
    for (const ir::SymbolId id : program_.all(SymbolKind::Scalar)) take_scalar(program_[id]);
    for (const ir::SymbolId id : program_.all(SymbolKind::Buffer)) take_buffer(program_[id]);
    for (const auto& [name, words] : run_.given) {
      if (!taken_.contains(name)) fail(name, "the program has nothing of that name to give");
    }
    return std::move(arguments_);
  }

 private:
  [[noreturn]] static void fail(const std::string& name, const std::string& what) {
    throw std::runtime_error(name + ": " + what);
  }

  const std::string* given(const Symbol& symbol) {
    const auto found = run_.given.find(symbol.name);
    if (found == run_.given.end()) return nullptr;
    taken_.insert(symbol.name);
    return &found->second;
  }

  void take_size(ir::SymbolId id) {
    const Symbol& symbol = program_[id];
    const std::string* words = given(symbol);
    if (words == nullptr) fail(symbol.name, "this size is not given");
    const ir::Value value = parse_value(*words, ir::ScalarType::I64);
    values_[static_cast<std::size_t>(id)] = value;
    arguments_.sizes[symbol.name] = value.as_integer();
  }

  void take_scalar(const Symbol& symbol) {
    if (symbol.intent != Intent::In && symbol.intent != Intent::Inout) return;
    if (const std::string* words = given(symbol)) {
      arguments_.scalars.emplace(symbol.name, parse_value(*words, symbol.type));
    } else if (!symbol.initial) {
      fail(symbol.name, "this input is not given");
    }
  }

  void take_buffer(const Symbol& symbol) {
    if (symbol.intent == Intent::Temp) return;
    std::vector<std::int64_t> extents;
    for (const ir::Expr& extent : symbol.extents) {
      extents.push_back(ir::eval_constant(extent, values_, symbol.name).as_integer());
    }
    arguments_.add(symbol.name, symbol.type, std::move(extents));
    OwnedBuffer& buffer = arguments_.buffers.at(symbol.name);
    std::fill(buffer.bytes.begin(), buffer.bytes.end(), rubbish_);
    if (symbol.intent == Intent::Out) return;
    const std::string* words = given(symbol);
    if (words == nullptr) fail(symbol.name, "this buffer is not given");
    fill_contents(buffer, *words);
  }

  const ir::Program& program_;
  const ConformanceRun& run_;
  std::byte rubbish_;
  std::vector<ir::Value> values_;
  OwnedArguments arguments_;
  std::set<std::string> taken_;
};

}  // namespace

OwnedArguments make_arguments(const ir::Program& program, const ConformanceRun& run,
                              std::byte rubbish) {
  return Giving(program, run, rubbish).run();
}

}  // namespace gyre::support
