#include "formats/candidates.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

namespace cryo {
namespace {

Candidate candidate(std::string name, FileKind kind) {
  return {std::make_shared<MemorySource>("", std::move(name)), find_format(kind)};
}

std::vector<std::string> names(const std::vector<Candidate>& candidates) {
  std::vector<std::string> all;
  for (const Candidate& each : candidates) all.push_back(each.file->name());
  return all;
}

using Names = std::vector<std::string>;

TEST(Candidates, LeaveOutWhatGoesWithAnother) {
  EXPECT_EQ(
      names(remove_parts({candidate("b/m.index", FileKind::kCheckpointIndex),
                          candidate("b/m.meta", FileKind::kMetaGraph),
                          candidate("b/n.index", FileKind::kCheckpointIndex),
                          candidate("a/saved_model.pb", FileKind::kSavedModel),
                          candidate("a/variables/variables.index", FileKind::kCheckpointIndex),
                          candidate("v-00000-of-00002", FileKind::kCheckpointV1),
                          candidate("v-00001-of-00002", FileKind::kCheckpointV1)})),
      (Names{"b/m.meta", "b/n.index", "a/saved_model.pb", "v-00000-of-00002"}));
}

// Returns true if an earlier candidate owns this one.
bool is_part(const Candidate& each, const std::vector<Candidate>& all) {
  const std::string& name = each.file->name();
  for (const Candidate& other : all) {
    const std::string& owner = other.file->name();
    const bool before = other.format != each.format ? other.format < each.format : owner < name;
    if (before && other.format->owns != nullptr && other.format->owns(owner, name)) return true;
  }
  return false;
}

TEST(Candidates, AreLeftOutAsIfEachWereComparedWithEach) {
  const Names parts = {"a",          "a/",     "b.meta", "b.index", "-00000-of-00001",
                       "variables/", ".index", "m.bin",  ".meta",   "fingerprint.pb",
                       "-shard"};
  const FileKind kinds[] = {FileKind::kSavedModel,      FileKind::kTfjs,
                            FileKind::kGraphDef,        FileKind::kMetaGraph,
                            FileKind::kCheckpointIndex, FileKind::kCheckpointV1};
  std::mt19937 random(3);
  size_t left_out = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Candidate> all;
    for (int i = 0; i < 12; ++i) {
      std::string name;
      for (size_t n = 1 + random() % 4; n > 0; --n) name += parts[random() % parts.size()];
      all.push_back(candidate(name, kinds[random() % 6]));
    }
    Names expected;
    for (const Candidate& each : all) {
      if (!is_part(each, all)) expected.push_back(each.file->name());
    }
    ASSERT_EQ(names(remove_parts(all)), expected);
    left_out += all.size() - expected.size();
  }
  EXPECT_GT(left_out, 2000U);
}

TEST(Candidates, OfOneFolderMayBeMany) {
  std::vector<Candidate> all;
  for (int i = 0; i < 50'000; ++i) {
    all.push_back(candidate(cat("m", i, ".meta"), FileKind::kMetaGraph));
    all.push_back(candidate(cat("m", i, ".index"), FileKind::kCheckpointIndex));
  }
  EXPECT_EQ(remove_parts(all).size(), 50'000U);
}

}  // namespace
}  // namespace cryo
