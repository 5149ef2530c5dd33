#include "../../../../src/executors/gpu/host_staging.hpp"

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

using ir::ScalarType;

TEST(HostStaging, CopiesLieApartAndAligned) {
  const std::vector<ir::BufferView> views = {{ScalarType::F64, {33}, nullptr},
                                             {ScalarType::I32, {}, nullptr},
                                             {ScalarType::F32, {0, 7}, nullptr},
                                             {ScalarType::F16, {8, 64}, nullptr}};

  const auto offsets = lay_out_copies(views);

  EXPECT_EQ(offsets, (std::vector<std::size_t>{0, 512, 768, 768, 1792}));
}

TEST(HostStaging, NoArgumentsNeedNoMemory) {
  EXPECT_EQ(lay_out_copies({}), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace gyre::executors
