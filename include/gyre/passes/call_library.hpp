/// Leaves out what a library is (ir/primitive_library.hpp).
#pragma once

#include "gyre/ir/primitive_library.hpp"
#include "gyre/ir/program.hpp"

#include <string>
#include <vector>

namespace gyre::passes {

/// Which form a primitive took, and why, in half a sentence.
struct PrimitiveForm {
  /// The statement's path.
  std::string region;
  std::string form;
};

/// Which statements may become calls.
struct CallLibraryOptions {
  /// Also those in loops. A loop with a call is no kernel of its own: `persistent` keeps loops of
  /// expressions alone on the chip.
  bool in_loops = false;
};

/// Lets a library do sorts and sums of integers, each as a call.
///
///     sort(i in 0..n) y = f(i)
///
///         =>  count = n
///             if count >= least {
///               foreach p in 0..n { record[p] = f(p) }
///               call cub_order(record, order, count)
///               foreach p in 0..n { y[p] = record[order[p]] }
///             } else { the loops of lower_primitives }
///
/// * Where the program tells enough of its lengths there is no branch.
/// * What a buffer holds as it is stays there, where the sort does not overwrite it; a value that
///   loads nothing is computed when its place is known.
/// * A scan is called where it is a sum of integers that lie in a buffer; floats have a shape.
/// * Any other primitive stays as it is.
///
/// For executors that record calls, and ahead of all other passes. The call has a form for the host
/// as well, so that every executor runs the program, with the bits of lower_primitives.
ir::Program call_library(ir::Program program, const ir::PrimitiveLibrary& library,
                         const CallLibraryOptions& options = {},
                         std::vector<PrimitiveForm>* forms = nullptr);

}  // namespace gyre::passes
