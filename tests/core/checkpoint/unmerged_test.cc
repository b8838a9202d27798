#include "checkpoint/unmerged.h"

#include <gtest/gtest.h>

#include "bundle.h"
#include "formats/open.h"
#include "graphs.h"

namespace cryo {
namespace {

std::string described(std::string_view file) {
  const auto name = part_name(file);
  return name ? cat(name->prefix, " ", name->part, " of ", name->count) : "none";
}

TEST(Unmerged, PartsAreToldByTheirNames) {
  EXPECT_EQ(described("m_temp/part-00001-of-00002.index"), "m 1 of 2");
  EXPECT_EQ(described("a/m_temp_4f1c/part-00000-of-00012.data-00000-of-00001"), "a/m 0 of 12");
  EXPECT_EQ(described("part-00000-of-00001.index"), "part 0 of 1");
  EXPECT_EQ(described("_temp/part-00000-of-00001.index"), "_temp/part 0 of 1");
  for (const char* name : {"m_temp/part-00002-of-00002.index", "m_temp/part-00000-of-00002",
                           "m_temp/part-0-of-2.index", "m_temp/part-00000-of-00001.meta",
                           "part-00000-of-00001x.index", "/", ""}) {
    EXPECT_EQ(described(name), "none") << name;
  }
}

// A part of two, with one tensor of eight bytes.
Bundle part(const std::string& key) {
  Bundle bundle;
  bundle.add(key, {2}, 0, 8);
  return bundle;
}

struct Parts {
  void put(int index, const Bundle& bundle, const std::string& data) {
    const std::string name = cat("m_temp/part-0000", index, "-of-00002");
    files.push_back(std::make_shared<MemorySource>(bundle.index(), cat(name, ".index")));
    files.push_back(std::make_shared<MemorySource>(data, cat(name, ".data-00000-of-00001")));
  }
  Result<Model> open() {
    OpenOptions options;
    options.no_checksum = true;  // the indexes state those of other bytes
    return cryo::open(files, options, diagnostics);
  }

  std::vector<SourcePtr> files = {};
  Diagnostics diagnostics = {};
};

TEST(Unmerged, AreOpenedAsTheCheckpointThatWasToBe) {
  Parts parts;
  parts.put(1, part("b"), "87654321");
  parts.put(0, part("a"), "12345678");
  const auto model = parts.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(model->checkpoint->prefix, "m");
  EXPECT_EQ(*model->checkpoint->find("a")->content.read_all(), "12345678");
  EXPECT_EQ(*model->checkpoint->find("b")->content.read_all(), "87654321");
  EXPECT_EQ(codes(parts.diagnostics), Lines{"unmerged-checkpoint"});
}

TEST(Unmerged, SlicesOfOneTensorMayLieInSeveralParts) {
  const Bundle both = sliced();
  Parts parts;
  for (const int i : {0, 1}) {
    Bundle one;
    auto& whole = one.add("x", {2, 3}, 0, 0);
    *whole.add_slices() = both.entries.at("x").slices(i);
    const std::vector<Extent> slice = {{}, {i == 0 ? 0 : 2, i == 0 ? 2 : 1}};
    one.entries[slice_key("x", slice)] = both.entries.at(slice_key("x", slice));
    parts.put(i, one, "eeeeffffaaaabbbbccccdddd");
  }
  const auto model = parts.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(*model->checkpoint->find("x")->content.read_all(), "aaaabbbbeeeeccccddddffff");
}

TEST(Unmerged, OfWhichOneIsMissingHaveTheRest) {
  Parts parts;
  parts.put(0, part("a"), "12345678");
  const auto model = parts.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(model->checkpoint->entries.size(), 1U);
  ASSERT_EQ(codes(parts.diagnostics), Lines{"unmerged-checkpoint"});
  EXPECT_NE(parts.diagnostics.all()[0].message.find("1 of 2 parts"), std::string::npos);
}

TEST(Unmerged, ThatContradictEachOtherAreRefused) {
  Parts parts;
  parts.put(0, part("a"), "12345678");
  parts.put(1, part("a"), "12345678");
  EXPECT_EQ(failure_of(parts.open()), "bad-parts: two parts hold the key a");
}

TEST(Unmerged, AreNotMissedOnceTheyWereMerged) {
  Parts parts;
  parts.put(0, part("old"), "12345678");
  parts.files.push_back(std::make_shared<MemorySource>(part("new").index(), "m.index"));
  parts.files.push_back(std::make_shared<MemorySource>("12345678", "m.data-00000-of-00001"));
  const auto model = parts.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  ASSERT_EQ(model->checkpoint->entries.size(), 1U);
  EXPECT_EQ(model->checkpoint->entries[0].key, "new");
}

}  // namespace
}  // namespace cryo
