/// Every rule's function, by file. The table in verify.cpp says what each states.
#pragma once

#include "report.hpp"
#include "survey.hpp"

namespace gyre::verifier {

// structure.cpp: what a tree must be before anything can be said of it
void check_incomplete_region(const Survey&, Report&);
void check_region_depth(const Survey&, Report&);
void check_expr_depth(const Survey&, Report&);
void check_unknown_symbol(const Survey&, Report&);

// names.cpp: where symbols live
void check_object_name(const Survey&, Report&);
void check_declared_once(const Survey&, Report&);
void check_symbol_kind(const Survey&, Report&);
void check_scope(const Survey&, Report&);
void check_unwritten_read(const Survey&, Report&);

// declarations.cpp: what an object may be
void check_top_level_object(const Survey&, Report&);
void check_temp_buffer(const Survey&, Report&);
void check_var_scalar(const Survey&, Report&);
void check_storage_type(const Survey&, Report&);
void check_buffer_rank(const Survey&, Report&);
void check_extent(const Survey&, Report&);
void check_buffer_initial(const Survey&, Report&);
void check_initial_value(const Survey&, Report&);

// expressions.cpp: why an expression has no type
void check_operand_type(const Survey&, Report&);
void check_cast_type(const Survey&, Report&);
void check_fold_operand(const Survey&, Report&);
void check_fold_ranges(const Survey&, Report&);
void check_range_bounds(const Survey&, Report&);
void check_zero_step(const Survey&, Report&);

// literals.cpp
void check_literal_range(const Survey&, Report&);

// places.cpp: elements and scalars, read and written
void check_element_access(const Survey&, Report&);
void check_index_count(const Survey&, Report&);
void check_index_type(const Survey&, Report&);
void check_read_only(const Survey&, Report&);
void check_read_type(const Survey&, Report&);

// stored_values.cpp: a value's type against the type of what takes it
void check_assigned_type(const Survey&, Report&);
void check_let_type(const Survey&, Report&);
void check_fill_value(const Survey&, Report&);
void check_initial_type(const Survey&, Report&);

// control_flow.cpp: conditions, loops, cases, jumps
void check_condition_type(const Survey&, Report&);
void check_selector_type(const Survey&, Report&);
void check_empty_label(const Survey&, Report&);
void check_overlapping_cases(const Survey&, Report&);
void check_limit_type(const Survey&, Report&);
void check_negative_limit(const Survey&, Report&);
void check_jump_outside_loop(const Survey&, Report&);
void check_stop_code(const Survey&, Report&);

// forks.cpp: what runs at once
void check_shared_by_arms(const Survey&, Report&);

// calls_and_copies.cpp
void check_copy_buffers(const Survey&, Report&);
void check_fill_buffer(const Survey&, Report&);
void check_call_arguments(const Survey&, Report&);
void check_call_overlap(const Survey&, Report&);
void check_call_placement(const Survey&, Report&);

// primitives.cpp
void check_primitive_outputs(const Survey&, Report&);
void check_primitive_operand(const Survey&, Report&);
void check_primitive_type(const Survey&, Report&);
void check_primitive_overlap(const Survey&, Report&);
void check_topk_bound(const Survey&, Report&);

// foreach_body.cpp: what one index may do
void check_foreach_body(const Survey&, Report&);
void check_inner_foreach(const Survey&, Report&);
void check_inner_assign(const Survey&, Report&);
void check_outer_assign(const Survey&, Report&);
void check_accumulated_read(const Survey&, Report&);
void check_accumulate_in_loop(const Survey&, Report&);

// foreach_stores.cpp: where one index may store, and what others may read of it
void check_store_place(const Survey&, Report&);
void check_store_overlap(const Survey&, Report&);
void check_stored_read(const Survey&, Report&);

// scatters.cpp
void check_scatter_place(const Survey&, Report&);
void check_scatter_type(const Survey&, Report&);
void check_scattered_access(const Survey&, Report&);

}  // namespace gyre::verifier
