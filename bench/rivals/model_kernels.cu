#include "rivals/model_kernels.hpp"
#include "support/device_array.hpp"

#include <cmath>

namespace gyre::bench::rivals {
namespace {

// Rows of a batch, and experts, are fewer.
constexpr int threads = 128;

// Where the largest value stands, and the margin to the second.
__device__ std::int32_t largest(const float* values, std::int64_t count, float& margin) {
  std::int32_t best = 0;
  float first = -INFINITY;
  float second = -INFINITY;
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] > first) {
      second = first;
      first = values[i];
      best = static_cast<std::int32_t>(i);
    } else if (values[i] > second) {
      second = values[i];
    }
  }
  margin = first - second;
  return best;
}

__global__ void answer(Answers a, std::int32_t* waiting) {
  const std::int64_t row = threadIdx.x;
  bool waits = row < a.rows && (a.block == 0 || a.left_after[row] == -1);
  if (waits) {
    float margin = 0;
    a.label[row] = largest(a.logits + row * a.classes, a.classes, margin);
    waits = !a.is_last && !(margin >= a.threshold[a.block]);
    a.left_after[row] = waits ? -1 : a.block;
  }
  const int count = __syncthreads_count(waits);
  if (row == 0) *waiting = count;
}

__global__ void choose_for_rows(std::int64_t rows, std::int64_t experts, const float* scores,
                                std::int32_t* expert, std::int32_t* wanted) {
  const std::int64_t at = threadIdx.x;
  if (at < experts) wanted[at] = 0;
  __syncthreads();
  if (at >= rows) return;
  float margin = 0;
  expert[at] = largest(scores + at * experts, experts, margin);
  wanted[expert[at]] = 1;
}

__global__ void choose_for_batch(std::int64_t rows, std::int64_t experts, const float* scores,
                                 std::int32_t* expert, std::int32_t* wanted) {
  __shared__ float totals[threads];
  const std::int64_t at = threadIdx.x;
  if (at < experts) {
    float total = 0;
    for (std::int64_t row = 0; row < rows; ++row) total += scores[row * experts + at];
    totals[at] = total;
  }
  __syncthreads();
  float margin = 0;
  const std::int32_t best = largest(totals, experts, margin);
  if (at < experts) wanted[at] = at == best;
  if (at < rows) expert[at] = best;
}

__global__ void fire(std::int64_t rows, std::int64_t narrow, const float* score_w,
                     const float* seen, float threshold, std::int32_t* fired, std::int32_t* label,
                     std::int32_t* any) {
  const std::int64_t row = threadIdx.x;
  bool fires = false;
  if (row < rows) {
    float score = 0;
    for (std::int64_t k = 0; k < narrow; ++k) score += score_w[k] * seen[row * narrow + k];
    fires = score > threshold;
    fired[row] = fires;
    label[row] = -1;
  }
  const bool one_fires = __syncthreads_or(fires) != 0;
  if (row == 0) *any = one_fires;
}

__global__ void classify(std::int64_t rows, std::int64_t classes, const float* logits,
                         const std::int32_t* fired, std::int32_t* label) {
  const std::int64_t row = threadIdx.x;
  if (row >= rows || fired[row] == 0) return;
  float margin = 0;
  label[row] = largest(logits + row * classes, classes, margin);
}

}  // namespace

void put_answers(cudaStream_t stream, const Answers& answers, std::int32_t* waiting) {
  answer<<<1, threads, 0, stream>>>(answers, waiting);
  must(cudaGetLastError());
}

void put_experts(cudaStream_t stream, bool for_batch, std::int64_t rows, std::int64_t experts,
                 const float* scores, std::int32_t* expert, std::int32_t* wanted) {
  const auto kernel = for_batch ? choose_for_batch : choose_for_rows;
  kernel<<<1, threads, 0, stream>>>(rows, experts, scores, expert, wanted);
  must(cudaGetLastError());
}

void put_fired(cudaStream_t stream, std::int64_t rows, std::int64_t narrow, const float* score_w,
               const float* seen, float threshold, std::int32_t* fired, std::int32_t* label,
               std::int32_t* any) {
  fire<<<1, threads, 0, stream>>>(rows, narrow, score_w, seen, threshold, fired, label, any);
  must(cudaGetLastError());
}

void put_labels(cudaStream_t stream, std::int64_t rows, std::int64_t classes, const float* logits,
                const std::int32_t* fired, std::int32_t* label) {
  classify<<<1, threads, 0, stream>>>(rows, classes, logits, fired, label);
  must(cudaGetLastError());
}

}  // namespace gyre::bench::rivals
