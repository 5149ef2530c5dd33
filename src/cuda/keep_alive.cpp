#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/check.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace gyre::cuda {
namespace {

using Owned = std::shared_ptr<void>;

// The driver tells on a thread of its own that the last graph is gone, and no call of CUDA may be
// made there: what was kept is put here until somebody releases it.
class Dropped {
 public:
  void add(Owned owned) {
    const std::lock_guard lock(mutex_);
    dropped_.push_back(std::move(owned));
  }
  void release() {
    std::vector<Owned> now;
    {
      const std::lock_guard lock(mutex_);
      now.swap(dropped_);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<Owned> dropped_;
};

Dropped& dropped() {
  // Never destroyed: the driver may call when statics are gone.
  static auto* all = new Dropped;
  return *all;
}

void CUDA_CB drop(void* kept) {
  auto* owned = static_cast<Owned*>(kept);
  dropped().add(std::move(*owned));
  delete owned;
}

}  // namespace

void release_dropped() {
  dropped().release();
}

void keep_alive(CUgraph graph, Owned owned) {
  release_dropped();
  auto held = std::make_unique<Owned>(std::move(owned));
  CUuserObject object = nullptr;
  GYRE_CUDA_CALL(
      cuUserObjectCreate(&object, held.get(), drop, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  static_cast<void>(held.release());
  const CUresult result =
      loaded_driver().cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  if (result != CUDA_SUCCESS) driver()->cuUserObjectRelease(object, 1);
  check(result, "cuGraphRetainUserObject");
}

}  // namespace gyre::cuda
