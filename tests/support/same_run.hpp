/// Whether two runs of one program ended alike, bit for bit, any NaN being equal to any NaN.
#pragma once

#include "gyre/ir/outcome.hpp"
#include "support/owned_arguments.hpp"

#include <gtest/gtest.h>

namespace gyre::support {

/// What a run left behind.
struct Run {
  ir::Outcome outcome;
  OwnedArguments data;
};

/// Compares status, label, code, region, fault, trips, arms, output scalars and the contents of
/// every buffer; the failure names the first thing that differs. Leaves out what the language
/// leaves open: data after a trip limit, a fault or a cancellation, every count after a
/// cancellation, and at which element a broken promise was seen.
::testing::AssertionResult same_run(const Run& expected, const Run& actual);

}  // namespace gyre::support
