#include "archive/zip.h"

#include "archive/zip_writer.h"
#include "bytes/crc32.h"
#include "counting_source.h"
#include "deflate.h"
#include "files.h"
#include "members.h"

namespace cryo {
namespace {

std::vector<std::string> listed_zip(const SourcePtr& zip) { return listed(zip_members(zip)); }

SourcePtr zip_file(std::string bytes) {
  return std::make_shared<MemorySource>(std::move(bytes), "a.zip");
}

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<ZipFile> all;
  for (const auto& file : files) all.push_back({file.first, Splice(fresh(file.second))});
  const auto zip = write_zip(all);
  return *zip->read_all();
}

class PythonsZip : public testing::TestWithParam<const char*> {};

TEST_P(PythonsZip, HoldsItsFilesAsAFolderWould) {
  const auto zip = file_source(fixture("archives") / GetParam());
  const std::string name = zip->name();
  EXPECT_EQ(listed_zip(zip),
            (std::vector<std::string>{name + "/m/saved_model.pb=1024",
                                      name + "/m/variables/deflates.txt=3400",
                                      name + "/" + far_down() + "=8", name + "/m/empty=0"}));
  const auto members = *zip_members(zip);
  std::string bytes;
  for (int i = 0; i < 1024; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(read_all(*members[0]), bytes);
  EXPECT_EQ(
      read(*members[1], 33 * 34 - 1, 69),
      "\na line that comes again and again\n" + std::string("a line that comes again and again\n"));
  EXPECT_EQ(read_all(*members[2]), "far down");
  EXPECT_EQ(read_all(*members[3]), "");
}

INSTANTIATE_TEST_SUITE_P(All, PythonsZip,
                         testing::Values("stored.zip", "deflated.zip", "zip64.zip", "streamed.zip"),
                         [](const auto& one) {
                           const std::string name = one.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(Zip, OpeningReadsTheDirectoryAlone) {
  const std::string big(1'000'000, 'x');
  const auto zip = std::make_shared<CountingSource>(zip_of({{"a", big}, {"b", big}}), "a.zip");
  const auto members = *zip_members(zip);
  EXPECT_LT(zip->bytes_read(), 66'000U);
}

TEST(Zip, WhatIsStoredIsASliceOfTheFile) {
  const auto zip = zip_file(zip_of({{"a", "first"}, {"b", "second"}}));
  const Splice content(whole((*zip_members(zip))[1]));
  ASSERT_EQ(content.pieces().size(), 1U);
  const auto member = std::dynamic_pointer_cast<const CheckedSlice>(content.pieces()[0].source);
  ASSERT_NE(member, nullptr);
  const Splice stored(member->slice());
  EXPECT_EQ(stored.pieces()[0].source, zip);
  EXPECT_EQ(stored.pieces()[0].offset, 31 + 5 + 31);
  EXPECT_EQ(*content.sub(1, 3).read_all(), "eco");
}

TEST(Zip, OtherWaysOfPackingAreToldWhenTheyAreRead) {
  const auto zip = file_source(fixture("archives/lzma.zip"));
  const auto members = zip_members(zip);
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(read_all(*members->front()), "unsupported-compression");
  const std::string plain = zip_of({{"a", "first"}});
  const size_t record = plain.find("PK\x01\x02");
  const auto encrypted = *zip_members(zip_file(patched(plain, record + 8, "\x01")));
  EXPECT_EQ(read_all(*encrypted.front()), "encrypted-member");
  EXPECT_EQ(read_all(*(*zip_members(zip_file(patched(plain, record + 24, "\x06")))).front()),
            "bad-zip");
}

TEST(Zip, NamesThatLeadOutAreRefused) {
  for (const std::string& name :
       std::vector<std::string>{"../a", "a/../../b", "..", "a\\..\\b", std::string("a\0b", 3)}) {
    EXPECT_EQ(listed_zip(zip_file(zip_of({{name, ""}}))),
              std::vector<std::string>{"bad-member-name"});
  }
}

TEST(Zip, AbsoluteNamesAndBackslashesAreMadeRelative) {
  EXPECT_EQ(
      listed_zip(zip_file(zip_of({{"/etc/a", ""}, {"b\\c", ""}, {"./d//e", ""}, {"..f", ""}}))),
      (std::vector<std::string>{"a.zip/etc/a=0", "a.zip/b/c=0", "a.zip/d/e=0", "a.zip/..f=0"}));
}

TEST(Zip, FoldersAndWhatMacOsAddsAreLeftOut) {
  EXPECT_EQ(listed_zip(zip_file(zip_of({{"a/", ""}, {"__MACOSX/._a", ""}, {"a/b", ""}}))),
            std::vector<std::string>{"a.zip/a/b=0"});
}

TEST(Zip, TwoMembersOfOnePathAreRefused) {
  EXPECT_EQ(listed_zip(zip_file(zip_of({{"a/b", ""}, {"a//b", ""}}))),
            std::vector<std::string>{"bad-zip"});
}

TEST(Zip, MembersThatLieOverOneAnotherAreRefused) {
  const std::string plain = zip_of({{"a", "aaaaaaaa"}, {"b", "bbbbbbbb"}});
  const size_t second = plain.rfind("PK\x01\x02");
  // Both are the first one's bytes.
  EXPECT_EQ(listed_zip(zip_file(patched(plain, second + 42, std::string(4, '\0')))),
            std::vector<std::string>{"bad-zip"});
  // The first one reaches into the second one's header.
  const size_t first = plain.find("PK\x01\x02");
  EXPECT_EQ(listed_zip(zip_file(patched(plain, first + 20, "\x09"))),
            std::vector<std::string>{"bad-zip"});
}

TEST(Zip, AHeaderThatTellsOtherThingsThanTheDirectoryIsFoundOnReading) {
  const std::string plain = zip_of({{"a", "aaaaaaaa"}});
  for (const size_t offset : {size_t{0}, size_t{8}, size_t{26}, size_t{28}, size_t{30}}) {
    const auto members = zip_members(zip_file(patched(plain, offset, "\x7F")));
    ASSERT_TRUE(members.ok());
    EXPECT_EQ(read_all(*members->front()), "bad-zip") << offset;
  }
}

TEST(Zip, WhatIsNoZipIsRefused) {
  const std::string plain = zip_of({{"a", "aaaaaaaa"}});
  const size_t end = plain.rfind("PK\x05\x06");
  EXPECT_EQ(listed_zip(zip_file("")), std::vector<std::string>{"bad-zip"});
  EXPECT_EQ(listed_zip(zip_file(std::string(100, 'x'))), std::vector<std::string>{"bad-zip"});
  for (const size_t cut : {size_t{1}, size_t{22}, size_t{40}}) {
    EXPECT_EQ(listed_zip(zip_file(plain.substr(0, plain.size() - cut))),
              std::vector<std::string>{"bad-zip"});
  }
  for (const size_t offset : {size_t{4}, size_t{10}, size_t{12}, size_t{16}}) {
    EXPECT_EQ(listed_zip(zip_file(patched(plain, end + offset, "\x77"))),
              std::vector<std::string>{"bad-zip"})
        << offset;
  }
}

// Damage to any byte is harmless: reading the whole archive ends in bytes or in an error.
TEST(Zip, EveryByteFlippedEndsInAResult) {
  for (const char* name : {"deflated.zip", "zip64.zip", "streamed.zip"}) {
    const std::string bytes = file_bytes(fixture("archives") / name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      const auto members =
          zip_members(zip_file(patched(bytes, at, std::string(1, static_cast<char>(~bytes[at])))));
      for (const SourcePtr& member : members ? *members : std::vector<SourcePtr>()) {
        ASSERT_LT(member->size(), 100'000'000U);
        read(*member, 0, static_cast<size_t>(std::min<uint64_t>(member->size(), 10'000)));
      }
      const auto cut = zip_members(zip_file(bytes.substr(0, at)));
      EXPECT_FALSE(cut.ok()) << at;
    }
  }
}

}  // namespace
}  // namespace cryo
