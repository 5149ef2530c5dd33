/// Forwards of whole models written by hand with cuBLASLt: the host reads each decision, as
/// `.item()` does, and launches kernel by kernel, or a graph that it has for each segment between
/// two decisions.
#pragma once

#include "support/model_way.hpp"

namespace gyre::bench::rivals {

ModelWays make_hand_models(const ModelForward& model);

}  // namespace gyre::bench::rivals
