#include "gyre/jit/cache.hpp"

#include "gyre/base/log.hpp"
#include "support/environment_variable.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gyre::jit {
namespace {

namespace fs = std::filesystem;

/// Stands for the compiler: its binary is the source.
struct FakeCompiler {
  std::shared_ptr<std::atomic<int>> runs = std::make_shared<std::atomic<int>>(0);

  Cubin operator()(const CompileRequest& request) const {
    ++*runs;
    const std::string bytes = "binary of " + request.source;
    return {.bytes = {bytes.begin(), bytes.end()}, .log = "log of " + request.source};
  }
};

class KernelCacheTest : public testing::Test {
 protected:
  KernelCacheTest() {
    std::string pattern = (fs::temp_directory_path() / "gyre_cache_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~KernelCacheTest() override { fs::remove_all(directory_); }

  CacheSettings settings(std::uint64_t max_bytes = 1 << 20) const {
    return {.directory = directory_ / "kernels", .max_bytes = max_bytes};
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory_ / "kernels")) {
      found.push_back(entry.path());
    }
    return found;
  }

  fs::path directory_;
  FakeCompiler compiler_;
};

CompileRequest request_of(const std::string& source) {
  return {.source = source, .name = "test", .architecture = "sm_90"};
}

std::string text_of(const Cubin& cubin) {
  return {cubin.bytes.begin(), cubin.bytes.end()};
}

TEST_F(KernelCacheTest, SecondRequestComesFromMemory) {
  KernelCache cache(settings(), compiler_);

  const auto first = cache.get(request_of("a"));
  const auto second = cache.get(request_of("a"));

  EXPECT_EQ(first, second);
  EXPECT_EQ(*compiler_.runs, 1);
  EXPECT_EQ(cache.counts().from_memory, 1U);
}

TEST_F(KernelCacheTest, AnotherProcessFindsTheEntryOnDisk) {
  KernelCache(settings(), compiler_).get(request_of("a"));
  KernelCache cache(settings(), compiler_);

  const auto found = cache.get(request_of("a"));

  EXPECT_EQ(text_of(*found), "binary of a");
  EXPECT_EQ(found->log, "log of a");
  EXPECT_EQ(*compiler_.runs, 1);
  EXPECT_EQ(cache.counts().from_disk, 1U);
}

TEST_F(KernelCacheTest, ArchitectureAndLineInfoAreOtherEntries) {
  KernelCache cache(settings(), compiler_);
  CompileRequest other_gpu = request_of("a");
  other_gpu.architecture = "sm_80";
  CompileRequest with_lines = request_of("a");
  with_lines.line_info = true;

  cache.get(request_of("a"));
  cache.get(other_gpu);
  cache.get(with_lines);

  EXPECT_EQ(*compiler_.runs, 3);
}

TEST_F(KernelCacheTest, EqualKernelsOfTwoProgramsAreOneEntry) {
  KernelCache cache(settings(), compiler_);
  CompileRequest other = request_of("a");
  other.name = "another";

  cache.get(request_of("a"));
  cache.get(other);

  EXPECT_EQ(*compiler_.runs, 1);
}

TEST_F(KernelCacheTest, EveryKindOfDamageIsRebuilt) {
  KernelCache(settings(), compiler_).get(request_of("a"));
  const fs::path entry = files().at(0);
  const auto size = fs::file_size(entry);
  const auto flip = [&](std::size_t at) {
    std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  };
  const std::vector<std::function<void()>> damages = {
      [&] { flip(0); },
      [&] { flip(20); },
      [&] { flip(size / 2); },
      [&] { flip(size - 1); },
      [&] { fs::resize_file(entry, size / 2); },
      [&] { fs::resize_file(entry, 0); },
      [&] { fs::resize_file(entry, size + 5); },
  };

  for (std::size_t i = 0; i < damages.size(); ++i) {
    damages[i]();
    KernelCache cache(settings(), compiler_);
    EXPECT_EQ(text_of(*cache.get(request_of("a"))), "binary of a") << i;
    EXPECT_EQ(cache.counts().damaged, 1U) << i;

    KernelCache next(settings(), compiler_);
    next.get(request_of("a"));
    EXPECT_EQ(next.counts().from_disk, 1U) << i;
  }
}

TEST_F(KernelCacheTest, ManyThreadsShareOneCompilation) {
  KernelCache cache(settings(), [this](const CompileRequest& request) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return compiler_(request);
  });
  std::vector<std::jthread> threads;

  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (const char* source : {"a", "b", "c"}) {
        EXPECT_EQ(text_of(*cache.get(request_of(source))), "binary of " + std::string(source));
      }
    });
  }
  threads.clear();

  EXPECT_EQ(*compiler_.runs, 3);
}

