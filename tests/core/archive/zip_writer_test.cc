#include "archive/zip_writer.h"

#include "archive/zip.h"
#include "bytes/joined_source.h"
#include "deflate.h"
#include "files.h"

namespace cryo {
namespace {

ZipFile file(const std::string& name, const std::string& bytes) {
  return {name, Splice(fresh(bytes))};
}

TEST(ZipWriter, WritesWhatTheReaderReads) {
  const auto zip = write_zip({file("a/b.npy", "hello"), file("empty", ""), file("\xC3\xA9", "e")});
  ASSERT_TRUE(zip.ok());
  const auto source = std::make_shared<MemorySource>(*zip->read_all(), "z.zip");
  const auto records = read_zip_directory(source);
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->size(), 3U);
  EXPECT_EQ((*records)[0].flags, 0);
  EXPECT_EQ((*records)[2].flags, kZipUtf8Flag);
  EXPECT_EQ((*records)[0].crc, 0x3610A686U);
  const auto members = *zip_members(source);
  EXPECT_EQ(members[0]->name(), "z.zip/a/b.npy");
  EXPECT_EQ(read_all(*members[0]), "hello");
  EXPECT_EQ(read_all(*members[2]), "e");
}

TEST(ZipWriter, ContentStaysTheSlicesItWas) {
  const auto source = std::make_shared<MemorySource>("0123456789", "model");
  Splice content;
  content.append({source, 5, 3});
  content.append({source, 0, 2});
  const auto zip = write_zip({{"a", content}});
  ASSERT_EQ(zip->pieces().size(), 4U);
  EXPECT_EQ(zip->pieces()[1].source, source);
  EXPECT_EQ(zip->pieces()[1].offset, 5U);
}

TEST(ZipWriter, TheEmptyZipIsAnEndAlone) {
  EXPECT_EQ(*write_zip({})->read_all(), "PK\x05\x06" + std::string(18, '\0'));
}

TEST(ZipWriter, NamesThatCannotBeAreRefused) {
  for (const auto& files : {std::vector<ZipFile>{file("", "")},
                            {file("a", ""), file("a", "")},
                            {file(std::string(65536, 'a'), "")}}) {
    const auto zip = write_zip(files);
    ASSERT_FALSE(zip.ok());
    EXPECT_EQ(zip.error().code, "bad-member-name");
  }
}

// A source that is all zeros and costs nothing to read.
class Zeros final : public ByteSource {
 public:
  explicit Zeros(uint64_t size) : size_(size) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t, std::span<char>) const override { return Unit{}; }

 private:
  uint64_t size_;
  std::string name_ = "zeros";
};

SourcePtr joined(const Splice& splice) { return std::make_shared<JoinedSource>(splice); }

TEST(ZipWriter, PlacesAndSizesBeyond32BitsAreZip64) {
  constexpr uint64_t kLarge = uint64_t{4} << 30;
  const auto zip = write_zip(
      {{"large", Splice(whole(std::make_shared<Zeros>(kLarge)))}, file("behind", "hello")});
  ASSERT_TRUE(zip.ok());
  const SourcePtr source = joined(*zip);
  const auto members = zip_members(source);
  ASSERT_TRUE(members.ok()) << members.error().message;
  EXPECT_EQ((*members)[0]->size(), kLarge);
  EXPECT_EQ(read_all(*(*members)[1]), "hello");
  const auto records = *read_zip_directory(source);
  EXPECT_GT(records[1].header_offset, kLarge);
}

TEST(ZipWriter, MoreThan65535MembersAreZip64) {
  std::vector<ZipFile> files;
  for (int i = 0; i < 70'000; ++i) files.push_back({std::to_string(i), {}});
  const auto members = zip_members(joined(*write_zip(files)));
  ASSERT_TRUE(members.ok()) << members.error().message;
  EXPECT_EQ(members->size(), 70'000U);
}

}  // namespace
}  // namespace cryo
