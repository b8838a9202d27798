#include <map>
#include <random>
#include <set>

#include "archive/gzip.h"
#include "archive/tar.h"
#include "archive/zip.h"
#include "archive/zip_directory.h"
#include "archive/zip_salvage.h"
#include "archive/zip_writer.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32.h"
#include "deflate.h"
#include "files.h"

namespace cryo {
namespace {

using Contents = std::map<std::string, std::string>;  // by the name of a member's source

SourcePtr archive(std::string bytes, const std::string& name) {
  return std::make_shared<MemorySource>(std::move(bytes), name);
}

Contents contents(const Result<std::vector<SourcePtr>>& members) {
  EXPECT_TRUE(members.ok());
  Contents out;
  if (!members) return out;
  for (const SourcePtr& member : *members) {
    EXPECT_TRUE(out.emplace(member->name(), read_all(*member)).second);
  }
  return out;
}

std::set<std::string> names_of(const DamagedParts& losses) {
  std::set<std::string> names;
  for (const DamagedPart& loss : losses) names.insert(loss.name);
  return names;
}

// "directory at 7", "member a.zip/b at 3".
std::vector<std::string> listed_losses(const DamagedParts& losses) {
  std::vector<std::string> out;
  for (const DamagedPart& loss : losses) {
    out.push_back(cat(loss.what, loss.name.empty() ? "" : " ", loss.name, " at ",
                      loss.why.where.offset.value_or(0)));
  }
  return out;
}

// Three stored members; the second is a zip file, whose members do not belong to the outer one.
std::string three_members() {
  const Splice inner =
      *write_zip({{"inner", Splice(fresh("inner bytes"))}, {"more", Splice(fresh("more bytes"))}});
  return *write_zip({{"a", Splice(fresh(std::string(100, 'a')))},
                     {"b.zip", inner},
                     {"c", Splice(fresh(std::string(100, 'c')))}})
              ->read_all();
}

size_t header_of(const std::string& zip, size_t which) {
  return (*read_zip_directory(archive(zip, "a.zip")))[which].header_offset;
}

size_t directory_of(const std::string& zip) { return zip.find("PK\x01\x02"); }

class Zips : public testing::TestWithParam<const char*> {
 protected:
  const std::string bytes = file_bytes(fixture("archives") / GetParam());
  const Contents whole = contents(zip_members(archive(bytes, "a.zip")));
};

TEST_P(Zips, OfAWholeFileNothingIsLost) {
  DamagedParts losses;
  EXPECT_EQ(contents(zip_members(archive(bytes, "a.zip"), nullptr, &losses)), whole);
  EXPECT_TRUE(losses.empty());
}

TEST_P(Zips, WithoutItsDirectoryAllMembersAreFound) {
  for (const size_t left : {directory_of(bytes), directory_of(bytes) + 20, bytes.size() - 1}) {
    DamagedParts losses;
    const auto members = zip_members(archive(bytes.substr(0, left), "a.zip"), nullptr, &losses);
    EXPECT_EQ(contents(members), whole) << left;
    EXPECT_EQ(losses.size(), 1U);
    EXPECT_EQ(losses.front().what, kLostDirectory);
  }
}

// A member is given as it was, or it is listed with the bytes that are left of it.
TEST_P(Zips, NoDamageMakesAMemberThatWasNotThere) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    const size_t at = random() % damaged.size();
    if (i % 3 == 0) {
      damaged.resize(at);
    } else {
      for (size_t j = at; j < std::min(damaged.size(), at + (i % 3 == 1 ? 1 : 80)); ++j) {
        damaged[j] = static_cast<char>(damaged[j] ^ (1 << random() % 8));
      }
    }
    DamagedParts losses;
    const auto members = zip_members(archive(damaged, "a.zip"), nullptr, &losses);
    if (!members) continue;
    const std::set<std::string> lost = names_of(losses);
    for (const auto& [name, content] : contents(members)) {
      if (lost.contains(name)) continue;
      const auto original = whole.find(name);
      // Damage within a name, which has no checksum, leaves the content as it was.
      const bool is_renamed = original == whole.end() && !losses.empty();
      EXPECT_TRUE(is_renamed || (original != whole.end() && original->second == content))
          << name << " " << i << " " << at;
    }
    EXPECT_TRUE(!losses.empty() || contents(members) == whole) << i << " " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Zips,
                         testing::Values("stored.zip", "deflated.zip", "zip64.zip", "streamed.zip"),
                         [](const auto& one) {
                           const std::string name = one.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(ZipSalvage, ACutMemberGivesItsFirstBytes) {
  const std::string zip = three_members();
  const std::string cut = zip.substr(0, header_of(zip, 2) + 31 + 40);
  EXPECT_FALSE(zip_members(archive(cut, "a.zip")).ok());
  DamagedParts losses;
  Contents found = contents(zip_members(archive(cut, "a.zip"), nullptr, &losses));
  EXPECT_EQ(found["a.zip/a"], std::string(100, 'a'));
  EXPECT_EQ(found["a.zip/c"], std::string(40, 'c'));
  EXPECT_EQ(found.size(), 3U);
  EXPECT_EQ(listed_losses(losses), (std::vector{cat("directory at ", cut.size()),
                                                cat("member a.zip/c at ", header_of(zip, 2))}));
}

TEST(ZipSalvage, MembersOfACutZipFileInsideAreNone) {
  const std::string zip = three_members();
  const std::string cut = zip.substr(0, header_of(zip, 2) - 100);
  DamagedParts losses;
  const Contents found = contents(zip_members(archive(cut, "a.zip"), nullptr, &losses));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found.contains("a.zip/b.zip"));
}

TEST(ZipSalvage, ADamagedMemberIsListedAndGivenWithoutACheck) {
  const std::string zip = three_members();
  const std::string damaged = patched(zip, header_of(zip, 0) + 31 + 50, "x");
  DamagedParts losses;
  Contents found = contents(zip_members(archive(damaged, "a.zip"), nullptr, &losses));
  EXPECT_EQ(found["a.zip/a"], patched(std::string(100, 'a'), 50, "x"));
  EXPECT_EQ(names_of(losses), std::set<std::string>{"a.zip/a"});
  EXPECT_EQ(losses.front().why.code, "checksum");
}

TEST(ZipSalvage, ADamagedHeaderLosesItsMemberAlone) {
  const std::string zip = three_members();
  std::string damaged = patched(zip, header_of(zip, 0), "QK");
  DamagedParts losses;
  EXPECT_EQ(contents(zip_members(archive(damaged, "a.zip"), nullptr, &losses)).size(), 2U);
  EXPECT_EQ(names_of(losses), std::set<std::string>{"a.zip/a"});
  damaged.resize(damaged.size() - 5);
  DamagedParts without_directory;
  const auto members = zip_members(archive(damaged, "a.zip"), nullptr, &without_directory);
  const Contents found = contents(members);
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(found.contains("a.zip/b.zip") && found.contains("a.zip/c"));
  EXPECT_EQ(listed_losses(without_directory),
            (std::vector{cat("directory at ", damaged.size()), std::string("member at 0")}));
}

TEST(ZipSalvage, OfADeflatedMemberWhatInflatesIsGiven) {
  const std::string plain = compressible(200'000);
  const std::string packed = deflated(plain);
  std::string zip("PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0", 14);
  put_fixed32(zip, crc32_extend(0, plain));
  put_fixed32(zip, static_cast<uint32_t>(packed.size()));
  put_fixed32(zip, static_cast<uint32_t>(plain.size()));
  zip += std::string("\x01\0\0\0w", 5) + packed;
  DamagedParts losses;
  EXPECT_EQ(contents(zip_members(archive(zip, "a.zip"), nullptr, &losses))["a.zip/w"], plain);
  EXPECT_EQ(names_of(losses), std::set<std::string>{""});
  for (const size_t left : {size_t{1}, size_t{100}, packed.size() / 2, packed.size() - 1}) {
    DamagedParts cut;
    const std::string bytes = zip.substr(0, zip.size() - packed.size() + left);
    const auto members = zip_members(archive(bytes, "a.zip"), nullptr, &cut);
    EXPECT_TRUE(names_of(cut).contains("a.zip/w")) << left;
    const std::string prefix = contents(members)["a.zip/w"];
    EXPECT_TRUE(plain.starts_with(prefix));
    EXPECT_GE(prefix.size() + 2000, plain.size() * left / packed.size()) << left;
  }
}

// Streams within each other, each of which would be decoded up to the end of the file.
TEST(ZipSalvage, TimeIsInProportionToTheFile) {
  const std::string header(
      "PK\x03\x04\x14\0\x08\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0w", 31);
  const std::string stored("\0\x1F\0\xE0\xFF", 5);  // a stored block: the 31 bytes after it
  std::string zip;
  while (zip.size() < (size_t{2} << 20)) zip += header + stored;
  DamagedParts losses;
  (void)zip_members(archive(zip, "a.zip"), nullptr, &losses);
  EXPECT_FALSE(losses.empty());
}

TEST(TarSalvage, ReadsOnAtTheNextHeader) {
  for (const char* name : {"gnu.tar", "pax.tar"}) {
    const std::string tar = file_bytes(fixture("archives") / name);
    const Contents whole = contents(tar_members(archive(tar, "a.tar")));
    DamagedParts none;
    EXPECT_EQ(contents(tar_members(archive(tar, "a.tar"), &none)), whole);
    EXPECT_TRUE(none.empty());
    for (size_t at = 0; at < tar.size(); at += 512) {
      const std::string damaged = patched(tar, at, "\xFF\xFE");
      const auto strict = tar_members(archive(damaged, "a.tar"));
      if (strict) continue;  // the damage is in a member's bytes, which have no checksum
      DamagedParts losses;
      const Contents found = contents(tar_members(archive(damaged, "a.tar"), &losses));
      EXPECT_FALSE(losses.empty());
      TarHeader header;
      const bool is_header = read_tar_header(std::string_view(tar).substr(at, kTarBlock), header);
      if (is_header) {
        EXPECT_EQ(losses.front().why.where.offset, at);
      }
      EXPECT_GE(found.size() + 2, whole.size());  // a hard link needs its member
    }
  }
}

TEST(TarSalvage, ACutMemberGivesItsFirstBytes) {
  const std::string tar = file_bytes(fixture("archives") / "gnu.tar");
  const Contents whole = contents(tar_members(archive(tar, "a.tar")));
  const std::string cut = tar.substr(0, 512 + 512 + 1000);
  EXPECT_FALSE(tar_members(archive(cut, "a.tar")).ok());
  DamagedParts losses;
  const Contents found = contents(tar_members(archive(cut, "a.tar"), &losses));
  for (const auto& [name, content] : found) {
    EXPECT_TRUE(whole.at(name).starts_with(content));
    EXPECT_TRUE(content == whole.at(name) || names_of(losses).contains(name));
  }
  EXPECT_FALSE(found.empty());
  EXPECT_EQ(losses.back().name, "");  // no blocks end it
}

TEST(TarSalvage, AHeaderThatIsCutIsDamage) {
  const std::string tar = file_bytes(fixture("archives") / "gnu.tar");
  const std::string cut = tar.substr(0, 2048 + 100);  // after the first member
  EXPECT_FALSE(tar_members(archive(cut, "a.tar")).ok());
  DamagedParts losses;
  EXPECT_EQ(contents(tar_members(archive(cut, "a.tar"), &losses)).size(), 1U);
  EXPECT_EQ(losses.front().why.where.offset, 2048U);
}

std::string gzipped(const std::string& plain) {
  std::string out("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10);
  out += deflated(plain);
  put_fixed32(out, crc32_extend(0, plain));
  put_fixed32(out, static_cast<uint32_t>(plain.size()));
  return out;
}

TEST(GzipSalvage, GivesWhatInflates) {
  const std::string plain = compressible(300'000);
  const std::string gzip = gzipped(plain);
  DamagedParts none;
  EXPECT_EQ(read_all(**gunzip(archive(gzip, "w.gz"), "w", &none)), plain);
  EXPECT_TRUE(none.empty());
  for (const size_t left : {size_t{500}, gzip.size() / 2, gzip.size() - 9, gzip.size() - 1}) {
    const std::string cut = gzip.substr(0, left);
    EXPECT_FALSE(gunzip(archive(cut, "w.gz"), "w").ok());
    DamagedParts losses;
    const auto source = gunzip(archive(cut, "w.gz"), "w", &losses);
    ASSERT_TRUE(source.ok());
    EXPECT_TRUE(plain.starts_with(read_all(**source)));
    EXPECT_EQ(read(**source, (*source)->size() - 1, 1),
              plain.substr(static_cast<size_t>((*source)->size()) - 1, 1));
    EXPECT_EQ(names_of(losses), std::set<std::string>{""});
  }
  EXPECT_FALSE(gunzip(archive(gzip.substr(0, 10), "w.gz"), "w", &none).ok());
}

// Bytes that were decoded before damage shows may be wrong: the source is named.
TEST(GzipSalvage, WhatItsChecksumRefusesIsNamed) {
  const std::string plain = compressible(300'000);
  DamagedParts losses;
  const std::string damaged = patched(gzipped(plain), gzipped(plain).size() - 6, "??");
  EXPECT_EQ(read_all(**gunzip(archive(damaged, "w.gz"), "w", &losses)), plain);
  EXPECT_EQ(names_of(losses), std::set<std::string>{"w"});
}

TEST(GzipSalvage, ADamagedZipFileWithinIsNotLookedThrough) {
  const std::string zip = three_members();
  const std::string cut = zip.substr(0, zip.size() - 5);
  DamagedParts losses;
  EXPECT_TRUE(zip_members(archive(cut, "a.zip"), nullptr, &losses).ok());
  const SourcePtr inflated = *gunzip(archive(gzipped(cut), "a.zip.gz"), "a.zip");
  EXPECT_FALSE(zip_members(inflated, nullptr, &losses).ok());
}

TEST(GzipSalvage, OfSeveralMembersThoseBeforeTheDamageAreGiven) {
  const std::string plain = compressible(10'000);
  const std::string gzip = gzipped(plain) + gzipped(plain);
  DamagedParts losses;
  const std::string cut = gzip.substr(0, gzipped(plain).size() + 5);
  EXPECT_EQ(read_all(**gunzip(archive(cut, "w.gz"), "w", &losses)), plain);
  EXPECT_EQ(losses.size(), 1U);
}

}  // namespace
}  // namespace cryo
