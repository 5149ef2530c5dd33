#include "gyre/ir/bind.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/suggestion.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/extent.hpp"
#include "overlap.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

namespace gyre::ir {
namespace {

bool is_bound_buffer(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Buffer && symbol.intent != Intent::Temp;
}
bool is_bound_scalar(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Scalar &&
         (symbol.intent == Intent::In || symbol.intent == Intent::Inout);
}
bool is_size(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Size;
}

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

// As the program's author knows it: scratch memory has its name from a pass.
std::string named(const Symbol& symbol) {
  return symbol.scratch ? "what a primitive works in" : quoted(symbol.name);
}

class Resolver {
 public:
  Resolver(std::span<const Symbol> symbols, const Arguments& arguments)
      : symbols_(symbols), arguments_(arguments) {
    bound_.values.resize(symbols.size());
    bound_.buffers.resize(symbols.size());
  }

  Bound run() {
    refuse_unknown(arguments_.sizes, "size", is_size);
    refuse_unknown(arguments_.scalars, "scalar", is_bound_scalar);
    refuse_unknown(arguments_.buffers, "buffer", is_bound_buffer);
    take_buffers();
    take_sizes();
    take_scalars();
    check_shapes();
    refuse_overlaps(symbols_, bound_.buffers);
    return std::move(bound_);
  }

 private:
  template <class Given, class Accepts>
  void refuse_unknown(const Given& given, const std::string& what, Accepts accepts) const {
    for (const auto& entry : given) {
      const std::string& name = entry.first;
      const bool known = std::any_of(symbols_.begin(), symbols_.end(), [&](const Symbol& symbol) {
        return accepts(symbol) && symbol.name == name;
      });
      if (!known) refuse_name(name, what, accepts);
    }
  }

  template <class Accepts>
  [[noreturn]] void refuse_name(const std::string& name, const std::string& what,
                                Accepts accepts) const {
    std::vector<std::string> names;
    for (const Symbol& symbol : symbols_) {
      if (accepts(symbol)) names.push_back(symbol.name);
    }
    throw UsageError("the program has no " + what + " " + quoted(name) + " that a caller binds" +
                     suggestion(name, names));
  }

  void take_buffers() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const Symbol& symbol = symbols_[i];
      if (symbol.kind != SymbolKind::Buffer) continue;
      bound_.buffers[i].type = symbol.type;
      if (!is_bound_buffer(symbol)) continue;
      const auto found = arguments_.buffers.find(symbol.name);
      if (found == arguments_.buffers.end()) {
        throw UsageError("buffer " + quoted(symbol.name) + " is not bound");
      }
      const BufferView& view = found->second;
      if (view.type != symbol.type) {
        throw UsageError("buffer " + quoted(symbol.name) + " is of " +
                         std::string(name_of(symbol.type)) + ", but " +
                         std::string(name_of(view.type)) + " is bound to it");
      }
      if (view.extents.size() != symbol.extents.size()) {
        throw UsageError("buffer " + quoted(symbol.name) + " has rank " +
                         std::to_string(symbol.extents.size()) + ", but " +
                         shape_text(view.type, view.extents) + " is bound to it");
      }
      bound_.buffers[i] = view;
    }
  }

