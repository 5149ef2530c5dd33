#include "gyre/passes/lower_primitives.hpp"

#include "gyre/passes/pass.hpp"
#include "primitive_sketches.hpp"

#include <utility>

namespace gyre::passes {
namespace {

class LowerPrimitives final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::While& op) override {
    ++loops_;
    ir::Region lowered = Pass::visit(self, op);
    --loops_;
    return lowered;
  }

  ir::Region visit(const ir::Region& self, const ir::For& op) override {
    ++loops_;
    ir::Region lowered = Pass::visit(self, op);
    --loops_;
    return lowered;
  }

  ir::Region visit(const ir::Region& self, const ir::Primitive& op) override {
    Sketch sketch(program_, names_, *self, loops_ != 0);
    switch (op.op) {
      case ir::PrimitiveOp::Scan: sketch_scan(sketch, op); break;
      case ir::PrimitiveOp::Sort: sketch_sort(sketch, op, Orderer::Loops); break;
      case ir::PrimitiveOp::Compact: sketch_compact(sketch, op); break;
      case ir::PrimitiveOp::Topk: sketch_topk(sketch, op, Orderer::Loops); break;
      case ir::PrimitiveOp::Histogram: sketch_histogram(sketch, op); break;
      case ir::PrimitiveOp::ReduceByKey: sketch_reduce_by_key(sketch, op); break;
    }
    return sketch.take();
  }

 private:
  /// How many loops stand around.
  int loops_ = 0;
};

}  // namespace

ir::Program lower_primitives(ir::Program program) {
  return LowerPrimitives(std::move(program)).run();
}

}  // namespace gyre::passes
