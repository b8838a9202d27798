#include "formats/arrays/safetensors.h"

#include "base/text.h"
#include "bytes/coding.h"
#include "counting_source.h"
#include "deflate.h"
#include "entries.h"
#include "files.h"
#include "formats/arrays/npz.h"

namespace cryo {
namespace {

std::string with_length(const std::string& header, const std::string& data) {
  std::string out;
  put_fixed64(out, header.size());
  return out + header + data;
}

SourcePtr safetensors_file(std::string bytes) {
  return std::make_shared<MemorySource>(std::move(bytes), "a.safetensors");
}

// "a float32 [2]" of each tensor, or the error's code.
std::string read_of(const std::string& header, const std::string& data = "") {
  Diagnostics diagnostics;
  const auto checkpoint =
      read_safetensors(safetensors_file(with_length(header, data)), diagnostics);
  if (!checkpoint) return checkpoint.error().code;
  std::vector<std::string> all;
  for (const CheckpointEntry& entry : checkpoint->entries) {
    all.push_back(cat(entry.key, " ", described(entry)));
  }
  return join(all, ", ");
}

TEST(Safetensors, HoldsWhatItsOwnWriterPutThere) {
  const std::string bytes = file_bytes(fixture("archives/weights.safetensors"));
  const auto file = std::make_shared<CountingSource>(bytes, "weights.safetensors");
  EXPECT_TRUE(looks_like_safetensors(bytes, bytes.size()));
  Diagnostics diagnostics;
  const auto checkpoint = read_safetensors(file, diagnostics);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message;
  EXPECT_TRUE(diagnostics.all().empty());
  const uint64_t data = 8 + get_fixed64(bytes.data());
  EXPECT_EQ(file->bytes_read(), data);
  EXPECT_EQ(described(*checkpoint->find("brain")), "bfloat16 [3]");
  EXPECT_EQ(*checkpoint->find("brain")->content.read_all(), unhex("0000 803F 0040"));

  // The same arrays as NumPy wrote them.
  const auto arrays = read_npz(file_source(fixture("archives/stored.npz")), diagnostics);
  size_t compared = 0;
  for (const CheckpointEntry& entry : arrays->entries) {
    const CheckpointEntry* same = checkpoint->find(entry.key);
    if (same == nullptr) continue;
    EXPECT_EQ(described(*same), described(entry));
    EXPECT_EQ(*same->content.read_all(), *entry.content.read_all()) << entry.key;
    ++compared;
  }
  EXPECT_EQ(compared, 15U);
}

TEST(Safetensors, WritesWhatItsOwnWriterWrites) {
  const std::string bytes = file_bytes(fixture("archives/weights.safetensors"));
  Diagnostics diagnostics;
  const auto checkpoint = read_safetensors(safetensors_file(bytes), diagnostics);
  const auto written = write_safetensors(checkpoint->entries, diagnostics);
  ASSERT_TRUE(written.ok());
  EXPECT_TRUE(diagnostics.all().empty());
  const std::string ours = *written->read_all();
  // But for the metadata, {"__metadata__":{"format":"np"},
  const uint64_t header = get_fixed64(bytes.data());
  const uint64_t our_header = get_fixed64(ours.data());
  EXPECT_EQ(our_header % 8, 0U);
  EXPECT_EQ(ours.substr(8 + our_header), bytes.substr(8 + header));
  std::string theirs = bytes.substr(8, header);
  theirs.erase(1, std::string_view("\"__metadata__\":{\"format\":\"np\"},").size());
  const auto bare = [](const std::string& text) { return text.substr(0, text.find_last_of('}')); };
  EXPECT_EQ(bare(ours.substr(8, our_header)), bare(theirs));
}

TEST(Safetensors, NothingIsReadToWrite) {
  const auto file = std::make_shared<CountingSource>(
      file_bytes(fixture("archives/weights.safetensors")), "weights.safetensors");
  Diagnostics diagnostics;
  const auto checkpoint = read_safetensors(file, diagnostics);
  const uint64_t before = file->bytes_read();
  const auto written = write_safetensors(checkpoint->entries, diagnostics);
  EXPECT_EQ(file->bytes_read(), before);
  EXPECT_EQ(written->pieces().back().source, file);
}

TEST(Safetensors, HeadersAreJsonOfThatForm) {
  EXPECT_EQ(read_of("{}"), "");
  EXPECT_EQ(read_of("{}      "), "");
  EXPECT_EQ(read_of(R"({"__metadata__":{"a":"b","c":""}})"), "");
  EXPECT_EQ(read_of(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]},)"
                    R"("a\u00e9":{"data_offsets":[0,2],"shape":[2,1],"dtype":"I8"}})",
                    "abcdef"),
            "a\xC3\xA9 int8 [2,1], b float32 [1]");
  EXPECT_EQ(read_of(R"({"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}})", "ab"),
            "a bfloat16 []");
  EXPECT_EQ(read_of(R"({"a":{"dtype":"F64","shape":[0,9],"data_offsets":[0,0]}})"),
            "a float64 [0,9]");
  // Later versions may add such properties.
  EXPECT_EQ(read_of(R"({"a":{"dtype":"U8","new":[{"x":[1,-2.5,null]}],"shape":[1],"more":"x",)"
                    R"("data_offsets":[0,1]}})",
                    "a"),
            "a uint8 [1]");
}

