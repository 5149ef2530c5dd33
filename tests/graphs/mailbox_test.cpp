/// A result is there when all of its words are, in whatever order they come.
#include "mailbox.hpp"

#include "bound_program.hpp"
#include "device_module.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace gyre::executors {
namespace {

constexpr std::array<std::uint64_t, 3> words = {0x1122334455667788, 0, ~std::uint64_t{0}};

class MailboxTest : public RecordedTest {
 protected:
  // As the device writes it: half a word, and beside it which launch it is of.
  void tell(std::uint64_t launch, std::size_t half) {
    auto* all = reinterpret_cast<std::uint64_t*>(mailbox_.results() +
                                                 (launch - 1) % places * mailbox_.result_bytes());
    const std::uint64_t word = words[half / 2];
    all[half] = launch << 32 | (half % 2 == 0 ? word & 0xffffffff : word >> 32);
  }
  void tell_all(std::uint64_t launch) {
    for (std::size_t half = 0; half < 2 * words.size(); ++half) tell(launch, half);
  }

  static constexpr std::uint32_t places = 2;
  cuda::CurrentContext current_{device_context()};
  Mailbox mailbox_{8, words.size(), 1, places};
};

TEST_F(MailboxTest, IsThereWithItsLastHalfWhicheverThatIs) {
  for (std::uint64_t late = 0; late < 2 * words.size(); ++late) {
    const std::uint64_t launch = 1 + late;
    for (std::size_t half = 0; half < 2 * words.size(); ++half) {
      if (half != late) tell(launch, half);
    }
    EXPECT_FALSE(mailbox_.has_result(launch)) << late;

    tell(launch, late);

    EXPECT_TRUE(mailbox_.has_result(launch)) << late;
    EXPECT_EQ(mailbox_.result(launch), std::vector<std::uint64_t>(words.begin(), words.end()));
    EXPECT_EQ(mailbox_.last_teller(launch), launch);
  }
}

TEST_F(MailboxTest, IsThatOfItsLaunchAndOfNoOtherInItsPlace) {
  EXPECT_EQ(mailbox_.last_teller(1), 0u);
  EXPECT_FALSE(mailbox_.has_result(1));

  tell_all(1);
  EXPECT_TRUE(mailbox_.has_result(1));
  EXPECT_FALSE(mailbox_.has_result(2));
  EXPECT_FALSE(mailbox_.has_result(3));

  tell_all(3);
  EXPECT_FALSE(mailbox_.has_result(1));
  EXPECT_TRUE(mailbox_.has_result(3));
}

TEST_F(MailboxTest, LaunchesPastTheLowBitsOfTheirNumberAreKnown) {
  constexpr std::uint64_t launch = (std::uint64_t{1} << 32) + 5;
  tell_all(launch);

  EXPECT_TRUE(mailbox_.has_result(launch));
  EXPECT_EQ(mailbox_.last_teller(launch), 5u);
}

}  // namespace
}  // namespace gyre::executors
