#include "gyre/passes/call_library.hpp"

#include "gyre/passes/pass.hpp"
#include "primitive_sketches.hpp"
#include "sketch_library.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gyre::passes {
namespace {

// A call counts in an i32.
constexpr std::int64_t most_called = (std::int64_t{1} << 31) - 1;

std::optional<std::int64_t> number_in(const Term& term) {
  const auto* literal = ir::as<ir::Literal>(term.expr);
  return literal == nullptr ? std::nullopt : std::optional(literal->value.as_integer());
}

// Whether a call is made: always, never, or as a condition says.
struct Decision {
  enum { Always, Never, AtRunTime } when = Always;
  Term condition = 0;
  /// Why not: never, or where the condition does not hold.
  std::string why_not = {};

  // `known` is what the program tells of `holds`.
  void require(const Term& holds, std::optional<bool> known, const std::string& otherwise) {
    if (when == Never || known == true) return;
    if (known == false) {
      when = Never;
      why_not = otherwise;
      return;
    }
    condition = when == Always ? holds : condition && holds;
    why_not += (when == Always ? "" : ", or where ") + otherwise;
    when = AtRunTime;
  }
};

class CallLibrary final : public Pass {
 public:
  CallLibrary(ir::Program program, const ir::PrimitiveLibrary& library,
              const CallLibraryOptions& options, std::vector<PrimitiveForm>* forms)
      : Pass(std::move(program)), library_(library), options_(options), forms_(forms) {}

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::While& op) override {
    return in_loop([&] { return Pass::visit(self, op); });
  }

  ir::Region visit(const ir::Region& self, const ir::For& op) override {
    return in_loop([&] { return Pass::visit(self, op); });
  }

  ir::Region visit(const ir::Region& self, const ir::Primitive& op) override {
    const bool is_sort = op.op == ir::PrimitiveOp::Sort;
    if (!is_sort && op.op != ir::PrimitiveOp::Scan) {
      return stays(self, library_.name + " is called for sorts and scans alone");
    }
    if (loops_ != 0 && !options_.in_loops) {
      return stays(self, "it stands in a loop, which persistent may keep on the chip");
    }
    Sketch sketch(program_, names_, *self, loops_ != 0);
    const PrimitiveTerms terms(sketch, op);
    terms.check_room();
    const auto called = is_sort ? called_sort(sketch, op, terms) : called_scan(sketch, op, terms);
    if (!called) return stays(self, why_not_called(op, terms));
    const std::int64_t least = is_sort ? library_.limits.least_sort : library_.limits.least_scan;
    Decision decision = decide(terms.count(), called->room, least);
    // Its call stores a sum for each term, and looks at nothing that a fault leaves behind.
    if (!is_sort)
      require_places(decision, terms.count(), sketch.extent(sketch.array(op.outputs[0])));
    if (decision.when == Decision::Never) return stays(self, decision.why_not);
    const auto write = [&](const auto& by_call, const auto& by_loops) {
      if (decision.when == Decision::Always) return by_call();
      sketch.choose(decision.condition, by_call, by_loops);
    };
    if (is_sort) {
      // The kernel that decides, where there is one, computes it as well.
      const Variable count = sketch.var("count", terms.count());
      write([&] { sketch_called_sort(sketch, op, terms, *called, count, library_); },
            [&] { sketch_sort(sketch, op, terms, Orderer::Loops); });
    } else {
      write([&] { sketch_called_scan(sketch, op, terms, *called, library_); },
            [&] { sketch_scan(sketch, op, terms); });
    }
    const bool is_certain = decision.when == Decision::Always;
    tell(self,
         "a call of " + library_.name + (is_certain ? "" : "; loops where " + decision.why_not));
    return sketch.take();
  }

 private:
  template <class Visit>
  ir::Region in_loop(const Visit& visit_it) {
    ++loops_;
    ir::Region region = visit_it();
    --loops_;
    return region;
  }

  Decision decide(const Term& count, const Term& room, std::int64_t least) const {
    Decision decision;
    const auto values = number_in(count);
    const auto places = number_in(room);
    std::optional<bool> is_long;
    if (values) is_long = *values >= least;
    if (least <= 0) is_long = true;
    if (places && *places < least) is_long = false;
    decision.require(!(count < Term(least)), is_long,
                     "it has fewer than " + std::to_string(least) + " values");

    std::optional<bool> fits;
    if (places) fits = *places <= most_called;
    decision.require(!(Term(most_called) < room), fits, "it has 2^31 places or more");

    // As a quotient, since a product might be too large.
    const std::int64_t most = std::max<std::int64_t>(1, library_.limits.most_places_a_value);
    std::optional<bool> is_full;
    if (values && places) is_full = (*places - 1) / most < *values;
    if (ir::same_expr(count.expr, room.expr)) is_full = true;
    decision.require((room - 1) / Term(most) < count, is_full,
                     "it has more than " + std::to_string(most) + " places for each value");
    return decision;
  }

  static void require_places(Decision& decision, const Term& count, const Term& places) {
    std::optional<bool> is_room;
    if (const auto has = number_in(places), wants = number_in(count); has && wants) {
      is_room = *wants <= *has;
    }
    if (ir::same_expr(count.expr, places.expr)) is_room = true;
    decision.require(!(places < count), is_room, "its output has too few places");
  }

  static std::string why_not_called(const ir::Primitive& op, const PrimitiveTerms& terms) {
    if (op.fold != ir::FoldOp::Sum) return "only sums are called";
    if (ir::is_float(terms.type(0))) return "the sum of floats has a shape of its own";
    return "its terms lie in no buffer of their length";
  }

  ir::Region stays(const ir::Region& self, const std::string& reason) {
    tell(self, "loops: " + reason);
    return self;
  }

  void tell(const ir::Region& self, std::string form) {
    if (forms_ != nullptr) forms_->push_back({self->path, std::move(form)});
  }

  const ir::PrimitiveLibrary& library_;
  const CallLibraryOptions options_;
  std::vector<PrimitiveForm>* forms_;
  int loops_ = 0;
};

}  // namespace

ir::Program call_library(ir::Program program, const ir::PrimitiveLibrary& library,
                         const CallLibraryOptions& options, std::vector<PrimitiveForm>* forms) {
  return CallLibrary(std::move(program), library, options, forms).run();
}

}  // namespace gyre::passes
