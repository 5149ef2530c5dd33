/// What the bench of whole forwards compares: one way to run a model.
#pragma once

#include "support/model_forward.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

class ModelWay {
 public:
  virtual ~ModelWay() = default;

  virtual std::string name() const = 0;
  virtual bool is_gyre() const { return false; }
  /// Whether it adds up as gyre's language does, so that results have the same bits.
  virtual bool is_exact() const { return false; }

  /// Makes ready for the memory that the model has now, which outlives the runs.
  virtual void prepare() = 0;
  /// From launch to result.
  virtual void run() = 0;
};

using ModelWays = std::vector<std::unique_ptr<ModelWay>>;

/// gyre's ways of a model: executors, who decides and how, and the forms of its layers.
ModelWays make_gyre_models(const ModelForward& model);

}  // namespace gyre::bench
