#include "rivals/primitives.hpp"

#include <cub/cub.cuh>

namespace gyre::bench::rivals {
namespace {

struct IsPositive {
  __device__ bool operator()(float value) const { return value > 0; }
};

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void pause(unsigned long long nanoseconds) {
  unsigned long long start = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
}

__global__ void number(std::int32_t* indices, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) indices[i] = i;
}

// What a call of CUB keeps between two of them.
struct Temporaries {
  DeviceArray<std::byte> bytes;
  DeviceArray<std::int32_t> indices;
  DeviceArray<std::int64_t> count{1};
};

// `call(storage, bytes, stream)` once to learn how much it needs, and then whenever it is asked to.
template <class Call>
PutWork with_storage(std::shared_ptr<Temporaries> temporaries, Call call) {
  std::size_t bytes = 0;
  must(call(nullptr, bytes, nullptr));
  temporaries->bytes = DeviceArray<std::byte>(bytes);
  return [temporaries, call, bytes](cudaStream_t stream) mutable {
    must(call(temporaries->bytes.data(), bytes, stream));
  };
}

}  // namespace

PutWork make_cub_work(const std::string& primitive, Lists& lists) {
  auto own = std::make_shared<Temporaries>();
  const int n = static_cast<int>(lists.x.size());
  float* const x = lists.x.data();
  float* const y = lists.y.data();
  std::int32_t* const key = lists.key.data();
  std::int32_t* const indices = lists.indices.data();
  std::int32_t* const counts = lists.counts.data();
  const int bins = static_cast<int>(lists.counts.size());
  std::int64_t* const count = own->count.data();

  if (primitive == "scan") {
    return with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceScan::InclusiveSum(at, bytes, key, indices, n, stream);
    });
  }
  if (primitive == "sort") {
    return with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceRadixSort::SortKeys(at, bytes, x, y, n, 0, 32, stream);
    });
  }
  if (primitive == "compact") {
    return with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceSelect::If(at, bytes, x, y, count, n, IsPositive{}, stream);
    });
  }
  if (primitive == "histogram") {
    return with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceHistogram::HistogramEven(at, bytes, key, counts, bins + 1, 0, bins, n,
                                                 stream);
    });
  }
  if (primitive == "reduce by key") {
    return with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceReduce::ReduceByKey(at, bytes, key, indices, x, y, count, Add{}, n, stream);
    });
  }
  // Values with their indices; the first of them are what a topk wants.
  own->indices = DeviceArray<std::int32_t>(lists.x.size());
  std::int32_t* const from = own->indices.data();
  auto sort = with_storage(own, [=](void* at, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairsDescending(at, bytes, x, y, from, indices, n, 0, 32,
                                                     stream);
  });
  const bool is_topk = primitive == "topk";
  const std::size_t places = std::min(lists.best.size(), lists.x.size());
  float* const best = lists.best.data();
  std::int32_t* const best_at = lists.at.data();
  return [=](cudaStream_t stream) mutable {
    number<<<(n + 255) / 256, 256, 0, stream>>>(from, n);
    sort(stream);
    if (!is_topk) return;
    must(cudaMemcpyAsync(best, y, places * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    must(cudaMemcpyAsync(best_at, indices, places * sizeof(std::int32_t), cudaMemcpyDeviceToDevice,
                         stream));
  };
}

void put_pause(cudaStream_t stream) {
  pause<<<1, 1, 0, stream>>>(200'000);
}

}  // namespace gyre::bench::rivals
