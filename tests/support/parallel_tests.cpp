#include "support/parallel_tests.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

using Work = std::function<std::string()>;

unsigned thread_count() {
  const char* text = std::getenv("GYRE_TEST_THREADS");
  const auto asked = text == nullptr ? 0 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  return std::max(1U, asked != 0 ? asked : std::thread::hardware_concurrency());
}

class ParallelTests : public ::testing::Environment {
 public:
  static ParallelTests& instance() {
    // gtest owns its environments.
    static auto* made = static_cast<ParallelTests*>(
        ::testing::AddGlobalTestEnvironment(std::make_unique<ParallelTests>().release()));
    return *made;
  }

  void add(const std::string& full_name, Work work) { work_[full_name] = std::move(work); }

  std::string result_of(const std::string& full_name) { return results_.at(full_name).get(); }

  void SetUp() override {
    results_.clear();
    tasks_.clear();
    next_ = 0;
    const auto& all = *::testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
      const auto& suite = *all.GetTestSuite(s);
      for (int t = 0; t < suite.total_test_count(); ++t) take(*suite.GetTestInfo(t));
    }
    const auto count = std::min<std::size_t>(thread_count(), tasks_.size());
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }

  void TearDown() override { threads_.clear(); }

 private:
  void take(const ::testing::TestInfo& info) {
    const auto full_name = std::string(info.test_suite_name()) + "." + info.name();
    const auto found = work_.find(full_name);
    if (found == work_.end() || !info.should_run()) return;
    tasks_.emplace_back(found->second);
    results_[full_name] = tasks_.back().get_future();
  }

  void work() {
    for (std::size_t i = next_++; i < tasks_.size(); i = next_++) tasks_[i]();
  }

  std::map<std::string, Work> work_;
  std::vector<std::packaged_task<std::string()>> tasks_;
  std::map<std::string, std::future<std::string>> results_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;
};

class ParallelTest : public ::testing::Test {
 public:
  explicit ParallelTest(std::string full_name) : full_name_(std::move(full_name)) {}

  void TestBody() override {
    std::string fault;
    try {
      fault = ParallelTests::instance().result_of(full_name_);
    } catch (const std::exception& error) {
      fault = std::string("threw: ") + error.what();
    }
    if (!fault.empty()) ADD_FAILURE() << fault;
  }

 private:
  std::string full_name_;
};

}  // namespace

void add_parallel_test(const std::string& suite, const std::string& name, Work fault) {
  const std::string full_name = suite + "." + name;
  ParallelTests::instance().add(full_name, std::move(fault));
  ::testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [full_name]() -> ParallelTest* { return new ParallelTest(full_name); });
}

}  // namespace gyre::support
