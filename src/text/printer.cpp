#include "gyre/text/printer.hpp"

#include "expr_printer.hpp"
#include "gyre/text/lexer.hpp"
#include "printed_names.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace gyre::text {
namespace {

constexpr std::size_t line_width = 100;

class RegionPrinter {
 public:
  explicit RegionPrinter(const ir::Program& program) : program_(program), names_(program) {}

  std::string take() { return std::move(out_); }

  void print_program() {
    names_.enter();
    std::string sizes;
    for (const ir::SymbolId id : program_.all(ir::SymbolKind::Size)) {
      names_.declare(id);
      sizes += (sizes.empty() ? "" : ", ") + names_[id] + ": size";
    }
    out_ += "program " + PrintedNames::legal(program_.name) + "(" + sizes + ") ";
    print_block(program_.body);
    out_ += "\n";
    names_.leave();
  }

  void print_items(const ir::Region& body) {
    if (!body) return;
    const auto* seq = ir::as<ir::Seq>(body);
    if (seq == nullptr) return print_statement(body);
    for (std::size_t i = 0; i < seq->items.size();) {
      if (ir::as<ir::Declare>(seq->items[i]) != nullptr) {
        i = print_declarations(seq->items, i);
      } else {
        print_statement(seq->items[i++]);
      }
    }
  }

  void print_statement(const ir::Region& region) {
    if (ir::as<ir::Declare>(region) != nullptr) {
      print_declarations({region}, 0);
      return;
    }
    // A block within a block has no syntax and needs none: names are told apart here.
    if (ir::as<ir::Seq>(region) != nullptr) return print_items(region);
    indent();
    std::visit([&](const auto& kind) { print(kind); }, region->kind);
    out_ += "\n";
  }

 private:
  void indent() { out_.append(2 * depth_, ' '); }

  void print_block(const ir::Region& body) {
    if (!body || (ir::as<ir::Seq>(body) != nullptr && ir::as<ir::Seq>(body)->items.empty())) {
      out_ += "{}";
      return;
    }
    out_ += "{\n";
    names_.enter();
    ++depth_;
    print_items(body);
    --depth_;
    names_.leave();
    indent();
    out_ += "}";
  }

  std::string item(ir::SymbolId id) {
    const ir::Symbol& symbol = program_[id];
    // Extents and initial value are read before the name means anything.
    std::string rest = ": " + std::string(ir::name_of(symbol.type));
    rest += exprs_.print_index(symbol.extents);
    if (symbol.initial) {
      rest += " = " + exprs_.print_as(symbol.initial, ir::loaded_type(symbol.type));
    }
    names_.declare(id);
    return names_[id] + rest;
  }

  /// Prints the run of declarations of one intent that starts at `first`; returns what follows it.
  std::size_t print_declarations(const std::vector<ir::Region>& items, std::size_t first) {
    const auto symbol_of = [&](std::size_t i) {
      const auto* declare = i < items.size() ? ir::as<ir::Declare>(items[i]) : nullptr;
      return declare == nullptr ? nullptr : &declare->symbol;
    };
    const ir::Intent intent = program_[*symbol_of(first)].intent;
    indent();
    std::size_t line_start = out_.size() - 2 * depth_;
    out_ += ir::name_of(intent);
    std::size_t i = first;
    for (; symbol_of(i) != nullptr && program_[*symbol_of(i)].intent == intent; ++i) {
      const std::string text = item(*symbol_of(i));
      if (i != first) out_ += ",";
      if (i != first && out_.size() - line_start + text.size() + 2 > line_width) {
        out_ += "\n";
        line_start = out_.size();
        indent();
        out_ += "    " + text;
      } else {
        out_ += " " + text;
      }
    }
    out_ += "\n";
    return i;
  }

  std::string place(const ir::Place& place) {
    return names_[place.symbol] + exprs_.print_index(place.index);
  }
  std::string value_for(const ir::Place& place, const ir::Expr& value) {
    return exprs_.print_as(value, ir::loaded_type(program_[place.symbol].type));
  }

