/// Tests that are made while a program starts and run side by side: one a file, say, where a file
/// costs a compilation.
///
/// The tests that a process was asked for start together, on as many threads as the machine has
/// (GYRE_TEST_THREADS says otherwise), and each waits for its own result when its turn comes.
#pragma once

#include <functional>
#include <string>

namespace gyre::support {

/// Adds the test `suite.name`, which passes where `fault` returns an empty text, and otherwise
/// fails with it. To be called before main().
void add_parallel_test(const std::string& suite, const std::string& name,
                       std::function<std::string()> fault);

}  // namespace gyre::support
