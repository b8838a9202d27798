#include "commands/text/progress_text.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

TEST(ProgressText, HasTheSpeedAndTheTimeThatIsLeft) {
  EXPECT_EQ(progress_text({"writing", 1'200'000'000, 2'400'000'000, 2}, 100),
            "writing  50%  [##########----------]  1.2 GB of 2.4 GB  600.0 MB/s  2 s left");
  EXPECT_EQ(
      progress_text({"writing", 100'000'000, 100'000'000'000, 1}, 100),
      "writing  0%  [--------------------]  100.0 MB of 100.0 GB  100.0 MB/s  16 min 39 s left");
}

TEST(ProgressText, OfAnUnknownAmountIsWhatIsDone) {
  EXPECT_EQ(progress_text({"reading", 5'000'000, 0, 2}, 100), "reading  5.0 MB  2.5 MB/s");
  EXPECT_EQ(progress_text({"reading", 5'000'000, 4'000'000, 2}, 100), "reading  5.0 MB  2.5 MB/s");
  EXPECT_EQ(progress_text({"reading", 0, 100, 2}, 100),
            "reading  0%  [--------------------]  0 bytes of 100 bytes");
}

TEST(ProgressText, IsShorterThanTheLine) {
  for (size_t width = 8; width < 90; ++width) {
    EXPECT_LT(progress_text({"writing", 1, 2, 1}, width).size(), width);
  }
}

}  // namespace
}  // namespace cryo
