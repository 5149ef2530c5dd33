#include "cpu_fold.hpp"

#include "cpu_fold_ranges.hpp"
#include "cpu_fold_table.hpp"
#include "cpu_machine.hpp"
#include "gyre/ir/strands.hpp"

#include <algorithm>
#include <type_traits>

namespace gyre::executors::cpu {
namespace {

// Lanes with that many terms are not mixed with others whose terms do not adjoin: a sequence is
// worth more than a full block.
constexpr int enough_terms = 256;

/// One execution of a fold: collects the ranges of the lanes and evaluates their terms in blocks.
class FoldRun {
 public:
  FoldRun(Machine& machine, Context& parent, const Instr& instr)
      : machine_(machine),
        parent_(parent),
        fold_(machine.body().folds[instr.side]),
        terms_(machine.context(fold_.context)),
        scratch_(machine.fold_scratch(fold_.context)),
        out_(instr.out),
        has_one_range_(fold_.ranges.size() == 1) {
    capacity_ = machine.watch != nullptr ? 1 : terms_.capacity;
  }

  void run(const Lanes& lanes) {
    read_fold_ranges(machine_, parent_, fold_, scratch_, lanes);
    machine_.set_vector(out_);
    clear();
    counts_ = has_one_range_ ? scratch_.ranges[0].count.data() : scratch_.terms.data();
    begins_ = scratch_.ranges[0].begin.data();
    steps_ = scratch_.ranges[0].step.data();
    for (int i = 0; i < lanes.count;) {
      add(lanes[i++]);
      i = add_adjoining(lanes, i);
    }
    if (filled_ != 0) flush();
  }

 private:
  using Range = FoldScratch::Range;

  // Adds the terms of one lane, whatever they are.
  void add(int lane) {
    const std::int64_t count = counts_[lane];
    if (count == 0) return fold_.table->finish_empty(result(lane));
    if (count > capacity_) return run_long(lane, count);
    const bool adjoins = has_one_range_ && begins_[lane] == next_ && steps_[lane] == step_;
    if (filled_ != 0) {
      const bool enough = !adjoins && (filled_ >= enough_terms || count >= enough_terms);
      if (filled_ + count > capacity_ || enough) flush();
    }
    if (filled_ == 0) {
      sequence_ = has_one_range_;
      first_ = begins_[lane];
      step_ = steps_[lane];
    } else if (!adjoins) {
      sequence_ = false;
    }
    terms_.segments[static_cast<std::size_t>(terms_.segment_count++)] = {
        lane, filled_, static_cast<std::int32_t>(count)};
    filled_ += static_cast<int>(count);
    next_ = begins_[lane] + count * step_;
  }

  // Adds lanes from the i-th on while their terms go on where the last one's ended and there is
  // room: the rows of a matrix, so nothing here goes through memory from row to row.
  int add_adjoining(const Lanes& lanes, int i) {
    if (!has_one_range_ || filled_ == 0) return i;
    Segment* segments = terms_.segments.data();
    int count = terms_.segment_count;
    int filled = filled_;
    std::int64_t next = next_;
    for (; i < lanes.count; ++i) {
      const int lane = lanes[i];
      const std::int64_t terms = counts_[lane];
      if (begins_[lane] != next || steps_[lane] != step_) break;
      if (terms <= 0 || terms > capacity_ - filled) break;
      segments[count++] = {lane, filled, static_cast<std::int32_t>(terms)};
      filled += static_cast<int>(terms);
      next += terms * step_;
    }
    terms_.segment_count = count;
    filled_ = filled;
    next_ = next;
    return i;
  }

  void* result(int lane) {
    auto* bytes = machine_.storage<std::byte>(out_);
    return bytes + static_cast<std::size_t>(lane) * ir::size_of(fold_.table->result_type);
  }

  void clear() {
    terms_.segment_count = 0;
    terms_.done = 0;
    filled_ = 0;
  }

  void flush() {
    evaluate(filled_);
    void* results = machine_.storage<std::byte>(out_);
    if (fold_.factor != no_register && stands_one_by_one(fold_.operand) &&
        stands_one_by_one(fold_.factor)) {
      fold_.table->reduce_products(
          terms_.segments.data(), terms_.segment_count, machine_.reg(fold_.operand).data,
          machine_.reg(fold_.factor).data, machine_.storage<std::byte>(fold_.spread), results,
          scratch_.strands.data());
    } else {
      fold_.table->reduce(terms_.segments.data(), terms_.segment_count, operand_vector(), results,
                          scratch_.ranges[0].begin.data(), scratch_.ranges[0].step.data(),
                          scratch_.strands.data());
    }
    clear();
  }

