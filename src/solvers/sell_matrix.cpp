#include "gyre/solvers/sell_matrix.hpp"

#include "stored_matrix.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

namespace gyre::solvers {
namespace {

// What of a matrix changes the program.
struct SellShape {
  std::int32_t slice_rows;
  bool is_sorted;
};

template <class T, class S>
class SellOperator final : public Operator<T> {
 public:
  SellOperator(builder::Program& p, const SellShape& shape)
      : Operator<T>(p),
        slice_rows_(shape.slice_rows),
        n_(p.size("n")),
        slices_(p.size("slices")),
        numbers_(p.size("numbers")),
        slice_(p.in<std::int32_t>("slice", {slices_ + 1})),
        length_(p.in<std::int32_t>("length", {n_})),
        col_(p.in<std::int32_t>("col", {numbers_})),
        entries_(p, {numbers_}) {
    if (shape.is_sorted) place_.emplace(p.in<std::int32_t>("place", {n_}));
  }

  Index rows() const override { return n_; }
  void prepare() const override { entries_.prepare(this->program(), builder::range(0, numbers_)); }

  Element<T> sum_row(const Index& i, const TermOf<T>& term) const override {
    return sum_of(i, [&](const Index& j, const Small& at) { return term(j, entries_(at)); });
  }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const override {
    return sum_of(i, [&](const Index& j, const Small& at) { return term(j, entries_.wide(at)); });
  }

 private:
  // Numbers of rows and entries are small: half the registers.
  using Small = builder::Value<std::int32_t>;

  // Over the entries of the row alone: as many terms as in compressed rows, so the same bits.
  template <class Term>
  auto sum_of(const Index& i, const Term& term) const {
    auto& p = this->program();
    const Small place = p.let("place_of", place_ ? Small((*place_)[i]) : as<std::int32_t>(i));
    const Small first = p.let("first", slice_[place / slice_rows_] + place % slice_rows_);
    return sum(builder::range("k", 0, Small(length_[i])), [&](const Small& k) {
      const Small at = first + k * slice_rows_;
      return term(as<std::int64_t>(col_[at]), at);
    });
  }

  std::int32_t slice_rows_;
  builder::Size n_;
  builder::Size slices_;
  builder::Size numbers_;
  builder::Buffer<std::int32_t> slice_;
  builder::Buffer<std::int32_t> length_;
  builder::Buffer<std::int32_t> col_;
  Entries<T, S> entries_;
  std::optional<builder::Buffer<std::int32_t>> place_;
};

struct MakeSell {
  SellShape shape;

  template <class T, class S>
  std::unique_ptr<Operator<T>> of(builder::Program& program) const {
    return std::make_unique<SellOperator<T, S>>(program, shape);
  }
};

std::size_t slices_of(std::int64_t n, std::int64_t slice_rows) {
  return static_cast<std::size_t>((n + slice_rows - 1) / slice_rows);
}

template <class S>
class SellMatrix final : public StoredMatrix<S, MakeSell> {
 public:
  SellMatrix(const BasicSellView<S>& view, Contents contents) : view_(view), contents_(contents) {
    verify_lengths();
    if (contents == Contents::Verify) verify();
  }

  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " rows in " + (is_sorted() ? "sorted " : "") + "slices of " +
           std::to_string(view_.slice_rows) + ", with room for " +
           std::to_string(view_.col.size()) + " entries";
  }
  SparseMatrix entries() const override {
    // They may lie on the device.
    if (contents_ == Contents::Trust) return Matrix::entries();
    SparseMatrix made{.rows = view_.n, .columns = view_.n};
    for (std::size_t i = 0; i < view_.length.size(); ++i) {
      const auto place = is_sorted() ? std::int64_t{view_.place[i]} : static_cast<std::int64_t>(i);
      const auto slice = static_cast<std::size_t>(place / view_.slice_rows);
      for (std::int64_t k = 0; k < view_.length[i]; ++k) {
        const auto at = static_cast<std::size_t>(view_.slice[slice] + k * view_.slice_rows +
                                                 place % view_.slice_rows);
        made.col.push_back(view_.col[at]);
        made.val.push_back(view_.val[at]);
      }
      made.row.push_back(static_cast<std::int32_t>(made.col.size()));
    }
    return sorted(made);
  }
  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.set_size("slices", static_cast<std::int64_t>(view_.slice.size()) - 1);
    executable.set_size("numbers", static_cast<std::int64_t>(view_.col.size()));
    executable.bind("slice", view_.slice);
    executable.bind("length", view_.length);
    if (is_sorted()) executable.bind("place", view_.place);
    executable.bind("col", view_.col);
    executable.bind("val", view_.val);
  }

