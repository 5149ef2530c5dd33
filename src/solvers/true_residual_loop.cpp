#include "true_residual_loop.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

// The loop while it is written down.
template <class T>
class Loop {
 public:
  Loop(const Workspace<T>& w, Steps<T>& method)
      : p_(w.p),
        w_(w),
        s_(w.s),
        method_(method),
        norm_(p_.var("norm", 0.0)),
        last_norm_(p_.var("last_norm", std::numeric_limits<double>::max())),
        first_norm_(p_.var("first_norm", 0.0)),
        rtol_norm_(p_.var("rtol_norm", 0.0)),
        target_(p_.var("target", 0.0)) {}

  void build() {
    s_.scale_rhs();
    start_from_true_residual();
    p_.while_(is_going(s_.reason), [&] {
      recur();
      start_from_true_residual();
    });
  }

 private:
  void start_from_true_residual() {
    s_.add_to_x(w_.y);
    // A method that restarts by itself may have made little progress, and say so.
    const auto near = max(target_, claimed_gain * last_norm_);
    const auto claimed = p_.let("claimed", w_.rr <= near * near);
    s_.store_residual(w_.r);
    w_.rr = dot(s_.n, elements_of(w_.r), elements_of(w_.r));
    method_.start();
    norm_ = sqrt(w_.rr);
    first_norm_ = select(s_.trips == 0, norm_, first_norm_);
    rtol_norm_ = select(s_.rtol_of_start, first_norm_, s_.norm_b);
    s_.start_residual = s_.scale * first_norm_;
    s_.residual = s_.scale * norm_;
    s_.relative = select(s_.norm_b > 0.0, norm_ / s_.norm_b, norm_);
    s_.record(norm_);
    judge(claimed);
  }

  // The first that holds is the reason.
  void judge(const builder::Value<bool>& claimed) {
    s_.end_if(!is_finite(norm_) || !is_finite(s_.recurrence), Reason::NanOrInf);
    s_.end_if(norm_ <= s_.rtol * rtol_norm_, Reason::ConvergedRtol);
    s_.end_if(s_.residual <= s_.atol, Reason::ConvergedAtol);
    s_.end_if(!is_going(s_.unusable), s_.unusable);
    s_.end_if(!is_going(w_.breakdown), w_.breakdown);
    s_.end_if(norm_ > farthest_up(), Reason::Dtol);
    s_.end_if(s_.trips >= s_.max_trips, Reason::MaxTrips);
    s_.end_if(norm_ >= select(claimed, least_gain * last_norm_, last_norm_), Reason::Stagnated);
    last_norm_ = norm_;
  }

  void recur() {
    const auto floor = p_.let("floor", max(farthest<T> * norm_, least_norm<T>));
    target_ = max(max(s_.rtol * rtol_norm_, s_.atol / s_.scale), floor);
    const auto up = p_.let("up", farthest_up());
    s_.restarts += select(s_.trips > 0, builder::constant<std::int64_t>(1), 0);
    const auto goes_on = w_.rr > target_ * target_ && w_.rr <= up * up;
    // Between two checks trips go on, but not to where the recurrence says nothing any more. Asked
    // last, so that it costs the usual trip nothing.
    const auto is_unchecked = s_.trips % s_.check_every != 0 && w_.rr > floor * floor;
    p_.while_(method_.has_trip() && s_.trips < s_.max_trips && (goes_on || is_unchecked),
              [&] { method_.trip(); });
    method_.finish();
    const auto last = sqrt(w_.rr);
    s_.recurrence = select(s_.norm_b > 0.0, last / s_.norm_b, last);
  }

  Real farthest_up() const { return s_.dtol * max(s_.norm_b, first_norm_); }

  builder::Program& p_;
  const Workspace<T>& w_;
  const LinearSystem<T>& s_;
  Steps<T>& method_;
  builder::Scalar<double> norm_;
  builder::Scalar<double> last_norm_;
  builder::Scalar<double> first_norm_;
  builder::Scalar<double> rtol_norm_;
  builder::Scalar<double> target_;
};

}  // namespace

template <class T>
Workspace<T>::Workspace(builder::Program& program, const Variant& variant,
                        const std::optional<OneOfMany>& place)
    : p(program),
      s(p, variant, place),
      m(make_inverse(s, variant)),
      r(s.vector("r")),
      y(s.vector("y")),
      rr(p.var("rr", 0.0)),
      breakdown(p.var<std::int32_t>("breakdown", going)) {}

template <class T>
void build_true_residual_loop(const Workspace<T>& w, Steps<T>& method) {
  Loop<T>(w, method).build();
}

void for_each_system(builder::Program& p, ir::Team team,
                     const std::function<void(const OneOfMany&)>& body) {
  const auto count = p.size("systems");
  p.foreach(builder::range("system", 0, count), team, [&](const Index& system) {
    body({count, system});
  });
}

template struct Workspace<float>;
template struct Workspace<double>;
template void build_true_residual_loop(const Workspace<float>&, Steps<float>&);
template void build_true_residual_loop(const Workspace<double>&, Steps<double>&);

}  // namespace gyre::solvers
