/// Which branches of a plan the host has to decide, whatever the executor would rather do.
///
/// A call that runs on the host cannot stand in a graph: graphs end before it and begin anew behind
/// it, and so does every loop and branch around it. Everything else stays on the device.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>
#include <vector>

namespace gyre::plan {

/// One for each loop and branch, in the order of for_each_node: whether a call within it runs on
/// the host.
std::vector<bool> host_decisions(const Plan& plan);

/// The calls that run on the host, in program order.
std::vector<const RunCall*> host_calls(const Plan& plan);

/// A sentence for each host call: where it stands, and what the host decides because of it. Empty
/// where the device needs no host.
std::vector<std::string> explain_host_decisions(const Plan& plan);

}  // namespace gyre::plan
