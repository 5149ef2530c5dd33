/// What may run at once.
#include "rules.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace gyre::verifier {
namespace {

/// What one arm does with a symbol, and where it does so first.
struct Use {
  std::size_t arm;
  bool writes;
  Access access;
};

// Where the arms of a fork begin.
std::vector<std::size_t> arms_of(const Survey& survey, const RegionSite& fork) {
  std::vector<std::size_t> arms;
  for (std::size_t id = fork.id + 1; id < fork.end; id = survey.region(id).end) arms.push_back(id);
  return arms;
}

// Accesses stand in the order of regions.
std::span<const Access> within(std::span<const Access> accesses, const RegionSite& fork) {
  const auto before = [](const Access& access, std::size_t id) { return access.region < id; };
  const auto first = std::lower_bound(accesses.begin(), accesses.end(), fork.id, before);
  return {first, std::lower_bound(first, accesses.end(), fork.end, before)};
}

void note(const std::vector<std::size_t>& arms, std::span<const Access> accesses, bool writes,
          std::map<ir::SymbolId, std::vector<Use>>& uses) {
  for (const Access& access : accesses) {
    const auto arm = std::upper_bound(arms.begin(), arms.end(), access.region) - arms.begin() - 1;
    uses[access.symbol].push_back({static_cast<std::size_t>(arm), writes, access});
  }
}

// The first use that an `other` one in an earlier arm does not get on with, or null.
const Use* clash_in(std::vector<Use>& uses, const Use*& other) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.arm < b.arm; });
  const Use* written = nullptr;
  for (const Use& use : uses) {
    other = use.writes ? &uses.front() : written;
    if (other != nullptr && other->arm < use.arm) return &use;
    if (use.writes && written == nullptr) written = &use;
  }
  return nullptr;
}

}  // namespace

void check_shared_by_arms(const Survey& survey, Report& report) {
  survey.each<ir::Fork>([&](const RegionSite& at, const ir::Fork&) {
    const std::vector<std::size_t> arms = arms_of(survey, at);
    std::map<ir::SymbolId, std::vector<Use>> uses;
    note(arms, within(survey.writes(), at), true, uses);
    note(arms, within(survey.reads(), at), false, uses);
    for (auto& [symbol, all] : uses) {
      const Use* other = nullptr;
      const Use* clash = clash_in(all, other);
      if (clash == nullptr) continue;
      const auto verb = [](const Use& use) { return use.writes ? "written" : "read"; };
      report.error(survey.region(clash->access.region), clash->access.loc,
                   quoted(survey.symbol(symbol).name) + " is " + verb(*clash) + " in arm " +
                       std::to_string(clash->arm) + " of a fork and " + verb(*other) + " in arm " +
                       std::to_string(other->arm),
                   "arms run at once: give each what it writes, and join that behind the fork");
    }
  });
}

}  // namespace gyre::verifier
