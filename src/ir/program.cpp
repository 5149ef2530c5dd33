#include "gyre/ir/program.hpp"

#include "gyre/ir/rewriter.hpp"

#include <array>
#include <map>
#include <utility>

namespace gyre::ir {

std::string_view name_of(Intent intent) {
  static constexpr std::array<std::string_view, 6> names = {"",      "in",   "out",
                                                            "inout", "temp", "var"};
  return names.at(static_cast<std::size_t>(intent));
}

SymbolId Program::add(Symbol symbol) {
  symbols.push_back(std::move(symbol));
  return static_cast<SymbolId>(symbols.size() - 1);
}

std::vector<SymbolId> Program::all(SymbolKind kind) const {
  std::vector<SymbolId> found;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].kind == kind) found.push_back(static_cast<SymbolId>(i));
  }
  return found;
}

namespace {

// Numbers restart in each block that has a name of its own; a plain nested Seq goes on counting.
class Number final : public Rewriter {
 public:
  explicit Number(std::string root) : path_(std::move(root)) {}

 protected:
  using Rewriter::visit;

  Region visit(const Region& self, const Foreach& foreach) override {
    return named(self, "foreach", [&](const Region&, std::string path) {
      // Inside a foreach only the loops have a name: their trip limits speak of them.
      auto body = within(path, foreach.body);
      return make_region(
          Foreach{foreach.ranges, foreach.independent, std::move(body), foreach.team}, self->loc,
          std::move(path));
    });
  }
  Region visit(const Region& self, const Call&) override { return leaf(self, "call"); }
  Region visit(const Region& self, const Copy&) override { return leaf(self, "copy"); }
  Region visit(const Region& self, const Fill&) override { return leaf(self, "fill"); }
  Region visit(const Region& self, const Primitive& op) override {
    return leaf(self, std::string(info(op.op).name));
  }

  Region visit(const Region& self, const If& op) override {
    return named(self, "if", [&](const Region&, std::string path) {
      auto then = within(path + "/then", op.then);
      auto otherwise = within(path + "/else", op.otherwise);
      return make_region(If{op.condition, std::move(then), std::move(otherwise)}, self->loc,
                         std::move(path));
    });
  }
  Region visit(const Region& self, const While& op) override {
    return named(self, op.test_last ? "do" : "while", [&](const Region&, std::string path) {
      While out = op;
      out.body = within(path, op.body);
      return make_region(std::move(out), self->loc, std::move(path));
    });
  }
  Region visit(const Region& self, const For& op) override {
    return named(self, "for", [&](const Region&, std::string path) {
      auto body = within(path, op.body);
      return make_region(For{op.range, std::move(body)}, self->loc, std::move(path));
    });
  }
  Region visit(const Region& self, const Switch& op) override {
    return named(self, "switch", [&](const Region&, std::string path) {
      Switch out = op;
      for (std::size_t i = 0; i < out.cases.size(); ++i) {
        out.cases[i].body = within(path + "/case" + std::to_string(i), op.cases[i].body);
      }
      out.otherwise = within(path + "/default", op.otherwise);
      return make_region(std::move(out), self->loc, std::move(path));
    });
  }
  Region visit(const Region& self, const Fork& op) override {
    return named(self, "fork", [&](const Region&, std::string path) {
      Fork out;
      for (std::size_t i = 0; i < op.arms.size(); ++i) {
        out.arms.push_back(within(path + "/arm" + std::to_string(i), op.arms[i]));
      }
      return make_region(std::move(out), self->loc, std::move(path));
    });
  }

 private:
  template <class Rebuild>
  Region named(const Region& self, const std::string& kind, Rebuild rebuild) {
    return rebuild(self, path_ + "/" + kind + "#" + std::to_string(counts_[kind]++));
  }

  Region leaf(const Region& self, const std::string& kind) {
    return named(self, kind, [&](const Region&, std::string path) {
      return make_region(self->kind, self->loc, std::move(path));
    });
  }

  Region within(const std::string& path, const Region& body) {
    if (!body) return nullptr;
    auto outer_path = std::exchange(path_, path);
    auto outer_counts = std::exchange(counts_, {});
    auto rewritten = rewrite_body(body);
    path_ = std::move(outer_path);
    counts_ = std::move(outer_counts);
    return rewritten;
  }

  std::string path_;
  std::map<std::string, int> counts_;
};

}  // namespace

Program number_regions(Program program) {
  if (program.body) program.body = Number(program.name).rewrite(program.body);
  return program;
}

}  // namespace gyre::ir
