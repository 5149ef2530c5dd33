/// How a value that does not fit is talked about: the same words wherever types meet.
#pragma once

#include "survey.hpp"

#include <string>

namespace gyre::verifier {

/// What to write so that `value` becomes one of type `to`: `convert it: f64(n)`.
std::string conversion_hint(const Survey& survey, const ir::Expr& value, ir::ScalarType to);

/// Whether `expr` is a number written without a type that lies outside `type`. Such a misfit is
/// the literal-range rule's, and no other rule speaks of it.
bool is_misfit_literal(const ir::Expr& expr, ir::ScalarType type);

/// Whether `value` has a type that is not `wanted`, for another reason than a misfit literal and
/// for one that has not been reported: an untyped value says nothing.
bool is_mismatch(const ir::Expr& value, ir::ScalarType wanted);

}  // namespace gyre::verifier
