/// Launches into a stream that is being captured: they become part of the caller's graph.
#include "device_vector.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/event.hpp"
#include "gyre/cuda/graph_exec.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace gyre {
namespace {

class Embedding : public DeviceGraphTest {
 protected:
  /// What a caller's capture of `record` gives.
  template <class Record>
  static cuda::GraphExec capture(const cuda::Stream& stream, const Record& record) {
    const cuda::Graph graph("a caller's graph");
    cuda::Capture capture(stream, graph.view(), {});
    record();
    capture.end();
    return cuda::GraphExec(graph);
  }

  static void run(const cuda::GraphExec& exec, const cuda::Stream& stream) {
    exec.launch(stream);
    stream.synchronize();
  }
};

TEST_F(Embedding, ALaunchJoinsTheCallersCapture) {
  const cuda::Stream stream;
  const DeviceVector<double> x(std::vector<double>(100, 1.0));
  const DeviceVector<double> copy(std::vector<double>(100, 0.0));
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 2);

  std::optional<Launch> launch;
  const cuda::GraphExec graph = capture(stream, [&] {
    launch.emplace(affine.launch(stream.get()));
    cuda::copy_on_device({reinterpret_cast<CUdeviceptr>(copy.data()), 800},
                         {reinterpret_cast<CUdeviceptr>(x.data()), 800}, 800, stream);
  });
  EXPECT_EQ(x.read(), std::vector<double>(100, 1.0));
  EXPECT_FALSE(launch->ready());
  EXPECT_THROW(launch->result(), UsageError);

  run(graph, stream);
  EXPECT_EQ(copy.read(), std::vector<double>(100, 7.0));
  EXPECT_EQ(launch->result().trips("affine/while#0"), 2u);
  x.write(std::vector<double>(100, 0.0));
  run(graph, stream);
  EXPECT_EQ(copy.read(), std::vector<double>(100, 3.0));
  EXPECT_EQ(launch->result().trips("affine/while#0"), 2u);
}

TEST_F(Embedding, ScalarsAreThoseOfTheCaptureAndContentsThoseOfTheReplay) {
  const cuda::Stream stream;
  const DeviceVector<double> x({1.0});
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 1);

  const cuda::GraphExec graph = capture(stream, [&] { auto launch = affine.launch(stream.get()); });
  affine.set("k", 5);
  run(graph, stream);
  run(graph, stream);
  EXPECT_EQ(x.read(), std::vector<double>{7.0});

  // The executable itself goes on as before.
  EXPECT_EQ(affine.run().get<std::int32_t>("trips"), 5);
  run(graph, stream);
  EXPECT_EQ(x.read(), std::vector<double>{511.0});
}

TEST_F(Embedding, EveryLaunchIntoACaptureIsAPartOfItsOwn) {
  const cuda::Stream stream;
  const DeviceVector<double> x({0.0});
  const DeviceVector<double> y({0.0});
  Executable affine = make(affine_program);
  std::vector<Launch> launches;

  const cuda::GraphExec graph = capture(stream, [&] {
    affine.set("k", 3);
    bind(affine, "x", x);
    launches.push_back(affine.launch(stream.get()));
    affine.set("k", 1);
    bind(affine, "x", y);
    launches.push_back(affine.launch(stream.get()));
  });
  run(graph, stream);

  EXPECT_EQ(x.read(), std::vector<double>{7.0});
  EXPECT_EQ(y.read(), std::vector<double>{1.0});
  EXPECT_EQ(launches[0].result().get<std::int32_t>("trips"), 3);
  EXPECT_EQ(launches[1].result().get<std::int32_t>("trips"), 1);
}

TEST_F(Embedding, AForkOfTheCaptureIsJoinedAndTheOtherArmLeftAlone) {
  const cuda::Stream main;
  const cuda::Stream side;
  const cuda::Event forked;
  const cuda::Event joined;
  const DeviceVector<double> x({1.0});
  const DeviceVector<double> y({5.0});
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 2);

  const cuda::GraphExec graph = capture(main, [&] {
    forked.record(main);
    side.view().wait(forked.get());
    auto launch = affine.launch(side.get());
    cuda::clear({reinterpret_cast<CUdeviceptr>(y.data()), 8}, main);
    joined.record(side);
    main.view().wait(joined.get());
  });
  run(graph, main);

  EXPECT_EQ(x.read(), std::vector<double>{7.0});
  EXPECT_EQ(y.read(), std::vector<double>{0.0});
}

