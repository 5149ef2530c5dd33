/// The attributes that a launch shape stands for, the same for a stream and for a graph node.
#pragma once

#include "gyre/cuda/module.hpp"

#include <array>

namespace gyre::cuda {

struct LaunchAttributes {
  std::array<CUlaunchAttribute, 2> values{};
  unsigned count = 0;

  explicit LaunchAttributes(const LaunchShape& shape) {
    if (shape.cooperative) {
      values[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      values[count++].value.cooperative = 1;
    }
    if (shape.cluster_x > 1) {
      values[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      values[count++].value.clusterDim = {shape.cluster_x, 1, 1};
    }
  }
};

}  // namespace gyre::cuda