 private:
  MakeSell maker() const override {
    return {{static_cast<std::int32_t>(view_.slice_rows), is_sorted()}};
  }

  bool is_sorted() const { return !view_.place.empty(); }

  void verify_lengths() const {
    verify_rows(view_.n);
    if (view_.slice_rows < 1) refuse_matrix("a slice has at least one row");
    verify_rows(view_.slice_rows);
    const auto n = static_cast<std::size_t>(view_.n);
    const std::size_t slices = slices_of(view_.n, view_.slice_rows);
    if (view_.slice.size() != slices + 1 || view_.length.size() != n ||
        (is_sorted() && view_.place.size() != n)) {
      refuse_matrix(std::to_string(n) + " rows in slices of " + std::to_string(view_.slice_rows) +
                    " need " + std::to_string(slices + 1) +
                    " starts of slices, and a length, and where they are sorted a place, each");
    }
    if (view_.val.size() != view_.col.size()) {
      refuse_matrix(std::to_string(view_.col.size()) + " columns with " +
                    std::to_string(view_.val.size()) + " values");
    }
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (view_.col.size() > most) {
      refuse_matrix("room for " + std::to_string(view_.col.size()) +
                    " entries; slices are counted by an i32, up to " + std::to_string(most));
    }
  }

  void verify() const {
    verify_slices();
    const std::int64_t rows = view_.slice_rows;
    std::vector<bool> taken(view_.length.size());
    for (std::size_t i = 0; i < view_.length.size(); ++i) {
      const std::string row = "row " + std::to_string(i) + " (from 0)";
      const auto place = is_sorted() ? std::int64_t{view_.place[i]} : static_cast<std::int64_t>(i);
      if (place < 0 || place >= view_.n) refuse_matrix(row + " has a place outside 0 .. n");
      if (taken[static_cast<std::size_t>(place)]) refuse_matrix(row + " has another one's place");
      taken[static_cast<std::size_t>(place)] = true;
      const auto s = static_cast<std::size_t>(place / rows);
      const std::int64_t width = (view_.slice[s + 1] - view_.slice[s]) / rows;
      if (view_.length[i] < 0 || view_.length[i] > width) {
        refuse_matrix(row + " has " + std::to_string(view_.length[i]) +
                      " entries, and its slice room for " + std::to_string(width));
      }
      for (std::int64_t k = 0; k < view_.length[i]; ++k) {
        const auto at = static_cast<std::size_t>(view_.slice[s] + k * rows + place % rows);
        if (view_.col[at] >= 0 && view_.col[at] < view_.n) continue;
        refuse_matrix("column " + std::to_string(view_.col[at]) + " is outside 0 .. " +
                      std::to_string(view_.n));
      }
    }
  }

  void verify_slices() const {
    const auto numbers = static_cast<std::int64_t>(view_.col.size());
    if (view_.slice.front() != 0 || view_.slice.back() != numbers) {
      refuse_matrix("the slices do not go from 0 to their " + std::to_string(numbers) + " numbers");
    }
    for (std::size_t s = 1; s < view_.slice.size(); ++s) {
      const std::int64_t room = std::int64_t{view_.slice[s]} - view_.slice[s - 1];
      if (room >= 0 && room % view_.slice_rows == 0) continue;
      refuse_matrix("slice " + std::to_string(s - 1) + " (from 0) has room for " +
                    std::to_string(room) + " entries, which is no multiple of its rows");
    }
  }

