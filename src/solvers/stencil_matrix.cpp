#include "gyre/solvers/stencil_matrix.hpp"

#include "stored_matrix.hpp"

#include <array>
#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

using Offsets = std::vector<std::vector<std::int32_t>>;
using Small = builder::Value<std::int32_t>;

constexpr std::array<const char*, 3> axis_names = {"nz", "ny", "nx"};

// What of a stencil is part of the program.
struct StencilShape {
  std::size_t axes = 0;
  Offsets offsets;
  bool varies = false;
};

template <class T, class S>
class StencilOperator final : public Operator<T> {
 public:
  StencilOperator(builder::Program& p, StencilShape shape)
      : Operator<T>(p),
        shape_(std::move(shape)),
        extents_(declare_extents(p, shape_.axes)),
        n_(points(extents_)),
        entries_(p, {static_cast<std::int64_t>(shape_.offsets.size()),
                     shape_.varies ? n_ : builder::constant<std::int64_t>(1)}) {}

  Index rows() const override { return n_; }
  void prepare() const override {
    const auto count = static_cast<std::int64_t>(shape_.offsets.size());
    const auto columns = shape_.varies ? n_ : builder::constant<std::int64_t>(1);
    entries_.prepare(this->program(), builder::range(this->program().constant(0) + 0, count) *
                                          builder::range(this->program().constant(0) + 0, columns));
  }

  Element<T> sum_row(const Index& i, const TermOf<T>& term) const override {
    return sum_of<T>(i, [&](const Index& j, std::int64_t offset) {
      return term(j, entries_(offset, place(i)));
    });
  }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const override {
    return sum_of<double>(i, [&](const Index& j, std::int64_t offset) {
      return term(j, entries_.wide(offset, place(i)));
    });
  }

 private:
  static std::vector<builder::Size> declare_extents(builder::Program& p, std::size_t axes) {
    std::vector<builder::Size> extents;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      extents.push_back(p.size(axis_names[axis + 3 - axes]));
    }
    return extents;
  }
  static Index points(const std::vector<builder::Size>& extents) {
    Index all = extents[0];
    for (std::size_t axis = 1; axis < extents.size(); ++axis) {
      const Index product = all * extents[axis];
      return axis + 1 < extents.size() ? product * extents[axis + 1] : product;
    }
    return all;
  }

  Index place(const Index& i) const {
    return shape_.varies ? i : builder::constant<std::int64_t>(0);
  }

  // The coordinates of point i, by divisions of 32 bits.
  std::vector<Small> coordinates(const Index& i) const {
    auto& p = this->program();
    const auto extent = [&](std::size_t axis) { return as<std::int32_t>(Index(extents_[axis])); };
    const Small point = p.let("point", as<std::int32_t>(i));
    if (shape_.axes == 1) return {point};
    const std::size_t last = shape_.axes - 1;
    const Small line = p.let("line", point / extent(last));
    const Small x = p.let("x_at", point - line * extent(last));
    if (shape_.axes == 2) return {line, x};
    const Small z = p.let("z_at", line / extent(1));
    return {z, p.let("y_at", line - z * extent(1)), x};
  }

  // The terms one after the other, in the order of the offsets.
  template <class W, class Term>
  Element<W> sum_of(const Index& i, const Term& term) const {
    const auto at = coordinates(i);
    std::vector<Element<W>> partial;
    for (std::size_t number = 0; number < shape_.offsets.size(); ++number) {
      const auto& offset = shape_.offsets[number];
      const auto value = term(i + shift(offset), static_cast<std::int64_t>(number));
      const auto inside = is_inside(at, offset);
      const auto next = inside ? Element<W>(select(*inside, value, 0.0)) : Element<W>(value);
      partial.push_back(partial.empty() ? next : Element<W>(partial.back() + next));
    }
    return partial.back();
  }

  Index shift(const std::vector<std::int32_t>& offset) const {
    std::vector<Index> all = {builder::constant<std::int64_t>(offset[0])};
    for (std::size_t axis = 1; axis < offset.size(); ++axis) {
      all.push_back(all.back() * extents_[axis] + offset[axis]);
    }
    return all.back();
  }

  std::optional<builder::Value<bool>> is_inside(const std::vector<Small>& at,
                                                const std::vector<std::int32_t>& offset) const {
    std::optional<builder::Value<bool>> inside;
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (offset[axis] == 0) continue;
      const auto extent = as<std::int32_t>(Index(extents_[axis]));
      const auto fits = offset[axis] < 0 ? builder::Value<bool>(at[axis] >= -offset[axis])
                                         : builder::Value<bool>(at[axis] < extent - offset[axis]);
      const auto both = inside ? builder::Value<bool>(*inside && fits) : fits;
      inside.reset();
      inside.emplace(both);
    }
    return inside;
  }

  StencilShape shape_;
  std::vector<builder::Size> extents_;
  Index n_;
  Entries<T, S> entries_;
};