TEST_F(Embedding, TheGraphOutlivesTheExecutable) {
  const cuda::Stream stream;
  const DeviceVector<double> x({1.0});
  std::optional<cuda::GraphExec> graph;
  {
    Executable affine = make(affine_program);
    bind(affine, "x", x);
    affine.set("k", 2);
    graph.emplace(capture(stream, [&] { auto launch = affine.launch(stream.get()); }));
  }
  Executable other = make(affine_program);
  bind(other, "x", DeviceVector<double>({1.0}));

  run(*graph, stream);

  EXPECT_EQ(x.read(), std::vector<double>{7.0});
}

TEST_F(Embedding, MemoryOfGraphsThatAreGoneComesBack) {
  const cuda::Stream stream;
  const DeviceVector<double> x({1.0});
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 1);
  const auto once = [&] {
    run(capture(stream, [&] { auto launch = affine.launch(stream.get()); }), stream);
  };
  for (int i = 0; i < 50; ++i) once();
  const std::size_t before = cuda::memory_info().free_bytes;

  for (int i = 0; i < 300; ++i) once();

  EXPECT_GE(cuda::memory_info().free_bytes + (4U << 20), before);
}

TEST_F(Embedding, TheReplayUnderWayIsCancelled) {
  const cuda::Stream stream;
  Executable endless = make(endless_program);
  endless.set("k", std::int64_t{3'000'000});
  std::optional<Launch> launch;
  const cuda::GraphExec graph =
      capture(stream, [&] { launch.emplace(endless.launch(stream.get())); });

  for (int replay = 0; replay < 3; ++replay) {
    graph.launch(stream);
    EXPECT_TRUE(comes_true([&] { return launch->progress() >= 100; }));
    launch->cancel();
    stream.synchronize();
    EXPECT_EQ(launch->result().status(), ir::Status::Cancelled);
  }
}

TEST_F(Embedding, HostBuffersAreRefusedByNameAndTheCaptureGoesOn) {
  const cuda::Stream stream;
  const DeviceVector<double> y({5.0});
  std::vector<double> x(10, 1.0);
  Executable affine = make(affine_program);
  affine.bind("x", x);
  affine.set("k", 2);

  const cuda::GraphExec graph = capture(stream, [&] {
    try {
      auto launch = affine.launch(stream.get());
      ADD_FAILURE() << "a host buffer was captured";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("'x'"), std::string::npos) << error.what();
    }
    cuda::clear({reinterpret_cast<CUdeviceptr>(y.data()), 8}, stream);
  });
  run(graph, stream);

  EXPECT_EQ(y.read(), std::vector<double>{0.0});
}

TEST_F(Embedding, AnInvalidatedCaptureIsAnErrorAndTheNextLaunchWorks) {
  const cuda::Stream stream;
  const DeviceVector<double> x({1.0});
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 2);
  affine.prepare();
  {
    const cuda::Graph graph("a caller's graph");
    cuda::Capture capture(stream, graph.view(), {});
    // Waiting for a captured stream invalidates its capture.
    cuda::loaded_driver().cuStreamSynchronize(stream.get());

    EXPECT_THROW(static_cast<void>(affine.launch(stream.get())), EnvironmentError);
    EXPECT_THROW(capture.end(), EnvironmentError);
  }

  auto launch = affine.launch(stream.get());
  stream.synchronize();

  EXPECT_TRUE(launch.result().completed());
  EXPECT_EQ(x.read(), std::vector<double>{7.0});
}

TEST_F(Embedding, HostBranchSaysThatItNeedsTheHost) {
  const cuda::Stream stream;
  const DeviceVector<double> x({1.0});
  CompileOptions options;
  options.executor = "host_branch";
  Executable affine = compile(text::parse_program("test.gyre", affine_program), options);
  bind(affine, "x", x);
  affine.set("k", 2);

  capture(stream, [&] {
    EXPECT_THROW(static_cast<void>(affine.launch(stream.get())), UsageError);
    cuda::clear({reinterpret_cast<CUdeviceptr>(x.data()), 8}, stream);
  });
}

}  // namespace
}  // namespace gyre
