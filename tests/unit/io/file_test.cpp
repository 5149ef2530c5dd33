#include "gyre/io/file.hpp"

#include "gyre/base/error.hpp"

#include <filesystem>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace gyre::io {
namespace {

namespace fs = std::filesystem;

// A folder of its own, gone after the test.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("gyre_io_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

 private:
  fs::path folder_;
};

template <class Fault>
std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Fault& error) {
    return error.what();
  }
  return "no such fault";
}

TEST_F(Files, ReadsBackWhatItWrote) {
  const std::string bytes("a\0b\n\xff", 5);

  write_file(path("f"), bytes);

  EXPECT_EQ(read_file(path("f")), bytes);
}

TEST_F(Files, ReplacesAFileAndLeavesNothingBeside) {
  write_file(path("f"), "old and longer");

  write_file(path("f"), "new");

  EXPECT_EQ(read_file(path("f")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, WritesThroughALink) {
  write_file(path("f"), "old");
  fs::create_symlink(path("f"), path("link"));

  write_file(path("link"), "new");

  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("f")), "new");
}

TEST_F(Files, WritesStraightIntoADevice) {
  EXPECT_NO_THROW(write_file("/dev/null", "gone"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_NE(message_of<EnvironmentError>([] { write_file("/dev/full", "x"); }).find("/dev/full"),
            std::string::npos);
}

TEST_F(Files, AMissingFileIsTheUsersFault) {
  EXPECT_EQ(message_of<UsageError>([&] { read_file("/nowhere/m.mtx"); }),
            "cannot open '/nowhere/m.mtx': No such file or directory");
}

TEST_F(Files, AFolderIsNoFile) {
  EXPECT_NE(message_of<UsageError>([&] { read_file(path(".")); }).find("it is a directory"),
            std::string::npos);
  EXPECT_THROW(write_file(path("."), "x"), EnvironmentError);
}

TEST_F(Files, AFileThatCannotBeWrittenIsTheMachinesFault) {
  EXPECT_EQ(message_of<EnvironmentError>([&] { write_file("/nowhere/x.mtx", "x"); }),
            "cannot write '/nowhere/x.mtx': No such file or directory");
}

TEST_F(Files, WhatCannotBeWrittenIsFoundAheadInTheSameWords) {
  const auto ahead = [](const std::string& path) {
    return message_of<EnvironmentError>([&] { verify_writable(path); });
  };

  EXPECT_EQ(ahead("/nowhere/x.mtx"), "cannot write '/nowhere/x.mtx': No such file or directory");
  EXPECT_EQ(ahead(path(".")), "cannot write '" + path(".") + "': Is a directory");
}

TEST_F(Files, LookingAheadLeavesNothingBehind) {
  write_file(path("f"), "old");
  fs::create_symlink(path("f"), path("link"));

  verify_writable(path("f"));
  verify_writable(path("link"));
  verify_writable(path("new"));
  verify_writable("/dev/null");

  EXPECT_EQ(read_file(path("f")), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Files, ADeviceWithoutEndIsRefused) {
  EXPECT_EQ(message_of<UsageError>([] { read_file("/dev/zero"); }),
            "cannot read '/dev/zero': it is a device");
}

TEST_F(Files, APipeIsReadToItsEnd) {
  const std::string bytes(200'000, 'x');
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(ends[1]);
  });

  const auto got = read_file("/dev/fd/" + std::to_string(ends[0]));
  writer.join();
  ::close(ends[0]);

  EXPECT_EQ(got, bytes);
}

}  // namespace
}  // namespace gyre::io
