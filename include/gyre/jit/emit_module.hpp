/// A plan as CUDA C++: one module whose kernels are the plan's, with the duties of conditional
/// nodes added to them, and what a launch of each kernel passes.
///
/// The text is meant to be read (`gyre explain --source`). Leaves out compiling it (compile.hpp)
/// and putting the kernels into a graph (executors/).
#pragma once

#include "gyre/jit/resident_shape.hpp"
#include "gyre/jit/state_layout.hpp"
#include "gyre/plan/choices.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gyre::jit {

/// A kernel's parameter after the state: a buffer's address, that of its shadow, a size, or the
/// number by which a decision is made known (a conditional handle, or a place in mapped memory),
/// or how many threads share each point of its sweep, or for how many elements of a buffer each
/// warp has shared memory, or each block for those of some rows. Under a guard a kernel is given
/// where the guard stands in the state, and at the end of a copy of a trip where that of the next
/// copy does. The kernels at the ends of a launch are given where requests and results lie, how far
/// one is from the next, and how many there are.
struct Parameter {
  enum class Kind {
    Buffer,
    Shadow,
    Size,
    Decision,
    Guard,
    NextGuard,
    Lanes,
    StageElements,
    RowElements,
    Requests,
    RequestBytes,
    Results,
    ResultBytes,
    Places
  } kind;
  ir::SymbolId symbol{};
  /// Of a Decision: the number of the conditional node in the plan's order. Of RowElements: that of
  /// the rows among plan::kept_rows.
  std::uint32_t node = 0;
};

/// What a kernel does for a node: it decides for a conditional one, before it or at the end of a
/// loop's body, or sets out and gathers the arms of a fork.
struct Duty {
  enum class Kind { EnterLoop, NextTrip, ChooseArm, EnterFork, JoinFork } kind;
  /// The number of the conditional node in the plan's order, or that of the fork's first arm.
  std::uint32_t node;
};

/// How a branch becomes conditional nodes: not at all where every block is empty, one IF where only
/// the first has something to run, else one node a block or a SWITCH over them.
enum class BranchForm { None, If, Arms };
BranchForm branch_form(const plan::Node& node);

/// What a kernel is made for: folds of few terms within a point, of many, or of many that lie
/// beside those of the neighbouring points (plan/staging.hpp).
enum class FoldForm { Short, Long, Staged };

/// A kernel in another form than that for short folds.
struct LongForm {
  /// The function, called EmittedKernel::name_of(form).
  std::string text;
  std::vector<Parameter> parameters;
  /// Of the staged form: the bytes of shared memory for each element that a warp has room for.
  unsigned stage_bytes = 0;
};

struct EmittedKernel {
  std::string name;
  /// The region of the source, for profilers and errors.
  std::string region;
  std::vector<Parameter> parameters;
  unsigned threads = 32;
  /// The kernel of the plan; none for one that only has a duty, or stands at an end of the launch.
  std::optional<std::uint32_t> kernel = {};
  /// It waits by itself for the kernel before it (kernels/chain.cuh), and may start early.
  bool follows = false;
  /// Of a kernel that is a whole loop: its shape, and the loop's number in the plan's order.
  std::optional<ResidentShape> resident = {};
  std::uint32_t loop = 0;
  /// It begins the launch before it does anything else.
  bool begins = false;
  /// Its grid has a block more than its points need, which does the epilogue.
  bool has_block_of_epilogue = false;
  /// The function in its form for short folds; empty at the ends of a launch.
  std::string text = {};
  /// The forms that it has beside that one.
  std::map<FoldForm, LongForm> long_forms = {};

  /// The name of the function in one of these forms, and what that takes.
  std::string name_of(FoldForm form) const;
  const std::vector<Parameter>& parameters_of(FoldForm form) const;
  /// As LongForm::stage_bytes; 0 where there is no staged form.
  unsigned stage_bytes() const;
};

/// A step of a block as a GPU executor walks it: a kernel to launch, or a node of the plan.
struct Step {
  /// Index into EmittedModule::kernels, or none: then `node` is a clear, copy, call or branch.
  std::optional<std::uint32_t> kernel = {};
  const plan::Node* node = nullptr;
  /// Of a kernel or a call: the byte offset in the state of the word that says whether it does
  /// anything; 0: it always does.
  std::uint32_t guard = 0;
  /// Of a kernel that decides whether its loop makes another trip: the guard of the body's next
  /// copy of a trip; 0: there is none, and the loop's node or the host is told.
  std::uint32_t next_guard = 0;
  /// Two buffers of the kernel that have changed places; null: none have.
  const plan::WhileNode::Swap* swapped = nullptr;
  /// Of a branch: its number in the plan's order, and its blocks (then, else; the body; the cases,
  /// then the default).
  std::uint32_t number = 0;
  std::vector<std::vector<Step>> blocks = {};
  /// Of a branch that nothing follows: each of its blocks ends the launch, and so does one more,
  /// for a launch that was over before, where no arm runs.
  bool ends = false;
  /// The blocks may run at once: they are the arms of a fork, or arms under guards, of which one at
  /// most does anything.
  bool side_by_side = false;
  /// The arm of a fork that a kernel or a call belongs to, as StateLayout numbers them; 0: to none.
  std::uint32_t arm = 0;
};

/// Whom the kernels' decisions reach (kernels/decide.cuh).
enum class Decisions { ConditionalNodes, IfNodesOnly, Host };

struct EmitOptions {
  /// Every access is checked, every broken bound is a fault.
  bool checked = false;
  Decisions decisions = Decisions::ConditionalNodes;
  /// Branches that the host decides whatever `decisions` says, by their number in the plan's order.
  std::vector<bool> host_decides = {};
  /// Which branches are guarded kernels in line, and how many trips a loop's body holds.
  plan::Choices choices = {};
  /// Loops that become one kernel each, by their number in the plan's order of branches.
  std::map<std::uint32_t, ResidentShape> resident = {};
  /// Keeps when each trip of each loop began (kernels/trace.cuh); not of those within an index.
  bool traced = false;
};

struct EmittedModule {
  /// What is compiled first: all kernels in their form for short folds.
  std::string source = {};
  /// The same with all other forms, to be read.
  std::string listing = {};
  /// What stands before and behind the kernels.
  std::string head = {};
  std::string ends = {};
  StateLayout layout;
  std::vector<EmittedKernel> kernels = {};
  /// From the kernel that begins a launch, through the plan's body, to the one that ends it. Refers
  /// to nodes of the plan, which must live on.
  std::vector<Step> steps = {};
  /// A kernel of the plan begins the launch, instead of one of its own.
  bool begins_within = false;
  /// A launch is told something: scalars, or a trip limit that somebody asks for.
  bool takes_request = false;
  /// The scalars that a launch is given, and those that it gives back, in the order in which host
  /// and device pass them.
  std::vector<ir::SymbolId> inputs = {};
  std::vector<ir::SymbolId> outputs = {};
  /// Regions, labels of `stop` and buffers, as device code numbers them.
  Names names = {};
  /// Buffers that need a shadow (kernels/watch.cuh), since a sweep under a promise stores to them.
  std::set<ir::SymbolId> watched = {};
  std::uint32_t conditional_count = 0;
  Decisions decisions = Decisions::ConditionalNodes;
  /// By number: which branches the host decides.
  std::vector<bool> host_decides = {};

  /// The text with each kernel in the form given for it.
  std::string source_in(const std::vector<FoldForm>& forms) const;
};

EmittedModule emit_module(const plan::Plan& plan, const EmitOptions& options);

}  // namespace gyre::jit
