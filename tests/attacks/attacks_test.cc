#include "attacks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "cases.h"
#include "source_folder.h"

namespace cryo::attacks {
namespace {

std::vector<Attack> all_attacks() {
  std::vector<Attack> all;
  for (const auto& some : {archive_attacks(), checkpoint_attacks(), graph_attacks(),
                           function_attacks(), tfjs_attacks(), tflite_attacks()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

class Attacks : public testing::TestWithParam<Attack> {};

TEST_P(Attacks, AreStopped) {
  const Attack& attack = GetParam();
  const laws::Files files = attack.files();
  const auto codes = laws::survive(files, files.sources[0]->name());
  const bool stopped = std::find(codes.begin(), codes.end(), attack.stopped_by) != codes.end();
  EXPECT_TRUE(stopped || attack.stopped_by.empty())
      << "expected " << attack.stopped_by << ", found " << join(codes, ", ");
}

INSTANTIATE_TEST_SUITE_P(All, Attacks, testing::ValuesIn(all_attacks()),
                         [](const auto& each) { return laws::test_name(each.param.name); });

TEST(AttacksReadme, HasARowForEachWithWhatStopsIt) {
  const std::string readme = laws::bytes_of(cat(source_folder(), "/tests/attacks/README.md"));
  for (const Attack& attack : all_attacks()) {
    const size_t start = readme.find(cat("| `", attack.name, "` |"));
    ASSERT_NE(start, std::string::npos) << attack.name;
    const std::string row = readme.substr(start, readme.find('\n', start) - start);
    const std::string stopped =
        attack.stopped_by.empty() ? "| nothing to stop" : cat("| `", attack.stopped_by, "`");
    EXPECT_NE(row.find(stopped), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace cryo::attacks
