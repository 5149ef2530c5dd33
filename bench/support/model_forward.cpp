#include "support/model_forward.hpp"

#include "forwards/dense_calls.hpp"

namespace gyre::bench {
namespace {

std::int64_t count_of(const std::vector<std::int64_t>& extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

}  // namespace

void ModelMemory::add_zeros(const std::string& name, ir::ScalarType type,
                            const std::vector<std::int64_t>& extents) {
  // f32 and i32 alike.
  DeviceArray<char> memory(static_cast<std::size_t>(count_of(extents)) * 4);
  memory.clear();
  arguments_.buffers[name] = {type, extents, memory.data()};
  memory_.insert_or_assign(name, std::move(memory));
}

void ModelMemory::add(const std::string& name, const std::vector<float>& values,
                      const std::vector<std::int64_t>& extents) {
  add_zeros(name, ir::ScalarType::F32, extents);
  must(cudaMemcpy(floats(name), values.data(), values.size() * sizeof(float),
                  cudaMemcpyHostToDevice));
}

std::vector<float> ModelMemory::values_of(const std::string& name) const {
  const ir::BufferView& of = view(name);
  const auto count = static_cast<std::size_t>(count_of(of.extents));
  std::vector<float> values(count);
  if (of.type == ir::ScalarType::F32) {
    must(cudaMemcpy(values.data(), of.data, count * 4, cudaMemcpyDeviceToHost));
    return values;
  }
  std::vector<std::int32_t> whole(count);
  must(cudaMemcpy(whole.data(), of.data, count * 4, cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(whole[i]);
  return values;
}

const char* name_of(Layers layers) {
  switch (layers) {
    case Layers::Language: return "language";
    case Layers::GuardedKernel: return "guarded kernels";
    case Layers::Library: return "cuBLASLt";
    case Layers::Indexed: return "indexed";
  }
  return "";
}

forwards::DenseForm dense_form(Layers layers) {
  switch (layers) {
    case Layers::Language:
    case Layers::Indexed: return forwards::dense_in_language;
    case Layers::GuardedKernel: return forwards::dense_in_guarded_kernel;
    case Layers::Library: break;
  }
  return forwards::make_dense_in_library(std::make_shared<forwards::DenseLibrary>());
}

void ModelForward::choose(const Contents& contents) const {
  for (const auto& [name, values] : contents) {
    must(cudaMemcpyAsync(memory_.floats(name), values->data(), values->bytes(),
                         cudaMemcpyDeviceToDevice, nullptr));
  }
  must(cudaDeviceSynchronize());
}

}  // namespace gyre::bench
