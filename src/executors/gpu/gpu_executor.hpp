/// Both GPU executors: one walk over the steps of a plan, with a policy for who decides branches.
///
/// What the host has no part in becomes one graph. `device_graph` is the policy under which, but
/// for calls that run on the host, the whole plan is such a piece; under `host_branch` pieces are
/// straight lines, and the host decides what comes between them.
#pragma once

#include "form.hpp"
#include "gpu_policy.hpp"
#include "pieces.hpp"
#include "residence.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace gyre::executors {

class GpuExecutor final : public Executor {
 public:
  /// `arena`: shared with executors that never run at the same time, or null.
  GpuExecutor(std::shared_ptr<const plan::Plan> plan, const GpuPolicy& policy,
              std::shared_ptr<ArenaMemory> arena);

  std::string_view name() const override { return policy_.name; }
  void compile(bool checked) override;
  void prepare(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::size_t held_bytes() const override;
  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::shared_ptr<Flight> start(const ir::Bound& bound, const ir::RunOptions& options) override;
  std::shared_ptr<InputPlace> make_input(std::size_t bytes) const override;
  bool peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) override;
  bool is_capturing(void* stream) const override;
  std::shared_ptr<Flight> join(const ir::Bound& bound, const ir::RunOptions& options) override;

 private:
  /// The form of a run of these sizes. Launches of another one have ended when it returns.
  const std::shared_ptr<Form>& form_for(const ir::Bound& bound, const ir::RunOptions& options);
  /// The same with the buffers of the run bound.
  Form& bound_form(const ir::Bound& bound, const ir::RunOptions& options);
  const std::shared_ptr<Form>& form_with(const Residents& residents, const ir::RunOptions& options);
  jit::EmitOptions emit_options(const ir::RunOptions& run);
  /// Those of this GPU, looked up once.
  const plan::CostTable& costs();
  std::string why_host() const;
  Pieces pieces_of(const Form& form) const { return {policy_, form.module()->emitted()}; }
  /// Makes the graphs of all pieces.
  void build(Form& form, Steps steps) const;

  ir::Outcome attend(Form& form, const ir::Bound& bound, const ir::RunOptions& options) const;

  std::shared_ptr<const plan::Plan> plan_;
  GpuPolicy policy_;
  std::shared_ptr<ArenaMemory> shared_arena_;
  using Shapes = std::map<std::uint32_t, jit::ResidentShape>;
  /// By the shapes of resident loops, and by whether runs are checked, and traced.
  std::map<std::tuple<Shapes, bool, bool>, std::shared_ptr<Form>> forms_;
  /// The last sizes, and what they lead to.
  std::optional<std::pair<std::vector<std::int64_t>, Residents>> residents_;
  std::optional<plan::CostTable> costs_;
  /// Held while forms and what is bound to them change.
  std::mutex binding_;
  /// The form of the last run.
  std::shared_ptr<Form> last_;
  /// What was said of loops, each sentence once.
  std::set<std::string> told_;
};

}  // namespace gyre::executors
