#include "emitted_source.hpp"

#ifdef GYRE_HAS_CUDA
#include "gpu_facts.hpp"
#include "gyre/jit/emit_module.hpp"
#else
#include "gyre/base/error.hpp"
#endif

namespace gyre::cli {

#ifdef GYRE_HAS_CUDA

std::string emitted_source(const plan::Plan& plan, bool checked) {
  const auto choices = plan::make_choices(plan, find_costs().table);
  return jit::emit_module(plan, {.checked = checked, .choices = choices}).listing;
}

#else

std::string emitted_source(const plan::Plan&, bool) {
  throw EnvironmentError("this build of gyre has no emitter of CUDA C++, being one without CUDA");
}

#endif

}  // namespace gyre::cli
