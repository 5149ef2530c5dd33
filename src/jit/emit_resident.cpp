#include "emit_resident.hpp"

#include "gyre/base/error.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/walk.hpp"
#include "parameter_list.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gyre::jit {
namespace {

std::string identifier(const std::string& region) {
  std::string text;
  for (const char c : region) {
    if (c == '#') continue;
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return text;
}

const char* meeting_of(Crew crew) {
  switch (crew) {
    case Crew::Block: return "gyre::BlockMeeting";
    case Crew::Cluster: return "gyre::ClusterMeeting";
    case Crew::Grid: return "gyre::GridMeeting";
  }
  GYRE_CHECK(false, "a crew of no kind");
  return "";
}

// Every slot that the loop's kernels and decisions use.
std::set<ir::SymbolId> slots_of(const plan::Plan& plan, const plan::WhileNode& loop) {
  std::set<ir::SymbolId> slots = {loop.predicate};
  if (loop.limit) slots.insert(*loop.limit);
  plan::for_each_node(*loop.body, [&](const plan::Node& node) {
    if (const auto* choice = std::get_if<plan::IfNode>(&node)) slots.insert(choice->predicate);
    if (const auto* many = std::get_if<plan::SwitchNode>(&node)) slots.insert(many->selector);
    if (const auto* inner = std::get_if<plan::WhileNode>(&node)) {
      slots.insert(inner->predicate);
      if (inner->limit) slots.insert(*inner->limit);
    }
  });
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    for (const plan::Cell& cell : kernel.reads) slots.insert(cell.slot);
    for (const plan::Cell& cell : kernel.epilogue_reads) slots.insert(cell.slot);
    for (const plan::Cell& cell : kernel.writes) slots.insert(cell.slot);
    slots.insert(kernel.shadows.begin(), kernel.shadows.end());
  });
  return slots;
}

std::set<ir::SymbolId> buffers_on_chip(const ResidentShape& shape) {
  std::set<ir::SymbolId> buffers = shape.registers;
  buffers.insert(shape.shared.begin(), shape.shared.end());
  return buffers;
}

std::map<std::uint32_t, plan::KeptRows> rows_of_shape(const plan::Plan& plan,
                                                      const plan::WhileNode& loop,
                                                      const ResidentShape& shape) {
  std::map<std::uint32_t, plan::KeptRows> rows;
  if (shape.rows.empty()) return rows;
  const auto all = plan::kept_rows(plan, loop);
  for (const std::uint32_t number : shape.rows) rows.emplace(number, all.at(number));
  return rows;
}

std::set<ir::SymbolId> slots_written(const plan::Plan& plan, const plan::WhileNode& loop) {
  std::set<ir::SymbolId> slots;
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    for (const plan::Cell& cell : kernel.writes) slots.insert(cell.slot);
  });
  return slots;
}

}  // namespace

std::string resident_headers(const EmitOptions& options) {
  if (options.resident.empty()) return {};
  const bool clusters =
      std::any_of(options.resident.begin(), options.resident.end(),
                  [](const auto& loop) { return loop.second.crew == Crew::Cluster; });
  return std::string("#include \"kernels/crew.cuh\"\n") +
         (clusters ? "#include \"kernels/cluster.cuh\"\n" : "") +
         "#include \"kernels/grid_tile.cuh\"\n"
         "#include \"kernels/own_rows.cuh\"\n";
}

EmitResident::EmitResident(ModuleContext& context, const plan::WhileNode& loop,
                           const ResidentShape& shape)
    : context_(context),
      loop_(loop),
      residence_{
          shape, EmitExpr(context.plan, false, shape.long_folds ? Folds::Long : Folds::Short),
          Hazards(context.plan, buffers_on_chip(shape)), rows_of_shape(context.plan, loop, shape)},
      expr_(residence_.expr),
      outliving_(plan::used_beyond(context.plan, loop)) {
  for (const auto& [buffer, use] : plan::buffer_uses(context.plan, loop)) {
    if (use.stores) stored_.insert(buffer);
  }
}

std::string EmitResident::operator()(EmittedKernel& emitted) {
  const std::string& region = loop_.region.empty() ? context_.plan.name : loop_.region;
  emitted.region = region;
  emitted.name = identifier(region) + "_loop" + number(emitted.loop);
  emitted.threads = residence_.shape.threads;

  line(std::string("gyre::Crew<") + meeting_of(residence_.shape.crew) + "> crew(state);");
  line("if (crew.has_ended()) return;");
  load_cells();
  take_buffers();
  take_rows();
  declare_partials();
  line("[&] {");
  ++depth_;
  emit_loop(loop_);
  --depth_;
  line("}();");
  store_cells();
  give_back_buffers();
  return "// " + region + ", the whole loop\n" + head(emitted) + body_ + "}\n";
}

