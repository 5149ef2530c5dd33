#include "survey.hpp"

#include <set>

namespace gyre::verifier {

/// The one walk over a program.
class Surveyor {
 public:
  explicit Surveyor(Survey& survey) : survey_(survey) {}

  void walk(const ir::Region& region) {
    if (!region) return;
    const std::size_t id = survey_.regions_.size();
    RegionSite site = context_;
    site.node = region.get();
    site.id = id;
    if (!region->path.empty()) site.path = region->path;
    survey_.regions_.push_back(site);
    // Where the limit is passed the site itself is kept for the rule on depth, and nothing below.
    if (site.depth <= ir::max_region_depth) {
      const RegionSite around = std::exchange(context_, site);
      context_.parent = id;
      seen_.clear();
      std::visit([this](const auto& kind) { look(kind); }, region->kind);
      context_ = around;
    }
    survey_.regions_[id].end = survey_.regions_.size();
  }

 private:
  std::size_t here() const { return context_.id; }

  void body(const ir::Region& block) {
    ++context_.depth;
    walk(block);
    --context_.depth;
  }

  void look(const ir::Seq& seq) {
    for (const ir::Region& item : seq.items) {
      // make_seq dissolves a block within a block; one that was put there by hand is a scope.
      if (ir::as<ir::Seq>(item)) {
        body(item);
      } else {
        walk(item);
      }
    }
  }
  void look(const ir::Declare& op) {
    bring(op.symbol);
    if (!survey_.knows(op.symbol)) return;
    const ir::Symbol& symbol = survey_.symbol(op.symbol);
    for (const ir::Expr& extent : symbol.extents) expr(extent);
    expr(symbol.initial);
  }
  void look(const ir::Let& op) {
    bring(op.symbol);
    expr(op.value);
  }
  void look(const ir::Assign& op) {
    place(op.place);
    expr(op.value);
  }
  void look(const ir::Scatter& op) {
    place(op.place);
    expr(op.value);
  }
  void look(const ir::Foreach& op) {
    for (const ir::Range& range : op.ranges) {
      bring(range.index);
      bounds(range);
    }
    (context_.foreach == nowhere ? context_.foreach : context_.inner) = here();
    context_.loop = nowhere;
    body(op.body);
  }
  void look(const ir::Call& op) {
    const SourceLoc& loc = survey_.regions_[here()].node->loc;
    for (std::size_t i = 0; op.callee && i < op.arguments.size(); ++i) {
      const auto access =
          i < op.callee->accesses.size() ? op.callee->accesses[i] : ir::Access::Read;
      if (access != ir::Access::Write) survey_.reads_.push_back({op.arguments[i], here(), loc});
      if (access != ir::Access::Read) survey_.writes_.push_back({op.arguments[i], here(), loc});
    }
  }
  void look(const ir::Copy& op) {
    const SourceLoc& loc = survey_.regions_[here()].node->loc;
    survey_.reads_.push_back({op.from, here(), loc});
    survey_.writes_.push_back({op.to, here(), loc});
  }
  void look(const ir::Fill& op) {
    survey_.writes_.push_back({op.buffer, here(), survey_.regions_[here()].node->loc});
    expr(op.value);
  }
  void look(const ir::Primitive& op) {
    const SourceLoc& loc = survey_.regions_[here()].node->loc;
    for (const ir::SymbolId output : op.outputs) survey_.writes_.push_back({output, here(), loc});
    bounds(op.range);
    // A node that the bounds have too is listed again, among the operands.
    seen_.clear();
    const std::size_t first = survey_.exprs_.size();
    for (const ir::Expr& operand : op.operands) expr(operand);
    if (Origin* origin = bring(op.range.index)) {
      origin->first = first;
      origin->end = survey_.exprs_.size();
    }
  }
  void look(const ir::If& op) {
    expr(op.condition);
    body(op.then);
    body(op.otherwise);
  }
  void look(const ir::While& op) {
    expr(op.condition);
    expr(op.limit);
    expr(op.expect);
    context_.loop = here();
    body(op.body);
  }
  void look(const ir::For& op) {
    bring(op.range.index);
    bounds(op.range);
    context_.loop = here();
    body(op.body);
  }
  void look(const ir::Switch& op) {
    expr(op.selector);
    for (const ir::Case& one : op.cases) body(one.body);
    body(op.otherwise);
  }
  void look(const ir::Fork& op) {
    context_.fork = here();
    context_.loop = nowhere;
    for (const ir::Region& arm : op.arms) body(arm);
  }
  void look(const ir::Break&) {}
  void look(const ir::Continue&) {}
  void look(const ir::Stop& op) { expr(op.code); }
  void look(const ir::CheckStep& op) { expr(op.step); }
  void look(const ir::CountTrips& op) { expr(op.trips); }

  // Null for a symbol that the program lacks, and where it has come into being before.
  Origin* bring(ir::SymbolId id) {
    if (!survey_.knows(id)) return nullptr;
    Origin& origin = survey_.origins_[static_cast<std::size_t>(id)];
    if (origin.count++ != 0) return nullptr;
    origin.region = here();
    return &origin;
  }
  void bounds(const ir::Range& range) {
    expr(range.begin);
    expr(range.end);
    expr(range.step);
  }
  void place(const ir::Place& place) {
    survey_.writes_.push_back({place.symbol, here(), place.loc});
    for (const ir::Expr& index : place.index) expr(index);
  }

  void expr(const ir::Expr& e) {
    // Built expressions share nodes; visiting each occurrence could take exponential time.
    if (!e || !seen_.emplace(e.get(), fold_).second) return;
    const std::size_t id = survey_.exprs_.size();
    survey_.exprs_.push_back({e.get(), id, here()});
    if (++expr_depth_ <= ir::max_expr_depth) {
      std::visit([&](const auto& kind) { look_inside(*e, kind); }, e->kind);
    }
    --expr_depth_;
  }
  void look_inside(const ir::ExprNode&, const ir::Literal&) {}
  void look_inside(const ir::ExprNode& node, const ir::Read& read) {
    survey_.reads_.push_back({read.symbol, here(), node.loc});
  }
  void look_inside(const ir::ExprNode& node, const ir::Load& load) {
    survey_.reads_.push_back({load.buffer, here(), node.loc});
    for (const ir::Expr& index : load.index) expr(index);
  }
  void look_inside(const ir::ExprNode&, const ir::Apply& apply) {
    for (const ir::Expr& operand : apply.operands) expr(operand);
  }
  void look_inside(const ir::ExprNode&, const ir::Cast& cast) { expr(cast.operand); }
  void look_inside(const ir::ExprNode& node, const ir::Fold& fold) {
    for (const ir::Range& range : fold.ranges) bounds(range);
    const std::size_t first = survey_.exprs_.size();
    const auto around = std::exchange(fold_, &node);
    expr(fold.operand);
    fold_ = around;
    for (const ir::Range& range : fold.ranges) {
      if (Origin* origin = bring(range.index)) {
        origin->first = first;
        origin->end = survey_.exprs_.size();
      }
    }
  }

  Survey& survey_;
  /// What the next region's site starts from.
  RegionSite context_;
  /// The nodes that this region has listed, each with the fold it was reached through.
  std::set<std::pair<const ir::ExprNode*, const ir::ExprNode*>> seen_;
  const ir::ExprNode* fold_ = nullptr;
  std::uint32_t expr_depth_ = 0;
};

Survey::Survey(const ir::Program& program) : program_(program), origins_(program.symbols.size()) {
  Surveyor(*this).walk(program.body);
}

}  // namespace gyre::verifier
