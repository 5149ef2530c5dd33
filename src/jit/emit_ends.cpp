#include "emit_ends.hpp"

#include "emit_text.hpp"

namespace gyre::jit {
namespace {

// `count` is 0 for an array that only its name's sake keeps from being empty.
std::string cells_of(const EmittedModule& module, const std::string& name,
                     const std::vector<ir::SymbolId>& slots) {
  std::vector<std::string> offsets;
  for (const ir::SymbolId slot : slots) offsets.push_back(number(module.layout.cell({slot})));
  if (offsets.empty()) offsets.emplace_back("0");
  return "__device__ const unsigned " + name + "[] = {" + joined(offsets) + "};\n";
}

}  // namespace

std::string emit_letters(const EmittedModule& module) {
  return "\n// What host and device tell each other.\n" +
         cells_of(module, "input_cells", module.inputs) +
         cells_of(module, "output_cells", module.outputs) +
         "__device__ inline gyre::Letters letters() {\n  return {" +
         joined({module.takes_request ? "true" : "false", number(module.layout.first_counter()),
                 number(module.layout.counter_count()), "input_cells", number(module.inputs.size()),
                 "output_cells", number(module.outputs.size()), number(module.layout.trace())}) +
         "};\n}\n";
}

std::string emit_ends(const EmittedModule& module) {
  const std::string start = "extern \"C\" __global__ void __launch_bounds__(256)\n";
  std::string text = "\n// From and to the host.\n";
  if (!module.begins_within) {
    text += start +
            "gyre_begin(gyre::State state, const char* requests, unsigned places, unsigned bytes) "
            "{\n  gyre::follow();\n  gyre::let_next_start();\n"
            "  gyre::begin(state, letters(), requests, places, bytes);\n}\n";
  }
  return text + start +
         "gyre_end(gyre::State state, char* results, unsigned places, unsigned bytes) {\n"
         "  gyre::end(state, letters(), results, places, bytes);\n}\n";
}

}  // namespace gyre::jit