std::string EmitResident::head(EmittedKernel& emitted) {
  std::vector<std::string> parameters = {"gyre::State state"};
  const ResidentShape& shape = residence_.shape;
  for (const ir::SymbolId buffer : expr_.buffers()) {
    emitted.parameters.push_back({Parameter::Kind::Buffer, buffer, 0});
    const bool is_kept = shape.shared.contains(buffer) || shape.registers.contains(buffer);
    const std::string& name = is_kept ? expr_.memory(buffer) : expr_.name(buffer);
    const std::string element = cpp_storage(context_.plan[buffer].type);
    // Memory that other threads write between barriers is nobody's alone.
    parameters.push_back(
        (stored_.contains(buffer) ? element + "* " : "const " + element + "* __restrict__ ") +
        name);
  }
  for (const ir::SymbolId size : expr_.sizes()) {
    emitted.parameters.push_back({Parameter::Kind::Size, size, 0});
    parameters.push_back("long long " + expr_.name(size));
  }
  for (const std::uint32_t rows : shape.rows) {
    emitted.parameters.push_back({Parameter::Kind::RowElements, {}, rows});
    parameters.push_back("unsigned room" + number(rows));
  }
  return "extern \"C\" __global__ void __launch_bounds__(" + number(emitted.threads) + ")\n" +
         parameter_list(emitted.name + "(", parameters) + " {\n";
}

void EmitResident::load_cells() {
  const auto slots = slots_of(context_.plan, loop_);
  line("struct {");
  for (const ir::SymbolId slot : slots) {
    line("  " + cpp_type(context_.plan[slot].type) + " " + expr_.name(slot) + ";");
  }
  bool has_shadows = false;
  plan::for_each_kernel(context_.plan, *loop_.body, [&](const plan::Kernel& kernel) {
    has_shadows = has_shadows || !kernel.shadows.empty();
  });
  line(has_shadows ? "} home, shadow;" : "} home;");
  for (const ir::SymbolId slot : slots) {
    line(cell_variable(expr_, {slot}) + " = gyre::load_cell<" + cpp_type(context_.plan[slot].type) +
         ">(state, " + number(context_.layout.cell({slot})) + ");");
  }
}

void EmitResident::store_cells() {
  const auto slots = slots_written(context_.plan, loop_);
  if (slots.empty()) return;
  line("if (crew.leads()) {");
  for (const ir::SymbolId slot : slots) {
    line("  gyre::store_cell(state, " + number(context_.layout.cell({slot})) + ", " +
         cell_variable(expr_, {slot}) + ");");
  }
  line("}");
}

void EmitResident::declare_partials() {
  if (residence_.shape.goes_in_rounds()) return;
  std::set<std::uint32_t> reductions;
  plan::for_each_kernel(context_.plan, *loop_.body, [&](const plan::Kernel& kernel) {
    if (kernel.sweep) reductions.merge(plan::reductions_fed(*kernel.sweep));
  });
  const unsigned warps = residence_.shape.threads / 32;
  const bool is_grid = residence_.shape.crew == Crew::Grid;
  const std::string parts = number(is_grid ? warps * residence_.shape.strands : warps) + ", " +
                            number(residence_.shape.blocks());
  for (const std::uint32_t one : reductions) {
    const plan::Reduction& reduction = context_.plan.reductions[one];
    line("__shared__ gyre::Partials<" + cpp_fold(reduction.op, reduction.type) + ", " + parts +
         "> partials" + number(one) + ";");
    line("int terms" + number(one) + " = 0;");
  }
}

std::string EmitResident::elements(ir::SymbolId buffer) {
  std::string text;
  for (const ir::Expr& extent : context_.plan[buffer].extents) {
    text += (text.empty() ? "" : " * ") + expr_(extent);
  }
  return without_outer_parentheses(text);
}

