/// Forwards of whole models whose path the data decides: their programs, their memory on the GPU,
/// and inputs that take a path as often as is wanted.
///
/// Leaves out who runs them (model_way.hpp).
#pragma once

#include "forwards/dense.hpp"
#include "gyre/ir/arguments.hpp"
#include "support/device_array.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

/// The buffers of a model by the names that they have in its program, on the GPU.
class ModelMemory {
 public:
  void add(const std::string& name, const std::vector<float>& values,
           const std::vector<std::int64_t>& extents);
  void add_zeros(const std::string& name, ir::ScalarType type,
                 const std::vector<std::int64_t>& extents);

  float* floats(const std::string& name) const { return static_cast<float*>(view(name).data); }
  std::int32_t* ints(const std::string& name) const {
    return static_cast<std::int32_t*>(view(name).data);
  }
  /// What a run of the model's program is given.
  const ir::Arguments& arguments() const { return arguments_; }
  ir::Arguments& arguments() { return arguments_; }
  /// The elements of a buffer as floats, whatever their type is.
  std::vector<float> values_of(const std::string& name) const;

 private:
  const ir::BufferView& view(const std::string& name) const { return arguments_.buffers.at(name); }

  std::map<std::string, DeviceArray<char>> memory_;
  ir::Arguments arguments_;
};

/// How the dense layers of a model are computed. Indexed is the language too, where each row reads
/// the weights of its own expert and nothing branches.
enum class Layers { Language, GuardedKernel, Library, Indexed };

const char* name_of(Layers layers);
forwards::DenseForm dense_form(Layers layers);

/// What is given to one launch: contents for some buffers of the model.
using Contents = std::map<std::string, std::shared_ptr<DeviceArray<float>>>;

class ModelForward {
 public:
  virtual ~ModelForward() = default;

  virtual std::string name() const = 0;
  virtual ir::Program program(Layers layers) const = 0;
  /// Whether there is a program of such layers.
  virtual bool has(Layers layers) const { return layers != Layers::Indexed; }
  /// Makes memory for batches of so many rows.
  virtual void resize(std::int64_t rows) = 0;
  /// What to give to launches in turn, so that so many in a hundred take the long way: all blocks,
  /// another expert than the first, the expensive model.
  virtual std::vector<Contents> launches(int taken_percent) const = 0;
  /// How many blocks a row can leave behind; 0 where there is no leaving.
  virtual int blocks() const { return 0; }
  /// What to give to launches so that all leave behind this many blocks.
  virtual std::vector<Contents> launches_of_blocks(int blocks) const {
    static_cast<void>(blocks);
    return {};
  }
  /// What a launch has found, one number or more for each row.
  virtual std::vector<float> output() const = 0;
  /// What plain C++ makes of the batch's first row in a launch with these contents.
  virtual std::vector<float> plain_output(const Contents& contents) const = 0;

  /// Writes the contents, and returns when they are there.
  void choose(const Contents& contents) const;
  const ModelMemory& memory() const { return memory_; }
  std::int64_t rows() const { return rows_; }

 protected:
  ModelMemory memory_;
  std::int64_t rows_ = 0;
};

/// The models. `small` ones show that everything works rather than how fast it is.
std::unique_ptr<ModelForward> make_early_exit(bool small);
std::unique_ptr<ModelForward> make_mixture_by_switch(bool small);
std::unique_ptr<ModelForward> make_mixture_by_groups(bool small);
std::unique_ptr<ModelForward> make_cascade(bool small);

}  // namespace gyre::bench
