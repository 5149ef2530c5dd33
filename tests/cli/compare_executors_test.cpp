#include "command_test_fixture.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Runs scripts/compare-executors.sh on a gyre whose executors answer as the test says.
class CompareExecutors : public CommandTest {
 protected:
  struct Answer {
    std::string executor;
    int iterations;
    int host_syncs;
    std::string solution;
  };

  // A shell script in gyre's place. Executors without an answer are not available.
  void write_gyre(const std::vector<Answer>& answers) const {
    std::string doctor;
    std::string solve;
    for (const std::string name : {"persistent", "device_graph", "host_branch", "cpu"}) {
      std::string line = "executors      " + name + "  not available: no driver at all";
      for (const Answer& answer : answers) {
        if (answer.executor != name) continue;
        line = "executors      " + name + "  available";
        solve +=
            "*'--executor " + name + " '*) printf '" + answer.solution +
            "' >\"$output\"; printf '{\\n  \"iterations\": " + std::to_string(answer.iterations) +
            ",\\n  \"seconds_per_iteration\": 2.5e-05,\\n  \"host_syncs\": " +
            std::to_string(answer.host_syncs) + "\\n}\\n' ;;\n";
      }
      doctor += "echo '" + line + "'\n";
    }
    write("fake_gyre", "#!/bin/sh\nif [ \"$1\" = doctor ]; then\n" + doctor +
                           "exit 0\nfi\nline=\"$*\"\n"
                           "while [ \"$1\" != --output ]; do shift; done\noutput=\"$2\"\n"
                           "case \"$line\" in\n" +
                           solve + "esac\n");
    std::filesystem::permissions(path("fake_gyre"), std::filesystem::perms::owner_all);
  }

  Ran compare(const std::vector<Answer>& answers) const {
    write_gyre(answers);
    return run("sh " GYRE_SOURCE_DIR "/scripts/compare-executors.sh ./fake_gyre A.mtx");
  }
};

TEST_F(CompareExecutors, EqualOnesAreShownAndPass) {
  const Ran ran = compare({{"cpu", 12, 0, "0.5\\n"},
                           {"host_branch", 12, 13, "0.5\\n"},
                           {"device_graph", 12, 0, "0.5\\n"},
                           {"persistent", 12, 0, "0.5\\n"}});

  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ran.out, HasSubstr("host_branch           12        25.00 us         13  "));
  EXPECT_THAT(ran.out, HasSubstr("same trips and gave the same bits"));
}

TEST_F(CompareExecutors, OtherBitsFail) {
  const Ran ran = compare({{"cpu", 12, 0, "0.5\\n"},
                           {"host_branch", 12, 13, "0.5000000000000001\\n"},
                           {"device_graph", 12, 0, "0.5\\n"}});

  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, "not the same trips and bits as the first: host_branch\n");
  EXPECT_THAT(ran.out, Not(HasSubstr("the same bits")));
}

TEST_F(CompareExecutors, OtherTripsFail) {
  const Ran ran = compare({{"cpu", 12, 0, "0.5\\n"}, {"device_graph", 13, 0, "0.5\\n"}});

  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, "not the same trips and bits as the first: device_graph\n");
}

TEST_F(CompareExecutors, ADeviceGraphThatAsksTheHostFails) {
  const Ran ran = compare({{"cpu", 12, 0, "0.5\\n"}, {"device_graph", 12, 1, "0.5\\n"}});

  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, "device_graph waited for the host 1 times; it must never\n");
}

TEST_F(CompareExecutors, WithoutAGpuTheOthersAreMissedWithTheirReason) {
  const Ran ran = compare({{"cpu", 12, 0, "0.5\\n"}});

  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("device_graph is not here: no driver at all"));
  EXPECT_THAT(ran.out, HasSubstr("host_branch is not here: no driver at all"));
  EXPECT_THAT(ran.out, Not(HasSubstr("the same bits")));
}

}  // namespace
}  // namespace gyre::cli
