#include "archive/tar.h"

#include "archive/gzip.h"
#include "base/text.h"
#include "bytes/splice.h"
#include "deflate.h"
#include "files.h"
#include "members.h"

namespace cryo {
namespace {

std::vector<std::string> listed_tar(const SourcePtr& tar) { return listed(tar_members(tar)); }

// A header with its checksum.
std::string header(const std::string& name, const std::string& size, char type = '0',
                   const std::string& link = "") {
  std::string block(kTarBlock, '\0');
  block.replace(0, name.size(), name);
  block.replace(124, size.size(), size);
  block.replace(148, 8, "        ");
  block[156] = type;
  block.replace(157, link.size(), link);
  block.replace(257, 8,
                std::string("ustar\0"
                            "00",
                            8));
  unsigned sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  std::string octal;
  for (; sum > 0; sum /= 8) octal.insert(octal.begin(), static_cast<char>('0' + sum % 8));
  return block.replace(148, octal.size() + 1, octal + '\0');
}

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + kTarBlock - 1) / kTarBlock * kTarBlock, '\0');
  return bytes;
}

SourcePtr tar_file(std::string bytes) {
  return std::make_shared<MemorySource>(std::move(bytes), "a.tar");
}

void expect_pythons(const SourcePtr& tar, const std::string& hard) {
  const std::string& name = tar->name();
  const auto members = tar_members(tar);
  ASSERT_TRUE(members.ok()) << members.error().message;
  EXPECT_EQ(listed_tar(tar),
            (std::vector<std::string>{name + "/m/saved_model.pb=1024",
                                      name + "/m/variables/deflates.txt=3400",
                                      name + "/" + far_down() + "=8", name + "/m/empty=0",
                                      name + "/m/hard=" + std::to_string(hard.size())}));
  EXPECT_EQ(read(*(*members)[0], 254, 4), std::string("\xFE\xFF\x00\x01", 4));
  EXPECT_EQ(read(*(*members)[1], 0, 6), "a line");
  EXPECT_EQ(read_all(*(*members)[2]), "far down");
  EXPECT_EQ(read_all(*(*members)[4]), hard);
}

TEST(Tar, HoldsWhatPythonPutThere) {
  for (const char* name : {"gnu.tar", "pax.tar"}) {
    const auto tar = file_source(fixture("archives") / name);
    ASSERT_TRUE(looks_like_tar(file_bytes(tar->name())));
    expect_pythons(tar, "far down");
    const Splice content(whole((*tar_members(tar))[2]));
    EXPECT_EQ(content.pieces()[0].source, tar);
  }
}

TEST(Gzip, OfSeveralMembersIsTheirBytesOneAfterTheOther) {
  const auto gzip = file_source(fixture("archives/two_members.tar.gz"));
  ASSERT_TRUE(looks_like_gzip(file_bytes(gzip->name())));
  const auto tar = gunzip(gzip, "model.tar");
  ASSERT_TRUE(tar.ok()) << tar.error().message;
  EXPECT_EQ((*tar)->size(), 10240U);
  expect_pythons(*tar, read_all(*(*tar_members(*tar))[0]));
}

std::string unzipped(const std::string& bytes) {
  const auto plain = gunzip(tar_file(bytes), "plain");
  return plain ? read_all(**plain) : plain.error().code;
}

std::string gzip_of(const std::string& head, const std::string& plain) {
  const auto crc = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size())));
  std::string out = head + deflated(plain);
  for (const uint64_t value : {uint64_t{crc}, uint64_t{plain.size()}}) {
    for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i));
  }
  return out;
}

const std::string kPlainHead = unhex("1F8B0800 00000000 00FF");
// With an extra field of 3 bytes, a name, a comment and a checksum of the header.
const std::string kFullHead = unhex("1F8B081E 00000000 00FF 0300 616263 6E616D6500 6300 0000");

TEST(Gzip, TheHeadersOwnFieldsArePassedOver) {
  EXPECT_EQ(unzipped(gzip_of(kPlainHead, "hello")), "hello");
  EXPECT_EQ(unzipped(gzip_of(kFullHead, "hello")), "hello");
  EXPECT_EQ(unzipped(gzip_of(kPlainHead, "")), "");
  const std::string two = gzip_of(kFullHead, "hel") + gzip_of(kPlainHead, "lo");
  EXPECT_EQ(unzipped(two), "hello");
  EXPECT_EQ(unzipped(two + std::string(5000, '\0')), "hello");
}

