/// What decides in forwards of whole models, as kernels of one block that their users have. Each
/// function puts one on a stream; flags are what the host reads.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace gyre::bench::rivals {

/// The answers of rows that wait (left_after -1; in block 0 all do) by the logits of a block, and
/// *waiting: how many wait behind it. Of the last block none does.
struct Answers {
  std::int64_t rows, classes;
  const float* logits;
  const float* threshold;
  std::int32_t block;
  bool is_last;
  std::int32_t* label;
  std::int32_t* left_after;
};
void put_answers(cudaStream_t stream, const Answers& answers, std::int32_t* waiting);

/// The expert of each row by its scores, and wanted[e]: whether a row wants expert e. For the whole
/// batch it is the expert with the largest sum of scores.
void put_experts(cudaStream_t stream, bool for_batch, std::int64_t rows, std::int64_t experts,
                 const float* scores, std::int32_t* expert, std::int32_t* wanted);

/// Which rows fire: Σ_k score_w[k] seen[r, k] > threshold. Their labels become -1, and *any is
/// whether one fires.
void put_fired(cudaStream_t stream, std::int64_t rows, std::int64_t narrow, const float* score_w,
               const float* seen, float threshold, std::int32_t* fired, std::int32_t* label,
               std::int32_t* any);

/// The classes of the rows that fired.
void put_labels(cudaStream_t stream, std::int64_t rows, std::int64_t classes, const float* logits,
                const std::int32_t* fired, std::int32_t* label);

}  // namespace gyre::bench::rivals
