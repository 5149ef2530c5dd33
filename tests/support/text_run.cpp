#include "support/text_run.hpp"

#include "gyre/ir/interpret.hpp"
#include "gyre/verifier/verify.hpp"

#include <utility>

namespace gyre::support {

Run run_text(const std::string& body, OwnedArguments data, const ir::RunOptions& options,
             const text::CallRegistry& calls) {
  const ir::Program program =
      text::parse_program("p.gyre", "program p(n: size) {\n" + body + "\n}\n", calls);
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  if (diagnostics.has_errors()) throw ProgramError(diagnostics);
  if (data.buffers.empty()) data.sizes.try_emplace("n", 8);
  Run run{{}, std::move(data)};
  run.outcome = interpret(program, run.data.view(program), options);
  return run;
}

}  // namespace gyre::support
