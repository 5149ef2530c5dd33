/// The conformance suite: one test for each file and way, and how its results are written anew.
#pragma once

#include "support/conformance_run.hpp"

#include <vector>

namespace gyre::support {

/// Adds the test `WAY.FOLDER/FILE` for each way and each file that has runs for it. With
/// GYRE_UPDATE_GOLDEN set, the tests of `writer` write results anew and no other test compares any.
/// Whether there is a test at all; to be called before main().
bool add_conformance_tests(const std::vector<Way>& ways, const Way* writer = nullptr);

}  // namespace gyre::support