TEST(Safetensors, TypesThatTensorFlowHasNotAreThatTensorsFault) {
  EXPECT_EQ(read_of(R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},)"
                    R"("b":{"dtype":"Q9","shape":[4],"data_offsets":[2,3]},)"
                    R"("c":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
                    "abcd"),
            "a unsupported-dtype, b unsupported-dtype, c uint8 [1]");
}

TEST(Safetensors, OtherHeadersAreRefused) {
  const std::string good = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  ASSERT_EQ(read_of("{" + good + "}", "x"), "a uint8 [1]");
  for (const std::string& header : std::vector<std::string>{
           "",
           " {}",
           "[]",
           "{} x",
           "{",
           "{" + good,
           R"({"a":null})",
           R"({"a":[]})",
           R"({"a":{}})",
           "{" + good + "," + good + "}",
           R"({"a":{"dtype":"U8","shape":[1]}})",
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})",
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})",
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,-1]}})",
           R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})",
           R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})",
           R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})",
           R"({"a":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})",
           R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
           R"({"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}})",
           R"({"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}})",
           R"({"__metadata__":{"a":1}})",
           R"({"__metadata__":{"a":{}}})",
           R"({"__metadata__":{},"__metadata__":{}})",
           "{\"\xFF\":{}}",
           std::string(1'000'000, '[')}) {
    EXPECT_EQ(read_of(header, "x"), "bad-safetensors") << header.substr(0, 100);
  }
}

TEST(Safetensors, TensorsFillTheFileWithoutGaps) {
  const auto two = [](std::string_view a, std::string_view b) {
    return cat(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)", a,
               R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)", b, "}}");
  };
  EXPECT_EQ(read_of(two("[0,2]", "[2,4]"), "abcd"), "a uint8 [2], b uint8 [2]");
  EXPECT_EQ(read_of(two("[2,4]", "[0,2]"), "abcd"), "a uint8 [2], b uint8 [2]");
  EXPECT_EQ(read_of(two("[0,2]", "[2,4]"), "abcde"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[2,4]"), "abc"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[0,2]"), "ab"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[1,3]"), "abc"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[3,5]"), "abcde"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[1,3]", "[3,5]"), "abcde"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[4,2]"), "abcd"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[2,3]"), "abc"), "bad-safetensors");
  EXPECT_EQ(read_of(two("[0,2]", "[2,18446744073709551615]"), "abcd"), "bad-safetensors");
}

TEST(Safetensors, SizesThatOverflowAreRefused) {
  EXPECT_EQ(
      read_of(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}})"),
      "bad-safetensors");
  EXPECT_EQ(read_of(R"({"a":{"dtype":"F64","shape":[1152921504606846976],"data_offsets":[0,0]}})"),
            "bad-safetensors");
  EXPECT_EQ(read_of(R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,0]}})"), "bad-safetensors");
}

TEST(Safetensors, LengthsThatLieAreRefused) {
  const std::string bytes = with_length("{}", "");
  const auto code = [](std::string changed) {
    Diagnostics diagnostics;
    const auto checkpoint = read_safetensors(safetensors_file(std::move(changed)), diagnostics);
    return checkpoint ? "" : checkpoint.error().code;
  };
  EXPECT_EQ(code(bytes), "");
  EXPECT_EQ(code(""), "bad-safetensors");
  EXPECT_EQ(code(patched(bytes, 0, "\x03")), "bad-safetensors");
  EXPECT_EQ(code(patched(bytes, 7, "\x80")), "too-large");
  EXPECT_FALSE(looks_like_safetensors(patched(bytes, 7, "\x80"), bytes.size()));
  EXPECT_FALSE(looks_like_safetensors("{}", 2));
}

TEST(Safetensors, WhatItHasNoNameForIsWrittenRawOrLeftOut) {
  Diagnostics diagnostics;
  const auto written = write_safetensors(
      {entry("q", DType::kQint8, {1}, "e"), entry("i", DType::kInt8, {1}, "f"),
       entry("__metadata__", DType::kInt8, {1}, "f"), entry("s", DType::kString, {}, ""),
       entry("c", DType::kComplex128, {0}, ""), entry("\"\n", DType::kFloat, {1}, "abcd")},
      diagnostics);
  ASSERT_TRUE(written.ok());
  ASSERT_EQ(diagnostics.all().size(), 2U);
  EXPECT_EQ(diagnostics.all()[0].code, "weights-left-out");
  EXPECT_EQ(diagnostics.all()[1].code, "raw-numbers");
  const std::string bytes = *written->read_all();
  EXPECT_EQ(bytes.substr(8),
            R"({"\"\n":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
            R"("i":{"dtype":"I8","shape":[1],"data_offsets":[4,5]},)"
            R"("q":{"dtype":"I8","shape":[1],"data_offsets":[5,6]}}       abcdfe)");
}

TEST(Safetensors, EveryByteFlippedAndEveryPrefixEndsInAResult) {
  const std::string bytes = file_bytes(fixture("archives/weights.safetensors"));
  for (size_t at = 0; at < bytes.size(); ++at) {
    Diagnostics diagnostics;
    const std::string flipped(1, static_cast<char>(~bytes[at]));
    const auto checkpoint =
        read_safetensors(safetensors_file(patched(bytes, at, flipped)), diagnostics);
    for (const auto& each : checkpoint ? checkpoint->entries : std::vector<CheckpointEntry>()) {
      EXPECT_LE(each.content.size(), bytes.size());
      EXPECT_TRUE(each.content.read_all().ok());
    }
    EXPECT_FALSE(read_safetensors(safetensors_file(bytes.substr(0, at)), diagnostics).ok());
  }
}

}  // namespace
}  // namespace cryo
