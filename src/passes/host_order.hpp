/// The call by which the host orders records.
#pragma once

#include "gyre/ir/callee.hpp"
#include "gyre/ir/primitive.hpp"

#include <cstddef>
#include <memory>

namespace gyre::passes {

/// A call of the arguments: `fields` buffers of records, the first of which is the key; as many
/// that receive the first of them in order; and two i64 scalars, how many records there are and how
/// many of them are wanted.
std::shared_ptr<const ir::Callee> host_order(const ir::KeyOrder& order, std::size_t fields);

}  // namespace gyre::passes
