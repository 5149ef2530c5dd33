#include "gyre/cuda/module.hpp"

#include "free_in.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"
#include "launch_attributes.hpp"

#include <utility>

namespace gyre::cuda {
namespace {

int attribute(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  GYRE_CUDA_CALL(cuFuncGetAttribute(&value, which, function));
  return value;
}

}  // namespace

FunctionFacts Function::facts() const {
  return {
      .registers = attribute(function_, CU_FUNC_ATTRIBUTE_NUM_REGS),
      .static_shared_bytes =
          static_cast<std::size_t>(attribute(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
      .local_bytes =
          static_cast<std::size_t>(attribute(function_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)),
      .max_threads_per_block = attribute(function_, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
  };
}

int Function::blocks_per_sm(int block_threads, std::size_t shared_bytes) const {
  int blocks = 0;
  GYRE_CUDA_CALL(
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, block_threads, shared_bytes));
  return blocks;
}

void Function::allow_shared(std::size_t bytes) const {
  GYRE_CUDA_CALL(cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    static_cast<int>(bytes)));
}

void Function::launch(const LaunchShape& shape, std::span<void* const> arguments,
                      StreamView stream) const {
  LaunchAttributes attributes(shape);
  CUlaunchConfig config{};
  config.gridDimX = shape.grid_x;
  config.gridDimY = shape.grid_y;
  config.gridDimZ = shape.grid_z;
  config.blockDimX = shape.block_x;
  config.blockDimY = shape.block_y;
  config.blockDimZ = shape.block_z;
  config.sharedMemBytes = shape.shared_bytes;
  config.hStream = stream.get();
  config.attrs = attributes.values.data();
  config.numAttrs = attributes.count;
  GYRE_CUDA_CALL(
      cuLaunchKernelEx(&config, function_, const_cast<void**>(arguments.data()), nullptr));
}

Module::Module(std::span<const char> cubin, std::string name) : name_(std::move(name)) {
  const During during("loading the kernels of " + name_);
  context_ = current_context();
  GYRE_CUDA_CALL(cuModuleLoadData(&module_, cubin.data()));
}

Module::~Module() {
  release();
}

Module::Module(Module&& other) noexcept
    : module_(std::exchange(other.module_, nullptr)),
      context_(other.context_),
      name_(std::move(other.name_)) {}

Module& Module::operator=(Module&& other) noexcept {
  if (this != &other) {
    release();
    module_ = std::exchange(other.module_, nullptr);
    context_ = other.context_;
    name_ = std::move(other.name_);
  }
  return *this;
}

Function Module::function(const std::string& name) const {
  const During during("finding the kernel " + name + " of " + name_);
  CUfunction function = nullptr;
  GYRE_CUDA_CALL(cuModuleGetFunction(&function, module_, name.c_str()));
  // Drivers before 12.4 have no call that loads; asking for an attribute makes them do it.
  const CUresult loaded = loaded_driver().cuFuncLoad(function);
  if (loaded != CUDA_ERROR_NOT_SUPPORTED) check(loaded, "cuFuncLoad");
  attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
  return Function(function);
}

CUdeviceptr Module::variable(const std::string& name) const {
  const During during("finding the variable " + name + " of " + name_);
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  GYRE_CUDA_CALL(cuModuleGetGlobal(&address, &bytes, module_, name.c_str()));
  return address;
}

void Module::release() noexcept {
  if (module_ == nullptr) return;
  free_in(context_, "cuModuleUnload", [this] { return driver()->cuModuleUnload(module_); });
  module_ = nullptr;
}

}  // namespace gyre::cuda
