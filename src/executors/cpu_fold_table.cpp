#include "cpu_fold_table.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/ir/value.hpp"

#include <cstring>
#include <type_traits>

namespace gyre::executors::cpu {
namespace {

using ir::FoldOp;

/// What one term is as a partial, and how partials combine: as ir::fold_first and ir::fold_combine
/// say on values.
template <FoldOp op, class T>
struct Folding {
  static constexpr bool locates = ir::folds_to_index(op);
  using Term = T;
  using Partial = std::conditional_t<locates, ops::Located<T>,
                                     std::conditional_t<op == FoldOp::Count, std::int64_t, T>>;
  using Result = std::conditional_t<locates, std::int64_t, Partial>;

  static Partial first(T term, std::int64_t index) {
    if constexpr (locates) {
      return {term, index};
    } else {
      return static_cast<Partial>(term);
    }
  }
  static Partial both(Partial a, Partial b) {
    if constexpr (op == FoldOp::Sum || op == FoldOp::Count) return ops::add(a, b);
    if constexpr (op == FoldOp::Prod) return ops::mul(a, b);
    if constexpr (op == FoldOp::Min) return ops::min(a, b);
    if constexpr (op == FoldOp::Max) return ops::max(a, b);
    if constexpr (op == FoldOp::Any) return ops::logical_or(a, b);
    if constexpr (op == FoldOp::All) return ops::logical_and(a, b);
    if constexpr (op == FoldOp::Argmin) return ops::argmin(a, b);
    if constexpr (op == FoldOp::Argmax) return ops::argmax(a, b);
  }
  static Result result(Partial partial) {
    if constexpr (locates) {
      return partial.index;
    } else {
      return partial;
    }
  }
};

template <class F>
void take(void* partials, const void* terms, int stride, int count, bool add, TermIndex index) {
  auto* __restrict out = static_cast<typename F::Partial*>(partials);
  const auto* __restrict in = static_cast<const typename F::Term*>(terms);
  if (stride == 0) {
    for (int i = 0; i < count; ++i) {
      const auto one = F::first(*in, index.first + i * index.step);
      out[i] = add ? F::both(out[i], one) : one;
    }
  } else if (add) {
    for (int i = 0; i < count; ++i) {
      out[i] = F::both(out[i], F::first(in[i], index.first + i * index.step));
    }
  } else {
    for (int i = 0; i < count; ++i) out[i] = F::first(in[i], index.first + i * index.step);
  }
}

template <class F>
void combine(void* partials, std::int64_t count) {
  strands::combine_tree(static_cast<typename F::Partial*>(partials), count,
                        [](auto a, auto b) { return F::both(a, b); });
}

template <class F>
void finish(const void* partial, void* result) {
  *static_cast<typename F::Result*>(result) =
      F::result(*static_cast<const typename F::Partial*>(partial));
}

template <class F>
typename F::Result serial(const typename F::Term* terms, int count, std::int64_t begin,
                          std::int64_t step) {
  auto sum = F::first(terms[0], begin);
  for (int t = 1; t < count; ++t) sum = F::both(sum, F::first(terms[t], begin + t * step));
  return F::result(sum);
}

template <class F>
typename F::Result in_strands(const typename F::Term* terms, int count, std::int64_t begin,
                              std::int64_t step, void* strands) {
  const auto width = static_cast<int>(strands::inner(count));
  for (int t = 0; t < count; t += width) {
    const int part = count - t < width ? count - t : width;
    take<F>(strands, terms + t, 1, part, t != 0, {begin + t * step, step});
  }
  combine<F>(strands, width);
  return F::result(*static_cast<const typename F::Partial*>(strands));
}

template <class F>
void reduce(const Segment* segments, int count, const void* terms, void* results,
            const std::int64_t* begin, const std::int64_t* step, void* strands) {
  const auto* in = static_cast<const typename F::Term*>(terms);
  auto* out = static_cast<typename F::Result*>(results);
  for (int s = 0; s < count; ++s) {
    const Segment& segment = segments[s];
    const std::int64_t first = F::locates ? begin[segment.lane] : 0;
    const std::int64_t stride = F::locates ? step[segment.lane] : 0;
    // Up to 7 terms have one strand.
    out[segment.lane] =
        segment.count < 8
            ? serial<F>(in + segment.first, segment.count, first, stride)
            : in_strands<F>(in + segment.first, segment.count, first, stride, strands);
  }
}

template <class F>
void reduce_products(const Segment* segments, int count, const void* a, const void* b,
                     void* products, void* results, void* strands) {
  using T = typename F::Term;
  const auto* __restrict left = static_cast<const T*>(a);
  const auto* __restrict right = static_cast<const T*>(b);
  auto* __restrict terms = static_cast<T*>(products);
  auto* __restrict out = static_cast<T*>(results);
  for (int s = 0; s < count; ++s) {
    const auto [lane, first, length] = segments[s];
    if (length < 8) {
      T sum = ops::mul(left[first], right[first]);
      for (int t = first + 1; t < first + length; ++t) {
        sum = F::both(sum, ops::mul(left[t], right[t]));
      }
      out[lane] = sum;
    } else {
      for (int t = 0; t < length; ++t) terms[t] = ops::mul(left[first + t], right[first + t]);
      out[lane] = in_strands<F>(terms, length, 0, 0, strands);
    }
  }
}

template <FoldOp op, class F>
constexpr auto products_of() -> decltype(FoldTable::reduce_products) {
  if constexpr (op == FoldOp::Sum) {
    return &reduce_products<F>;
  } else {
    return nullptr;
  }
}

template <class Result>
void write(const ir::Value& value, void* to) {
  const auto typed = value.as<Result>();
  std::memcpy(to, &typed, sizeof typed);
}

template <FoldOp op, class T>
constexpr FoldTable make_table() {
  using F = Folding<op, T>;
  return {op,
          ir::type_of<T>,
          ir::type_of<typename F::Result>,
          sizeof(typename F::Partial),
          &take<F>,
          &combine<F>,
          &finish<F>,
          [](void* to) { write<typename F::Result>(fold_empty(op, ir::type_of<T>), to); },
          [](void* to) {
            if constexpr (op == FoldOp::Count) {
              *static_cast<bool*>(to) = false;
            } else if constexpr (!F::locates) {
              write<T>(fold_empty(op, ir::type_of<T>), to);
            } else {
              *static_cast<T*>(to) = T{};
            }
          },
          &reduce<F>,
          products_of<op, F>()};
}

template <FoldOp op>
const FoldTable& of_numbers(ir::ScalarType type) {
  static constexpr FoldTable i32 = make_table<op, std::int32_t>();
  static constexpr FoldTable i64 = make_table<op, std::int64_t>();
  static constexpr FoldTable f32 = make_table<op, float>();
  static constexpr FoldTable f64 = make_table<op, double>();
  switch (type) {
    case ir::ScalarType::I32: return i32;
    case ir::ScalarType::I64: return i64;
    case ir::ScalarType::F32: return f32;
    default: GYRE_CHECK(type == ir::ScalarType::F64, "a fold of what is no number"); return f64;
  }
}

template <FoldOp op>
const FoldTable& of_conditions(ir::ScalarType type) {
  static constexpr FoldTable table = make_table<op, bool>();
  GYRE_CHECK(type == ir::ScalarType::Bool, "a fold of what is no condition");
  return table;
}

}  // namespace

const FoldTable& fold_table(FoldOp op, ir::ScalarType type) {
  switch (op) {
    case FoldOp::Sum: return of_numbers<FoldOp::Sum>(type);
    case FoldOp::Prod: return of_numbers<FoldOp::Prod>(type);
    case FoldOp::Min: return of_numbers<FoldOp::Min>(type);
    case FoldOp::Max: return of_numbers<FoldOp::Max>(type);
    case FoldOp::Any: return of_conditions<FoldOp::Any>(type);
    case FoldOp::All: return of_conditions<FoldOp::All>(type);
    case FoldOp::Count: return of_conditions<FoldOp::Count>(type);
    case FoldOp::Argmin: return of_numbers<FoldOp::Argmin>(type);
    case FoldOp::Argmax: return of_numbers<FoldOp::Argmax>(type);
  }
  GYRE_CHECK(false, "a fold that op.hpp does not list");
  return of_numbers<FoldOp::Sum>(type);
}

}  // namespace gyre::executors::cpu