  // print_statement has other ways for these two.
  void print(const ir::Seq&) {}
  void print(const ir::Declare&) {}
  void print(const ir::Let& let) {
    const ir::ScalarType type = program_[let.symbol].type;
    const bool typed = let.value->type != type || exprs_.needs_type(let.value);
    const std::string value = typed ? exprs_.print_as(let.value, type) : exprs_.print(let.value);
    names_.declare(let.symbol);
    out_ += "let " + names_[let.symbol];
    if (typed) out_ += ": " + std::string(ir::name_of(type));
    out_ += " = " + value;
  }
  void print(const ir::Assign& assign) {
    const std::string op = assign.op ? std::string(ir::info(*assign.op).spelling) : "";
    out_ += place(assign.place) + " " + op + "= " + value_for(assign.place, assign.value);
  }
  void print(const ir::Scatter& scatter) {
    out_ += "scatter " + place(scatter.place) + (scatter.accumulate ? " += " : " = ") +
            value_for(scatter.place, scatter.value);
  }
  void print(const ir::Foreach& foreach) {
    names_.enter();
    out_ += "foreach " + exprs_.print_ranges(foreach.ranges) + " ";
    if (foreach.independent) out_ += "independent ";
    if (foreach.team == ir::Team::Warp) out_ += "team warp ";
    if (foreach.team == ir::Team::Block) out_ += "team block ";
    print_block(foreach.body);
    names_.leave();
  }
  void print(const ir::Call& call) {
    std::string list;
    for (const ir::SymbolId id : call.arguments) list += (list.empty() ? "" : ", ") + names_[id];
    out_ += "call " + PrintedNames::legal(call.callee ? call.callee->name : "_") + "(" + list + ")";
  }
  void print(const ir::Copy& copy) {
    out_ += "copy " + names_[copy.to] + " = " + names_[copy.from];
  }
  void print(const ir::Fill& fill) {
    out_ += "fill " + names_[fill.buffer] + " = " +
            exprs_.print_as(fill.value, ir::loaded_type(program_[fill.buffer].type));
  }
  // Behind a word that is no keyword a minus or a bracket would look like part of an expression.
  static std::string behind(std::string_view word, const std::string& operand) {
    const bool is_plain = operand.front() != '-' && operand.front() != '(';
    return std::string(word) + (is_plain ? " " + operand : "(" + operand + ")");
  }
  void print(const ir::Primitive& op) {
    const ir::PrimitiveInfo& row = info(op.op);
    std::string outputs;
    for (const ir::SymbolId id : op.outputs) outputs += (outputs.empty() ? "" : ", ") + names_[id];
    names_.enter();
    out_ += std::string(row.name) + "(" + exprs_.print_ranges({op.range}) + ") " + outputs + " = ";
    const bool is_compact = op.op == ir::PrimitiveOp::Compact;
    const std::size_t first = is_compact ? 1 : 0;
    for (std::size_t i = first; i < op.operands.size(); ++i) {
      const ir::Expr& operand = op.operands[i];
      if (i != first) out_ += ", ";
      const std::string text =
          output_of(op, i) ? exprs_.print_as(operand, operand->type) : exprs_.print(operand);
      const bool is_folded = row.folds && i + 1 == op.operands.size();
      out_ += is_folded ? behind(name_of(op.fold), text) : text;
    }
    if (is_compact) out_ += " " + behind("where", exprs_.print(op.operands[0]));
    if (op.option) out_ += " " + std::string(row.option);
    names_.leave();
  }
  void print(const ir::If& branch) {
    out_ += "if " + exprs_.print(branch.condition) + " ";
    print_block(branch.then);
    if (!branch.otherwise) return;
    out_ += " else ";
    const ir::Region* chained = &branch.otherwise;
    const auto* seq = ir::as<ir::Seq>(*chained);
    if (seq != nullptr && seq->items.size() == 1) chained = &seq->items.front();
    if (const auto* next = ir::as<ir::If>(*chained)) {
      print(*next);
    } else {
      print_block(branch.otherwise);
    }
  }
  void print_limits(const ir::While& loop) {
    if (loop.limit) out_ += " limit " + exprs_.print_whole(loop.limit);
    if (loop.expect) out_ += " expect " + exprs_.print_whole(loop.expect);
  }
  void print(const ir::While& loop) {
    if (loop.test_last) {
      out_ += "do ";
      print_block(loop.body);
      out_ += " while " + exprs_.print(loop.condition);
      print_limits(loop);
      return;
    }
    out_ += "while " + exprs_.print(loop.condition);
    print_limits(loop);
    out_ += " ";
    print_block(loop.body);
  }
  void print(const ir::For& loop) {
    names_.enter();
    out_ += "for " + exprs_.print_ranges({loop.range}) + " ";
    print_block(loop.body);
    names_.leave();
  }
  static std::string label_text(const ir::Case::Label& label) {
    const std::string first = std::to_string(label.first);
    if (label.first < label.last && label.first + 1 == label.last) return first;
    return first + ".." + std::to_string(label.last);
  }
  void print(const ir::Switch& choice) {
    out_ += "switch " + exprs_.print_whole(choice.selector) + " {\n";
    ++depth_;
    for (const ir::Case& arm : choice.cases) {
      std::string labels;
      for (const auto& label : arm.labels)
        labels += (labels.empty() ? "" : ", ") + label_text(label);
      indent();
      out_ += "case " + labels + " ";
      print_block(arm.body);
      out_ += "\n";
    }
    if (choice.otherwise) {
      indent();
      out_ += "default ";
      print_block(choice.otherwise);
      out_ += "\n";
    }
    --depth_;
    indent();
    out_ += "}";
  }
  void print(const ir::Fork& fork) {
    out_ += "fork ";
    for (std::size_t i = 0; i < fork.arms.size(); ++i) {
      if (i != 0) out_ += " and ";
      print_block(fork.arms[i]);
    }
  }
  void print(const ir::Break&) { out_ += "break"; }
  void print(const ir::Continue&) { out_ += "continue"; }
  void print(const ir::Stop& stop) {
    out_ += "stop " + escape(stop.label);
    if (stop.code) out_ += ", " + exprs_.print_whole(stop.code);
  }
  void print(const ir::CheckStep& check) { out_ += "check step " + exprs_.print_whole(check.step); }

  void print(const ir::CountTrips& count) {
    out_ += "add trips " + exprs_.print_whole(count.trips);
  }

  const ir::Program& program_;
  PrintedNames names_;
  ExprPrinter exprs_{names_};
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string print(const ir::Program& program) {
  RegionPrinter printer(program);
  printer.print_program();
  return printer.take();
}

std::string print_expr(const ir::Program& program, const ir::Expr& expr) {
  PrintedNames names(program);
  return ExprPrinter(names).print(expr);
}

std::string print_region(const ir::Program& program, const ir::Region& region) {
  RegionPrinter printer(program);
  printer.print_items(region);
  return printer.take();
}

}  // namespace gyre::text