TEST_F(KernelCacheTest, ManyProcessesShareADirectory) {
  // Small enough that each store evicts what others are reading.
  const CacheSettings shared = settings(60'000);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      bool right = true;
      for (int round = 0; round < 25; ++round) {
        KernelCache cache(shared, compiler_);
        const std::string source = std::to_string(round % 5);
        right = right && text_of(*cache.get(request_of(source))) == "binary of " + source;
        right = right && cache.counts().damaged == 0;
      }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }

  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path& file : files()) EXPECT_NE(file.extension(), ".tmp") << file;
}

// Not the headers besides, which are the same for every kernel.
TEST_F(KernelCacheTest, AnEntryHoldsItsSourceAndItsCubin) {
  const Cubin cubin = *KernelCache(settings(), compiler_).get(request_of("a"));

  const std::size_t own = cubin.bytes.size() + cubin.log.size() + request_of("a").source.size();
  EXPECT_LT(fs::file_size(files().at(0)), own + 2000);
}

TEST_F(KernelCacheTest, OldestUsedEntriesGoFirst) {
  KernelCache(settings(), compiler_).get(request_of("a"));
  const auto entry = fs::file_size(files().at(0));
  const CacheSettings room_for_two = settings(5 * entry / 2);
  KernelCache(room_for_two, compiler_).get(request_of("b"));
  for (const fs::path& file : files()) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24));
  }
  KernelCache(room_for_two, compiler_).get(request_of("a"));

  KernelCache(room_for_two, compiler_).get(request_of("c"));

  KernelCache cache(room_for_two, compiler_);
  cache.get(request_of("a"));
  cache.get(request_of("c"));
  EXPECT_EQ(cache.counts().from_disk, 2U);
  cache.get(request_of("b"));
  EXPECT_EQ(cache.counts().compiled, 1U);
}

TEST_F(KernelCacheTest, DebrisOfACrashIsRemovedAfterAnHour) {
  KernelCache(settings(), compiler_).get(request_of("a"));
  const fs::path old_debris = files().at(0).string() + ".1.0.tmp";
  const fs::path fresh = files().at(0).string() + ".2.0.tmp";
  std::ofstream(old_debris) << "half";
  std::ofstream(fresh) << "half";
  fs::last_write_time(old_debris, fs::file_time_type::clock::now() - std::chrono::hours(2));

  KernelCache(settings(), compiler_).get(request_of("b"));

  EXPECT_FALSE(fs::exists(old_debris));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(KernelCacheTest, UnwritableDirectoryCostsOneLineOfTheLog) {
  // A file where the directory should be: root, too, cannot write into it.
  std::ofstream(directory_ / "kernels") << "in the way";
  int lines = 0;
  log::set_sink([&](log::Level, std::string_view) { ++lines; });
  KernelCache cache(settings(), compiler_);

  EXPECT_EQ(text_of(*cache.get(request_of("a"))), "binary of a");
  EXPECT_EQ(text_of(*cache.get(request_of("b"))), "binary of b");

  log::set_sink({});
  EXPECT_EQ(lines, 1);
  fs::remove(directory_ / "kernels");
}

TEST_F(KernelCacheTest, FailureIsNotRemembered) {
  int runs = 0;
  KernelCache cache(settings(), [&](const CompileRequest& request) {
    if (++runs == 1) throw std::runtime_error("the machine was busy");
    return compiler_(request);
  });

  EXPECT_THROW(cache.get(request_of("a")), std::runtime_error);
  EXPECT_EQ(text_of(*cache.get(request_of("a"))), "binary of a");
}

TEST_F(KernelCacheTest, MemoryIsBounded) {
  CacheSettings small = settings();
  small.max_memory_bytes = 1;
  KernelCache cache(small, compiler_);

  cache.get(request_of("a"));
  cache.get(request_of("a"));

  EXPECT_EQ(cache.counts().from_memory, 0U);
  EXPECT_EQ(cache.counts().from_disk, 1U);
}

TEST(CacheSettings, ComeFromTheEnvironment) {
  const support::EnvironmentVariable directory("GYRE_CACHE_DIR", "/some/where");
  const support::EnvironmentVariable size("GYRE_CACHE_MAX_MB", "7");

  const CacheSettings settings = cache_settings_from_environment();

  EXPECT_EQ(settings.directory, "/some/where");
  EXPECT_EQ(settings.max_bytes, 7U << 20);
}

TEST(CacheSettings, FallBackToTheUsersCaches) {
  const support::EnvironmentVariable directory("GYRE_CACHE_DIR", "");
  const support::EnvironmentVariable caches("XDG_CACHE_HOME", "/caches");
  const support::EnvironmentVariable size("GYRE_CACHE_MAX_MB", "lots");

  const CacheSettings settings = cache_settings_from_environment();

  EXPECT_EQ(settings.directory, "/caches/gyre");
  EXPECT_EQ(settings.max_bytes, 512U << 20);
}

}  // namespace
}  // namespace gyre::jit