struct MakeStencil {
  StencilShape shape;

  template <class T, class S>
  std::unique_ptr<Operator<T>> of(builder::Program& program) const {
    return std::make_unique<StencilOperator<T, S>>(program, shape);
  }
};

template <class S>
class StencilMatrix final : public StoredMatrix<S, MakeStencil> {
 public:
  explicit StencilMatrix(const BasicStencilView<S>& view) : view_(view) { verify(); }

  std::int64_t rows() const override {
    std::int64_t points = 1;
    for (const std::int64_t extent : view_.extents) points *= extent;
    return points;
  }
  std::string shape() const override {
    std::string text = varies() ? "a varying stencil of" : "a stencil of";
    for (const auto& offset : view_.offsets) {
      text += " (";
      for (std::size_t axis = 0; axis < offset.size(); ++axis) {
        text += (axis == 0 ? "" : ",") + std::to_string(offset[axis]);
      }
      text += ")";
    }
    text += " on";
    for (const std::int64_t extent : view_.extents) text += " " + std::to_string(extent);
    return text;
  }
  SparseMatrix entries() const override {
    SparseMatrix made{.rows = rows(), .columns = rows()};
    for (std::int64_t i = 0; i < rows(); ++i) {
      for (std::size_t offset = 0; offset < view_.offsets.size(); ++offset) {
        const auto j = neighbour(i, view_.offsets[offset]);
        if (!j) continue;
        const auto number = static_cast<std::int64_t>(offset);
        const auto value = static_cast<std::size_t>(varies() ? number * rows() + i : number);
        made.col.push_back(static_cast<std::int32_t>(*j));
        made.val.push_back(view_.val[value]);
      }
      if (made.col.size() > std::numeric_limits<std::int32_t>::max()) {
        refuse_matrix("its stencil has more entries than an i32 counts");
      }
      made.row.push_back(static_cast<std::int32_t>(made.col.size()));
    }
    return sorted(made);
  }
  void bind(Executable& executable) const override {
    for (std::size_t axis = 0; axis < view_.extents.size(); ++axis) {
      executable.set_size(axis_names[axis + 3 - view_.extents.size()], view_.extents[axis]);
    }
    executable.bind("val", view_.val,
                    {static_cast<std::int64_t>(view_.offsets.size()), varies() ? rows() : 1});
  }

 private:
  MakeStencil maker() const override { return {{view_.extents.size(), view_.offsets, varies()}}; }

  bool varies() const { return view_.val.size() != view_.offsets.size(); }

  // The point that the offset leads to from point i; none outside the grid.
  std::optional<std::int64_t> neighbour(std::int64_t i,
                                        const std::vector<std::int32_t>& offset) const {
    std::int64_t j = 0;
    std::int64_t stride = 1;
    for (std::size_t axis = offset.size(); axis-- > 0;) {
      const std::int64_t extent = view_.extents[axis];
      const std::int64_t at = i % extent + offset[axis];
      if (at < 0 || at >= extent) return std::nullopt;
      j += at * stride;
      stride *= extent;
      i /= extent;
    }
    return j;
  }

  void verify() const {
    const std::size_t axes = view_.extents.size();
    if (axes < 1 || axes > 3) refuse_matrix("a grid has 1 to 3 extents");
    double points = 1;
    for (const std::int64_t extent : view_.extents) {
      if (extent < 0) refuse_matrix("an extent is negative");
      points *= static_cast<double>(extent);
    }
    if (points > std::numeric_limits<std::int32_t>::max()) {
      refuse_matrix("a grid has less than 2^31 points");
    }
    if (view_.offsets.empty()) refuse_matrix("a stencil needs an offset");
    for (const auto& offset : view_.offsets) {
      if (offset.size() != axes) refuse_matrix("an offset needs a coordinate for each extent");
    }
    const std::size_t offsets = view_.offsets.size();
    if (varies() && view_.val.size() != offsets * static_cast<std::size_t>(rows())) {
      refuse_matrix(std::to_string(offsets) + " offsets on " + std::to_string(rows()) +
                    " points need a value each, or one for each point; there are " +
                    std::to_string(view_.val.size()));
    }
  }

  BasicStencilView<S> view_;
};

}  // namespace

std::vector<std::vector<std::int32_t>> nearest_neighbours(std::size_t axes) {
  Offsets offsets = {std::vector<std::int32_t>(axes, 0)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    for (const std::int32_t step : {-1, 1}) {
      offsets.emplace_back(axes, 0);
      offsets.back()[axis] = step;
    }
  }
  return offsets;
}

std::shared_ptr<const Matrix> stencil_matrix(const StencilView& view) {
  return std::make_shared<StencilMatrix<double>>(view);
}

std::shared_ptr<const Matrix> stencil_matrix(const StencilViewF32& view) {
  return std::make_shared<StencilMatrix<float>>(view);
}

}  // namespace gyre::solvers
