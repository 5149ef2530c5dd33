#include "gyre/verifier/verify.hpp"

#include "report.hpp"
#include "rules.hpp"

namespace gyre::verifier {
namespace {

constexpr Rule table[] = {
    {"incomplete-region", "Every region and expression has the parts that its kind needs.",
     check_incomplete_region, Breaker::BuilderFirst},
    {"region-depth", "Blocks are nested at most 256 deep.", check_region_depth,
     Breaker::BuilderFirst},
    {"expr-depth", "Expressions are nested at most 500 deep.", check_expr_depth,
     Breaker::BuilderFirst},
    {"unknown-symbol", "Every symbol is one of the program's.", check_unknown_symbol,
     Breaker::BuilderFirst},

    {"object-name", "Every symbol has an identifier, and every object of the caller's its own.",
     check_object_name, Breaker::Builder},
    {"declared-once", "A symbol comes into being at one place.", check_declared_once,
     Breaker::Builder},
    {"symbol-kind", "A symbol is of the kind that the place where it comes into being makes it.",
     check_symbol_kind, Breaker::Builder},
    {"scope", "A symbol is used after its declaration, within the block that declares it.",
     check_scope, Breaker::Builder},
    {"unwritten-read", "A scalar that is read is written somewhere (a warning).",
     check_unwritten_read},

    {"top-level-object", "in, out and inout stand at the top level of the program.",
     check_top_level_object},
    {"temp-buffer", "A temp is a buffer.", check_temp_buffer},
    {"var-scalar", "A var is a scalar.", check_var_scalar},
    {"storage-type", "f16 and bf16 are types of buffers alone.", check_storage_type},
    {"buffer-rank", "A buffer has 1 to 4 dimensions.", check_buffer_rank},
    {"extent", "An extent is an integer made of sizes, literals and operators.", check_extent},
    {"buffer-initial", "A buffer has no initial value.", check_buffer_initial, Breaker::Builder},
    {"initial-value",
     "The default of an in or inout is made of literals and sizes; the initial value of an out "
     "reads no buffer.",
     check_initial_value},

    {"operand-type", "An operator's operands are of one type, and of one that it takes.",
     check_operand_type},
    {"cast-type", "A value is converted to a type that values have.", check_cast_type,
     Breaker::Builder},
    {"fold-operand", "any, all and count fold conditions, every other fold numbers.",
     check_fold_operand},
    {"fold-ranges", "A fold has a range; argmin and argmax have exactly one.", check_fold_ranges},
    {"range-bounds", "Bounds and steps of ranges are integers.", check_range_bounds},
    {"zero-step", "A step is not 0.", check_zero_step},
    {"literal-range", "A number fits the type that it takes from its surroundings.",
     check_literal_range},

    {"element-access", "A buffer is read and written by its elements, a scalar as a whole.",
     check_element_access, Breaker::Builder},
    {"index-count", "An element has one index for each dimension of its buffer.",
     check_index_count},
    {"index-type", "An index is an integer.", check_index_type},
    {"read-only", "Inputs, sizes, lets and loop indices are not written.", check_read_only},
    {"read-type", "A read has the type of its symbol.", check_read_type, Breaker::Builder},

    {"assigned-type", "An assigned value has the type of its place.", check_assigned_type},
    {"let-type", "The value of a let has the type that the let states.", check_let_type},
    {"fill-value", "The value of a fill has the buffer's type.", check_fill_value},
    {"initial-type", "An initial value has the type of its object.", check_initial_type},

    {"condition-type", "A condition is a bool.", check_condition_type},
    {"selector-type", "The selector of a switch is an integer.", check_selector_type},
    {"empty-label", "A case has a label, and each label holds a value.", check_empty_label},
    {"overlapping-cases", "No value belongs to two cases.", check_overlapping_cases},
    {"limit-type", "The limit and the expect of a loop are integers.", check_limit_type},
    {"negative-limit", "The limit and the expect of a loop are not negative.",
     check_negative_limit},
    {"jump-outside-loop", "break and continue stand in a loop, on their side of a foreach or fork.",
     check_jump_outside_loop},
    {"stop-code", "The code of a stop is an integer.", check_stop_code},

    {"copy-buffers", "A copy is between two buffers of the same type and extents.",
     check_copy_buffers},
    {"fill-buffer", "A fill writes a buffer.", check_fill_buffer, Breaker::Builder},
    {"call-arguments", "A call is given as many objects as it takes.", check_call_arguments,
     Breaker::Builder},
    {"call-overlap", "An object that a call writes is one argument of it.", check_call_overlap,
     Breaker::Builder},
    {"call-placement", "A call that is placed on the host is not guarded.", check_call_placement,
     Breaker::Builder},

    {"shared-by-arms", "No arm of a fork touches what another arm writes.", check_shared_by_arms},

    {"primitive-outputs",
     "A scan, sort, compact, topk, histogram or reduce_by_key writes as many buffers as it gives, "
     "of one dimension, and compact and reduce_by_key a scalar behind them.",
     check_primitive_outputs},
    {"primitive-operand",
     "Sort and topk order numbers, compact asks a bool, histogram counts integers, and scan and "
     "reduce_by_key fold what their fold takes.",
     check_primitive_operand},
    {"primitive-type",
     "An output of a primitive has the type of what it receives; indices and counts are integers.",
     check_primitive_type},
    {"primitive-overlap",
     "A primitive writes each output once; compact and reduce_by_key read no buffer that they "
     "write.",
     check_primitive_overlap},
    {"topk-bound",
     "The range of a topk ends at a number made of sizes and literals, or its value loads a buffer "
     "at the index.",
     check_topk_bound},

    {"foreach-body", "A foreach holds no call, copy, fill, primitive, switch, fork, stop or temp.",
     check_foreach_body},
    {"inner-foreach",
     "A foreach within a foreach stands in one that a team runs, has one range, no promise and no "
     "team, and holds no scatter and no foreach.",
     check_inner_foreach},
    {"inner-assign", "A foreach within a foreach assigns no scalar from outside it.",
     check_inner_assign},
    {"outer-assign", "A scalar from outside a foreach is changed there by += alone.",
     check_outer_assign},
    {"accumulated-read", "A scalar is not read in the foreach that accumulates it.",
     check_accumulated_read},
    {"accumulate-in-loop", "An index accumulates outside its inner loops.",
     check_accumulate_in_loop},
    {"store-place",
     "A store in a foreach has each loop index, plus or minus a constant, as a coordinate.",
     check_store_place},
    {"store-overlap",
     "All stores of a foreach to one buffer have its indices in the same coordinates with the same "
     "constants.",
     check_store_overlap},
    {"stored-read",
     "A buffer that a foreach stores to is read there at the same place, unless it is independent.",
     check_stored_read},
    {"scatter-place", "scatter stands in a foreach and writes to a buffer.", check_scatter_place},
    {"scatter-type", "scatter += adds integers.", check_scatter_type},
    {"scattered-access",
     "A buffer that a foreach scatters to is not stored to there; it is read there only by promise "
     "of independent, and never where the scatter adds.",
     check_scattered_access},
};

}  // namespace

std::span<const Rule> rules() {
  return table;
}

void verify(const ir::Program& program, Diagnostics& diagnostics) {
  const Survey survey(program);
  Report report(survey);
  for (const Rule& rule : table) {
    if (rule.breaker != Breaker::BuilderFirst && report.has_broken_tree()) break;
    report.start(rule);
    rule.check(survey, report);
  }
  report.move_to(diagnostics);
}

}  // namespace gyre::verifier
