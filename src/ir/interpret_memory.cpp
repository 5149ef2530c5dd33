#include "interpret_memory.hpp"

#include <cstring>

namespace gyre::ir {
namespace {

std::size_t bytes_of(const BufferView& view) {
  return static_cast<std::size_t>(view.element_count()) * size_of(view.type);
}

// What a buffer holds of which nobody may read what nobody wrote.
constexpr int rubbish = 0xa5;

void clear(const BufferView& view) {
  if (bytes_of(view) != 0) std::memset(view.data, 0, bytes_of(view));
}

}  // namespace

bool PromiseWatch::load_breaks(SymbolId buffer, std::int64_t at) {
  if (!reads_) return false;
  Visitors& seen = seen_[{buffer, at}];
  if (seen.reader != linear_) seen.reader = seen.reader == nobody ? linear_ : several;
  return seen.writer != nobody && seen.writer != linear_;
}

bool PromiseWatch::store_breaks(SymbolId buffer, std::int64_t at) {
  Visitors& seen = seen_[{buffer, at}];
  const bool written = seen.writer != nobody && seen.writer != linear_;
  const bool read = seen.reader != nobody && seen.reader != linear_;
  seen.writer = linear_;
  return written || read;
}

Memory::Memory(const Program& program, Bound bound) : program_(program), bound_(std::move(bound)) {
  for (const SymbolId id : program.all(SymbolKind::Buffer)) {
    if (program[id].intent == Intent::Out) clear(bound_.buffer(id));
  }
}

void Memory::enter_temp(SymbolId id) {
  BufferView& view = bound_.buffers[static_cast<std::size_t>(id)];
  auto& storage = temps_[id];
  if (view.data == nullptr) {
    storage.resize(bytes_of(view) / sizeof(std::max_align_t) + 1);
    view.data = storage.data();
  }
  if (!program_[id].scratch) return clear(view);
  if (bytes_of(view) != 0) std::memset(view.data, rubbish, bytes_of(view));
}

std::map<std::string, Value> Memory::results() const {
  std::map<std::string, Value> results;
  for (const SymbolId id : program_.all(SymbolKind::Scalar)) {
    const Symbol& symbol = program_[id];
    if (symbol.intent != Intent::Out && symbol.intent != Intent::Inout) continue;
    results.emplace(symbol.name, bound_.value(id));
  }
  return results;
}

}  // namespace gyre::ir