void EmitResident::take_buffers() {
  const ResidentShape& shape = residence_.shape;
  if (!shape.shared.empty() || !shape.rows.empty()) line("gyre::Chip chip;");
  for (const ir::SymbolId buffer : shape.shared) {
    const std::string memory = expr_.memory(buffer);
    line((stored_.contains(buffer) ? "" : "const ") + cpp_storage(context_.plan[buffer].type) +
         "* " + expr_.name(buffer) + " = chip.keep(" + memory + ", " + elements(buffer) + ");");
  }
  for (const ir::SymbolId buffer : shape.registers) {
    expr_.keep_in_registers(buffer);
    line(cpp_storage(context_.plan[buffer].type) + " " + expr_.name(buffer) + "[" +
         number(shape.own()) + "];");
  }
  move_registers(shape.registers, [](const std::string& own, const std::string& memory) {
    return own + " = " + memory + ";";
  });
  const auto uses = plan::buffer_uses(context_.plan, loop_);
  for (const ir::SymbolId buffer : shape.copied) {
    const plan::Sweep& owners = *uses.at(buffer).writers;
    const std::string own = expr_.own_copy(buffer);
    line(cpp_storage(context_.plan[buffer].type) + " " + own + "[" + number(shape.own()) + "];");
    body_ += EmitResidentKernel(context_, residence_).each_own_point(owners, [&] {
      std::vector<std::string> index;
      for (const ir::Range& range : owners.ranges) index.push_back(expr_.name(range.index));
      return own + "[own] = " + expr_.element(buffer, index) + ";";
    });
    expr_.copy_in_registers(buffer, owners);
  }
}

// What of each buffer lies in the rows of the block's own points, before the first trip.
void EmitResident::take_rows() {
  // Their bounds may lie in shared memory, where other threads have put them.
  if (!residence_.rows.empty() && !residence_.shape.shared.empty()) line("__syncthreads();");
  for (const auto& [index, rows] : residence_.rows) {
    const std::string i = number(index);
    const std::string own = number(residence_.shape.own());
    const auto& range = std::get<ir::Fold>(rows.fold->kind).ranges[0];
    line("gyre::Row row" + i + "[" + own + "] = {};");
    body_ += EmitResidentKernel(context_, residence_).each_own_point(*rows.owners, [&] {
      return "row" + i + "[own] = {" + expr_.whole(range.begin) + ", " + expr_.whole(range.end) +
             "};";
    });
    line("__shared__ gyre::RowsHead heads" + i + ";");
    // As many as each of the buffers has, which in a matrix is the same number.
    std::set<std::string> counts;
    for (const ir::SymbolId buffer : rows.buffers) counts.insert(elements(buffer));
    std::string least;
    for (const std::string& one : counts) {
      least = least.empty() ? one : call("gyre::ops::min", {least, one});
    }
    line("const gyre::OwnRows<" + own + "> rows" + i + "(" +
         joined({"heads" + i, "row" + i, least, "room" + i}) + ");");
    for (std::size_t k = 0; k < rows.buffers.size(); ++k) {
      line("const auto " + kept_name(residence_, index, k) + " = rows" + i + ".keep(chip, " +
           expr_.name(rows.buffers[k]) + ", room" + i + ");");
    }
  }
}

void EmitResident::give_back_buffers() {
  const ResidentShape& shape = residence_.shape;
  const auto is_given_back = [&](ir::SymbolId buffer) {
    return stored_.contains(buffer) && outliving_.contains(buffer);
  };
  bool have_met = false;
  for (const ir::SymbolId buffer : shape.shared) {
    if (!is_given_back(buffer)) continue;
    if (!std::exchange(have_met, true)) line("crew.meet();");
    line("crew.copy(" + expr_.memory(buffer) + ", " + expr_.name(buffer) + ", " + elements(buffer) +
         ");");
  }
  std::set<ir::SymbolId> registers;
  for (const ir::SymbolId buffer : shape.registers) {
    if (is_given_back(buffer)) registers.insert(buffer);
  }
  move_registers(registers, [](const std::string& own, const std::string& memory) {
    return memory + " = " + own + ";";
  });
}

// Buffers whose owners have the same points go together.
void EmitResident::move_registers(std::set<ir::SymbolId> buffers, const MoveElement& move) {
  const auto uses = plan::buffer_uses(context_.plan, loop_);
  while (!buffers.empty()) {
    const plan::Sweep& sweep = *uses.at(*buffers.begin()).owners;
    const auto moved = [&] {
      std::vector<std::string> index;
      for (const ir::Range& range : sweep.ranges) index.push_back(expr_.name(range.index));
      std::string lines;
      std::erase_if(buffers, [&](ir::SymbolId buffer) {
        if (!plan::have_same_points(context_.plan, sweep, *uses.at(buffer).owners)) return false;
        lines += (lines.empty() ? "" : "\n") +
                 move(expr_.element(buffer, index),
                      expr_.memory(buffer) + "[" + expr_.place(buffer, index) + "]");
        return true;
      });
      return lines;
    };
    body_ += EmitResidentKernel(context_, residence_).each_own_point(sweep, moved);
  }
}

}  // namespace gyre::jit
