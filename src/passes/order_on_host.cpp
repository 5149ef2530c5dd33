#include "gyre/passes/order_on_host.hpp"

#include "gyre/passes/pass.hpp"
#include "primitive_sketches.hpp"

#include <utility>

namespace gyre::passes {
namespace {

class OrderOnHost final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Primitive& op) override {
    Sketch sketch(program_, names_, *self, false);
    switch (op.op) {
      case ir::PrimitiveOp::Sort: sketch_sort(sketch, op, Orderer::Host); break;
      case ir::PrimitiveOp::Topk: sketch_topk(sketch, op, Orderer::Host); break;
      default: return self;
    }
    return sketch.take();
  }
};

}  // namespace

ir::Program order_on_host(ir::Program program) {
  return OrderOnHost(std::move(program)).run();
}

}  // namespace gyre::passes