  BasicSellView<S> view_;
  Contents contents_;
};

// Which row stands in each place.
std::vector<std::int32_t> sorted_rows(const std::vector<std::int32_t>& length,
                                      std::int64_t window) {
  std::vector<std::int32_t> rows(length.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto n = static_cast<std::int64_t>(rows.size());
  for (std::int64_t begin = 0; window > 1 && begin < n; begin += window) {
    std::stable_sort(rows.begin() + begin, rows.begin() + std::min(begin + window, n),
                     [&](std::int32_t one, std::int32_t other) {
                       return length[static_cast<std::size_t>(one)] >
                              length[static_cast<std::size_t>(other)];
                     });
  }
  return rows;
}

// Where slices begin whose places hold these rows.
std::vector<std::int32_t> slice_starts(const std::vector<std::int32_t>& length,
                                       const std::vector<std::int32_t>& rows,
                                       std::int64_t slice_rows) {
  std::vector<std::int32_t> starts = {0};
  std::int64_t numbers = 0;
  const auto n = static_cast<std::int64_t>(rows.size());
  for (std::int64_t begin = 0; begin < n; begin += slice_rows) {
    std::int32_t width = 0;
    for (auto p = begin; p < std::min(begin + slice_rows, n); ++p) {
      const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(p)]);
      width = std::max(width, length[row]);
    }
    numbers += width * slice_rows;
    if (numbers > std::numeric_limits<std::int32_t>::max()) {
      refuse_matrix("its slices need room for more entries than an i32 counts, up to " +
                    std::to_string(std::numeric_limits<std::int32_t>::max()));
    }
    starts.push_back(static_cast<std::int32_t>(numbers));
  }
  return starts;
}

template <class S>
SellArrays<S> sell_of(const BasicCsrView<S>& matrix, const SellOptions& options) {
  verify_csr_view(matrix);
  if (options.slice_rows < 1) throw UsageError("slice_rows must be at least 1");
  if (options.window < 1) throw UsageError("window must be at least 1");
  SellArrays<S> sell{.n = matrix.n,
                     .slice_rows = options.slice_rows,
                     .slice = {},
                     .length = {},
                     .place = {},
                     .col = {},
                     .val = {}};
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    sell.length.push_back(matrix.row[i + 1] - matrix.row[i]);
  }
  const auto rows = sorted_rows(sell.length, options.window);
  sell.slice = slice_starts(sell.length, rows, options.slice_rows);
  if (options.window > 1) sell.place.resize(rows.size());
  sell.col.assign(static_cast<std::size_t>(sell.slice.back()), -1);
  sell.val.assign(sell.col.size(), 0);
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const auto row = static_cast<std::size_t>(rows[p]);
    if (options.window > 1) sell.place[row] = static_cast<std::int32_t>(p);
    const auto slice_rows = static_cast<std::size_t>(options.slice_rows);
    std::size_t at = static_cast<std::size_t>(sell.slice[p / slice_rows]) + p % slice_rows;
    for (std::int32_t k = matrix.row[row]; k < matrix.row[row + 1]; ++k, at += slice_rows) {
      sell.col[at] = matrix.col[static_cast<std::size_t>(k)];
      sell.val[at] = matrix.val[static_cast<std::size_t>(k)];
    }
  }
  return sell;
}

}  // namespace

SellArrays<double> make_sell(const CsrView& matrix, const SellOptions& options) {
  return sell_of(matrix, options);
}

SellArrays<float> make_sell(const CsrViewF32& matrix, const SellOptions& options) {
  return sell_of(matrix, options);
}

std::shared_ptr<const Matrix> sell_matrix(const SellView& view, Contents contents) {
  return std::make_shared<SellMatrix<double>>(view, contents);
}

std::shared_ptr<const Matrix> sell_matrix(const SellViewF32& view, Contents contents) {
  return std::make_shared<SellMatrix<float>>(view, contents);
}

}  // namespace gyre::solvers