TEST(Gzip, DamageIsRefused) {
  const std::string good = gzip_of(kFullHead, "hello");
  EXPECT_EQ(unzipped("x" + good), "bad-gzip");
  EXPECT_EQ(unzipped(good + "garbage"), "bad-gzip");
  EXPECT_EQ(unzipped(""), "bad-gzip");
  EXPECT_EQ(unzipped(patched(good, good.size() - 8, "\x01")), "checksum");
  EXPECT_EQ(unzipped(patched(good, good.size() - 4, "\x01")), "checksum");
  for (size_t size = 1; size < good.size(); ++size) {
    EXPECT_NE(unzipped(good.substr(0, size)), "hello") << size;
  }
}

TEST(Tar, NumbersMayBeBinary) {
  const std::string binary = unhex("80 00000000 00000000 000005");
  EXPECT_EQ(listed_tar(tar_file(header("a", binary) + padded("hello"))),
            std::vector<std::string>{"a.tar/a=5"});
  EXPECT_EQ(
      listed_tar(tar_file(header("a", unhex("80 00000000 FFFFFFFF FFFFFF")) + padded("hello"))),
      std::vector<std::string>{"bad-tar"});
}

TEST(Tar, OfOnePathTheLastCounts) {
  const auto tar = tar_file(header("a", "5") + padded("first") + header("b", "0") +
                            header("./a", "4") + padded("last"));
  EXPECT_EQ(listed_tar(tar), (std::vector<std::string>{"a.tar/a=4", "a.tar/b=0"}));
  EXPECT_EQ(read_all(*(*tar_members(tar))[0]), "last");
}

TEST(Tar, LinksToLinksStayFlat) {
  std::string bytes = header("a", "5") + padded("hello");
  for (int i = 0; i < 10'000; ++i) bytes += header("a", "0", kTarHardLink, "a");
  const auto members = tar_members(tar_file(std::move(bytes)));
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(read_all(*members->front()), "hello");
  EXPECT_EQ(listed_tar(tar_file(header("a", "0", kTarHardLink, "b"))),
            std::vector<std::string>{"bad-tar"});
}

TEST(Tar, HolesAreRefused) {
  const std::string pax = "22 GNU.sparse.major=1\n";
  EXPECT_EQ(listed_tar(tar_file(header("x", "26", kTarPax) + padded(pax) + header("a", "0"))),
            std::vector<std::string>{"unsupported-compression"});
  EXPECT_EQ(listed_tar(tar_file(header("a", "0", kTarSparse))),
            std::vector<std::string>{"unsupported-compression"});
}

TEST(Tar, NamesThatLeadOutAreRefused) {
  EXPECT_EQ(listed_tar(tar_file(header("../a", "0"))), std::vector<std::string>{"bad-member-name"});
  EXPECT_EQ(listed_tar(tar_file(header("/etc/a", "0"))), std::vector<std::string>{"a.tar/etc/a=0"});
}

TEST(Tar, DamageIsRefused) {
  const std::string good = header("a", "5") + padded("hello") + header("b", "0");
  EXPECT_EQ(listed_tar(tar_file(good.substr(0, 700))), std::vector<std::string>{"a.tar/a=5"});
  EXPECT_EQ(listed_tar(tar_file(good.substr(0, 514))), std::vector<std::string>{"bad-tar"});
  EXPECT_EQ(listed_tar(tar_file(patched(good, 1024, "x"))), std::vector<std::string>{"bad-tar"});
  EXPECT_EQ(listed_tar(tar_file(header("a", "9"))), std::vector<std::string>{"bad-tar"});
  EXPECT_EQ(listed_tar(tar_file(header("a", "77777777777"))), std::vector<std::string>{"bad-tar"});
  for (const std::string& pax :
       std::vector<std::string>{"5 a=b", "99 path=a\n", "9 pathab\n", "0 path=a\n", "x",
                                "99999999999999999999 path=a\n", "10 size=x\n"}) {
    EXPECT_EQ(listed_tar(tar_file(header("x", cat("000", pax.size() / 8, pax.size() % 8), kTarPax) +
                                  padded(pax) + header("a", "0"))),
              std::vector<std::string>{"bad-tar"})
        << pax;
  }
}

TEST(Tar, EveryByteFlippedEndsInAResult) {
  const std::string bytes = file_bytes(fixture("archives/pax.tar")).substr(0, 8192);
  for (size_t at = 0; at < bytes.size(); ++at) {
    const std::string flipped(1, static_cast<char>(~bytes[at]));
    const auto members = tar_members(tar_file(patched(bytes, at, flipped)));
    for (const SourcePtr& member : members ? *members : std::vector<SourcePtr>()) {
      ASSERT_LE(member->size(), bytes.size());
      EXPECT_EQ(read_all(*member).size(), member->size());
    }
  }
}

}  // namespace
}  // namespace cryo
