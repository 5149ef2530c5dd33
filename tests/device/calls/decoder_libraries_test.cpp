/// A decoder whose products are cuBLAS's, and a trip of its loop in a graph of the caller's.
#include "call_test.hpp"
#include "forwards/cublas_product.hpp"
#include "forwards/decode_run.hpp"
#include "forwards/greedy.hpp"

#include <cstddef>
#include <vector>

namespace forwards {
namespace {

class DecoderOfLibraries : public gyre::CallTest {};

TEST_P(DecoderOfLibraries, DecodesAsInTheLanguage) {
  const DecoderShape shape{.layers = 2,
                           .width = 64,
                           .heads = 2,
                           .hidden = 128,
                           .vocabulary = 96,
                           .positions = 48,
                           .page = 8};
  const auto weights = make_decoder_weights(shape, 1);
  const auto requests = random_requests(2, 6, shape);
  DecodeRun in_language(greedy_decode(shape), weights, {.executor = GetParam()});
  DecodeRun by_calls(greedy_decode(shape, cublas_product()), weights, {.executor = GetParam()});
  Batch expected(shape, requests);
  Batch batch(shape, requests);

  ASSERT_TRUE(in_language.decode(expected).completed());
  ASSERT_TRUE(by_calls.decode(batch).completed());

  EXPECT_EQ(batch.tokens, expected.tokens);
  EXPECT_EQ(batch.ended, expected.ended);
  // The sums of the products have another order: logits agree up to rounding.
  const auto expected_logits = in_language.logits(expected);
  const auto logits = by_calls.logits(batch);
  ASSERT_EQ(logits.size(), expected_logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_NEAR(logits[i], expected_logits[i], 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Executors, DecoderOfLibraries,
                         testing::Values("device_graph", "host_branch"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace forwards