  std::optional<std::int64_t> infer(SymbolId size) const {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!is_bound_buffer(symbols_[i])) continue;
      for (std::size_t d = 0; d < symbols_[i].extents.size(); ++d) {
        const auto solved = solve_extent(symbols_[i].extents[d], bound_.buffers[i].extents[d]);
        if (solved && solved->size == size) return solved->value;
      }
    }
    return std::nullopt;
  }

  void take_sizes() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!is_size(symbols_[i])) continue;
      const std::string& name = symbols_[i].name;
      const auto given = arguments_.sizes.find(name);
      std::optional<std::int64_t> size;
      if (given != arguments_.sizes.end()) size = given->second;
      if (!size) size = infer(static_cast<SymbolId>(i));
      if (!size) {
        throw UsageError("size " + quoted(name) + " is not given, and no buffer's extent tells it");
      }
      if (*size < 0) {
        throw UsageError("size " + quoted(name) + " is negative: " + std::to_string(*size));
      }
      bound_.values[i] = Value(*size);
    }
  }

  void take_scalars() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const Symbol& symbol = symbols_[i];
      if (symbol.kind != SymbolKind::Scalar) continue;
      bound_.values[i] = Value::zero(symbol.type);
      if (!is_bound_scalar(symbol)) continue;
      const auto given = arguments_.scalars.find(symbol.name);
      if (given != arguments_.scalars.end()) {
        const ScalarType type = given->second.type();
        if (!widens(type, symbol.type)) {
          throw UsageError("scalar " + quoted(symbol.name) + " is of " +
                           std::string(name_of(symbol.type)) + ", but a value of " +
                           std::string(name_of(type)) + " is bound to it");
        }
        bound_.values[i] = convert(given->second, symbol.type);
      } else if (symbol.initial) {
        bound_.values[i] = eval_constant(symbol.initial, bound_.values,
                                         "the initial value of " + quoted(symbol.name));
      } else {
        throw UsageError("scalar " + quoted(symbol.name) + " is not bound and has no default");
      }
    }
  }

  void check_shapes() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const Symbol& symbol = symbols_[i];
      if (symbol.kind != SymbolKind::Buffer) continue;
      std::vector<std::int64_t> extents;
      for (const Expr& extent : symbol.extents) {
        extents.push_back(
            eval_constant(extent, bound_.values, "an extent of " + named(symbol)).as_integer());
        if (extents.back() < 0) {
          throw UsageError("buffer " + quoted(symbol.name) +
                           " has a negative extent: " + shape_text(symbol.type, extents));
        }
      }
      check_count(symbol, extents);
      BufferView& view = bound_.buffers[i];
      if (is_bound_buffer(symbol)) check_memory(symbol, extents, view);
      view.extents = std::move(extents);
    }
  }

  static void check_count(const Symbol& symbol, const std::vector<std::int64_t>& extents) {
    // An extent of 0 makes the buffer empty however large the others are.
    for (const std::int64_t extent : extents) {
      if (extent == 0) return;
    }
    auto bytes = static_cast<std::int64_t>(size_of(symbol.type));
    for (const std::int64_t extent : extents) {
      if (__builtin_mul_overflow(bytes, extent, &bytes)) {
        const std::string buffer = symbol.scratch ? "" : "buffer ";
        throw UsageError(buffer + named(symbol) + " is too large: " +
                         shape_text(symbol.type, extents) + " has more than 2^63 bytes");
      }
    }
  }

  static void check_memory(const Symbol& symbol, const std::vector<std::int64_t>& extents,
                           const BufferView& view) {
    if (view.extents != extents) {
      throw UsageError("buffer " + quoted(symbol.name) + " must be " +
                       shape_text(symbol.type, extents) + ", but " +
                       shape_text(view.type, view.extents) + " is bound to it");
    }
    if (view.element_count() == 0) return;
    if (view.data == nullptr) {
      throw UsageError("buffer " + quoted(symbol.name) + " is " + shape_text(symbol.type, extents) +
                       ", but no memory is bound to it");
    }
    const std::size_t size = size_of(symbol.type);
    if (reinterpret_cast<std::uintptr_t>(view.data) % size != 0) {
      throw UsageError("the memory of buffer " + quoted(symbol.name) + " is not aligned to " +
                       std::to_string(size) + " bytes");
    }
  }

  std::span<const Symbol> symbols_;
  const Arguments& arguments_;
  Bound bound_;
};

}  // namespace

Bound resolve(std::span<const Symbol> symbols, const Arguments& arguments) {
  static std::atomic<std::uint64_t> versions = 0;
  Bound bound = Resolver(symbols, arguments).run();
  bound.memory_version = ++versions;
  return bound;
}

}  // namespace gyre::ir
