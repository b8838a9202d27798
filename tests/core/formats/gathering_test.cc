#include "formats/gathering.h"

#include <gtest/gtest.h>

#include <map>

#include "base/text.h"

namespace cryo {
namespace {

// The names in each folder: folders end in '/'.
using Disk = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> gathered(Gathering gathering, const Disk& disk) {
  while (const auto folder = gathering.next()) {
    const auto found = disk.find(*folder);
    if (found == disk.end()) continue;
    for (const std::string& name : found->second) {
      if (name.ends_with('/')) {
        gathering.add_folder(name.substr(0, name.size() - 1));
      } else if (!gathering.add_file(name)) {
        break;
      }
    }
  }
  return {gathering.files().begin(), gathering.files().end()};
}

using Names = std::vector<std::string>;

const Disk kDisk = {
    {"", {"a.pb", "m/"}},
    {"m/", {"model.ckpt.meta", "other.txt", "model.ckpt_temp_4f1c/", "old_temp_1/", "sub/"}},
    {"m/model.ckpt_temp_4f1c/", {"part-00000-of-00001.index", "deeper/"}},
    {"m/model.ckpt_temp_4f1c/deeper/", {"x"}},
    {"m/old_temp_1/", {"part-00000-of-00001.index"}},
    {"m/sub/", {"y"}},
    {"s/", {"saved_model.pb", "variables/", "else/"}},
    {"s/variables/", {"variables.index", "more/"}},
    {"s/variables/more/", {"z"}},
    {"s/else/", {"unrelated"}},
};

TEST(Gathering, TakesWhatIsNextToAFileAndNothingBelow) {
  Gathering gathering;
  gathering.add_siblings("a.pb");
  EXPECT_EQ(gathered(gathering, kDisk), Names{"a.pb"});
}

TEST(Gathering, TakesTheInterruptedSaveOfTheSameCheckpointAlone) {
  Gathering gathering;
  gathering.add_siblings("m/model.ckpt.meta");
  EXPECT_EQ(gathered(gathering, kDisk),
            (Names{"m/model.ckpt.meta", "m/model.ckpt_temp_4f1c/part-00000-of-00001.index",
                   "m/other.txt"}));
}

TEST(Gathering, TakesASavedModelsOwnFoldersWithItsFile) {
  Gathering gathering;
  gathering.add_siblings("s/saved_model.pb");
  EXPECT_EQ(gathered(gathering, kDisk),
            (Names{"s/saved_model.pb", "s/variables/more/z", "s/variables/variables.index"}));
}

TEST(Gathering, TakesEverythingBelowAFolder) {
  Gathering gathering;
  gathering.add_below("s");
  EXPECT_EQ(gathered(gathering, kDisk),
            (Names{"s/else/unrelated", "s/saved_model.pb", "s/variables/more/z",
                   "s/variables/variables.index"}));
}

TEST(Gathering, TakesThePathItselfWhereItsFolderCannotBeListed) {
  Gathering gathering;
  gathering.add_siblings("hidden/a.pb");
  gathering.add("hidden/a.pb");
  EXPECT_EQ(gathered(gathering, kDisk), Names{"hidden/a.pb"});
}

Names many(const std::string& name, size_t count) {
  Names names;
  for (size_t i = 0; i < count; ++i) names.push_back(cat(name, i));
  return names;
}

TEST(Gathering, StopsInAFolderWithTooManyFilesAndSaysSo) {
  Gathering gathering;
  gathering.add_below("big");
  ASSERT_EQ(gathering.next(), "big/");
  for (const std::string& name : many("f", kMaxFiles)) EXPECT_TRUE(gathering.add_file(name));
  EXPECT_EQ(gathering.capped(), "");
  EXPECT_FALSE(gathering.add_file("one more"));
  gathering.add_folder("below");
  EXPECT_EQ(gathering.next(), std::nullopt);
  EXPECT_EQ(gathering.files().size(), kMaxFiles);
  EXPECT_EQ(gathering.capped(), "big/");
}

TEST(Gathering, TakesTheFilesOfAModelHoweverManyAreNextToIt) {
  Disk disk = {{"big/", many("f", kMaxFiles + 1)}};
  disk["big/"].push_back("model.ckpt.index");
  Gathering gathering;
  gathering.add_siblings("big/model.ckpt");
  const Names found = gathered(gathering, disk);
  EXPECT_EQ(found.size(), kMaxFiles + 1);
  EXPECT_EQ(found.back(), "big/model.ckpt.index");
}

}  // namespace
}  // namespace cryo
