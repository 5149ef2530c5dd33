#include "gyre/ir/region.hpp"

#include <utility>

namespace gyre::ir {

Region make_region(RegionKind kind, const SourceLoc& loc, std::string path) {
  return std::make_shared<const RegionNode>(RegionNode{std::move(kind), loc, std::move(path)});
}

Region make_seq(std::vector<Region> items, const SourceLoc& loc) {
  std::vector<Region> flat;
  flat.reserve(items.size());
  for (Region& item : items) {
    if (const auto* inner = as<Seq>(item)) {
      flat.insert(flat.end(), inner->items.begin(), inner->items.end());
    } else if (item) {
      flat.push_back(std::move(item));
    }
  }
  return make_region(Seq{std::move(flat)}, loc);
}

bool is_empty(const Region& region) {
  if (!region) return true;
  const auto* seq = as<Seq>(region);
  if (seq == nullptr) return false;
  for (const Region& item : seq->items) {
    if (!is_empty(item)) return false;
  }
  return true;
}

}  // namespace gyre::ir