  // A fold of more terms than fit at once: its strands live on from block to block.
  void run_long(int lane, std::int64_t count) {
    if (filled_ != 0) flush();
    const Range& range = scratch_.ranges[0];
    const auto at = static_cast<std::size_t>(lane);
    const std::int64_t width = strands::inner(count);
    const bool was_running = parent_.state[at] == Running;
    for (std::int64_t done = 0; done < count; done += capacity_) {
      const auto part = static_cast<int>(std::min<std::int64_t>(capacity_, count - done));
      clear();
      terms_.segments[0] = {lane, 0, part};
      terms_.segment_count = 1;
      terms_.done = done;
      sequence_ = has_one_range_;
      first_ = range.begin[at] + done * range.step[at];
      step_ = range.step[at];
      evaluate(part);
      if (was_running && parent_.state[at] != Running) break;
      take_part(done, part, width, {first_, step_});
    }
    fold_.table->combine(scratch_.strands.data(), width);
    fold_.table->finish(scratch_.strands.data(), result(lane));
    clear();
  }

  void take_part(std::int64_t done, int part, std::int64_t width, TermIndex index) {
    const auto* terms = static_cast<const std::byte*>(operand_vector());
    const std::size_t size = ir::size_of(fold_.table->type);
    auto* partials = reinterpret_cast<std::byte*>(scratch_.strands.data());
    for (int t = 0; t < part;) {
      const std::int64_t strand = (done + t) % width;
      const auto run = static_cast<int>(std::min<std::int64_t>(part - t, width - strand));
      fold_.table->take(partials + static_cast<std::size_t>(strand) * fold_.table->partial_size,
                        terms + static_cast<std::size_t>(t) * size, 1, run, done + t >= width,
                        {index.first + t * index.step, index.step});
      t += run;
    }
  }

  void evaluate(int count) {
    terms_.start(count);
    terms_.linear = 0;
    for (std::size_t d = 0; d < fold_.ranges.size(); ++d) {
      const RegId index = fold_.ranges[d].index;
      if (sequence_) {
        machine_.set_sequence(index, first_, step_);
      } else if (machine_.body().registers[index].type == ir::ScalarType::I32) {
        write_index<std::int32_t>(d, machine_.storage<std::int32_t>(index));
      } else {
        write_index<std::int64_t>(d, machine_.storage<std::int64_t>(index));
      }
      if (!sequence_) machine_.set_vector(index);
    }
    machine_.execute(fold_.body, terms_, Lanes{nullptr, count});
  }

  // The index of dimension d at every term: it moves on each time the inner ones have gone round.
  template <class I>
  void write_index(std::size_t d, I* out) {
    for (int s = 0; s < terms_.segment_count; ++s) {
      const Segment& segment = terms_.segments[static_cast<std::size_t>(s)];
      const auto lane = static_cast<std::size_t>(segment.lane);
      std::int64_t inner = 1;
      for (std::size_t e = d + 1; e < scratch_.ranges.size(); ++e) {
        inner *= scratch_.ranges[e].count[lane];
      }
      const std::int64_t count = scratch_.ranges[d].count[lane];
      const std::int64_t begin = scratch_.ranges[d].begin[lane];
      const std::int64_t step = scratch_.ranges[d].step[lane];
      std::int64_t round = terms_.done % inner;
      std::int64_t position = terms_.done / inner % count;
      for (std::int32_t t = 0; t < segment.count; ++t) {
        out[segment.first + t] = static_cast<I>(begin + position * step);
        if (++round < inner) continue;
        round = 0;
        if (++position == count) position = 0;
      }
    }
  }

  bool stands_one_by_one(RegId id) { return machine_.reg(id).form == Form::Vector; }

  const void* operand_vector() {
    return ir::dispatch(fold_.table->type, [&](auto zero) -> const void* {
      using T = decltype(zero);
      const Operand<T> terms = machine_.operand<T>(fold_.operand, terms_);
      if (fold_.factor != no_register) {
        if constexpr (!std::is_same_v<T, bool>) {
          const Operand<T> factors = machine_.operand<T>(fold_.factor, terms_);
          return spread<T>([&](int t) { return ops::mul(terms[t], factors[t]); });
        }
      }
      if (terms.stride == 1) return terms.data;
      return spread<T>([&](int) { return *terms.data; });
    });
  }

  template <class T, class Term>
  const T* spread(Term term) {
    T* out = machine_.storage<T>(fold_.spread);
    for (int t = 0; t < terms_.lanes; ++t) out[t] = term(t);
    return out;
  }

  Machine& machine_;
  Context& parent_;
  const FoldCode& fold_;
  Context& terms_;
  FoldScratch& scratch_;
  RegId out_;
  bool has_one_range_;
  int capacity_;
  /// By lane: the terms, and the first range.
  const std::int64_t* counts_ = nullptr;
  const std::int64_t* begins_ = nullptr;
  const std::int64_t* steps_ = nullptr;
  /// Of the block being filled: its terms, and the sequence that their index is, if it is one.
  int filled_ = 0;
  bool sequence_ = false;
  std::int64_t first_ = 0;
  std::int64_t step_ = 1;
  std::int64_t next_ = 0;
};

}  // namespace

void run_fold(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  FoldRun(machine, context, instr).run(lanes);
}

}  // namespace gyre::executors::cpu
