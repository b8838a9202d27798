#include "formats/arrays/npz.h"

#include "base/text.h"
#include "bytes/joined_source.h"
#include "deflate.h"
#include "entries.h"
#include "files.h"
#include "formats/arrays/npy.h"
#include "tensor/views/repeated_source.h"
#include "tensor/views/swapped_source.h"
#include "tensor/views/transposed_source.h"

namespace cryo {
namespace {

SourcePtr npz_file(std::string bytes, std::string name = "a.npz") {
  return std::make_shared<MemorySource>(std::move(bytes), std::move(name));
}

Checkpoint opened(const SourcePtr& file, Diagnostics& diagnostics) {
  auto checkpoint = read_npz(file, diagnostics);
  EXPECT_TRUE(checkpoint.ok()) << checkpoint.error().message;
  return checkpoint ? *checkpoint : Checkpoint();
}
Checkpoint opened(const char* name) {
  Diagnostics diagnostics;
  Checkpoint checkpoint = opened(file_source(fixture("archives") / name), diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  return checkpoint;
}

// "float32 [2,3]", or the fault's code.
std::string content(const Checkpoint& checkpoint, std::string_view key) {
  const CheckpointEntry* entry = checkpoint.find(key);
  if (entry == nullptr) return "missing";
  EXPECT_EQ(entry->content.size(), entry->bytes);
  const auto bytes = entry->content.read_all();
  return bytes ? *bytes : bytes.error().code;
}

std::string numbers(const std::vector<int>& values) {
  std::string out;
  for (const int value : values) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(static_cast<unsigned>(value) >> (8 * i));
  }
  return out;
}

TEST(Npz, HoldsWhatNumpyPutThere) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const Checkpoint checkpoint = opened(name);
    std::vector<std::string> all;
    for (const CheckpointEntry& entry : checkpoint.entries) {
      all.push_back(cat(entry.key, " ", described(entry)));
    }
    EXPECT_EQ(all, (std::vector<std::string>{
                       "b1 bool [2,3]", "c16 complex128 [2,3]", "c8 complex64 [2,3]",
                       "f2 float16 [2,3]", "f4 float32 [2,3]", "f8 float64 [2,3]", "i1 int8 [2,3]",
                       "i2 int16 [2,3]", "i4 int32 [2,3]", "i8 int64 [2,3]",
                       "scope/none float32 [0,3]", "scope/one int64 [1]", "scope/scalar float32 []",
                       "u1 uint8 [2,3]", "u2 uint16 [2,3]", "u4 uint32 [2,3]", "u8 uint64 [2,3]"}));
    EXPECT_EQ(content(checkpoint, "u1"), unhex("000102030405"));
    EXPECT_EQ(content(checkpoint, "b1"), unhex("000101010101"));
    EXPECT_EQ(content(checkpoint, "u4"), numbers({0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(content(checkpoint, "scope/scalar"), unhex("0000F040"));
    EXPECT_EQ(content(checkpoint, "scope/one"), std::string(8, '\xFF'));
    EXPECT_EQ(content(checkpoint, "scope/none"), "");
  }
}

TEST(Npz, WhatIsStoredIsASliceOfTheFile) {
  const SourcePtr file = file_source(fixture("archives/stored.npz"));
  Diagnostics diagnostics;
  const Checkpoint checkpoint = opened(file, diagnostics);
  const auto& pieces = checkpoint.find("f4")->content.pieces();
  ASSERT_EQ(pieces.size(), 1U);
  const auto member = std::dynamic_pointer_cast<const CheckedSlice>(pieces[0].source);
  ASSERT_NE(member, nullptr);
  EXPECT_EQ(Splice(member->slice()).pieces()[0].source, file);
}

TEST(Npz, FortransOrderAndBigEndianNumbersAreReadAsPlainOnes) {
  const Checkpoint checkpoint = opened("orders.npz");
  const std::string plain = content(checkpoint, "plain");
  EXPECT_EQ(plain.substr(0, 16), numbers({0, 1, 2, 3}));
  for (const char* key : {"fortran", "big", "both", "row"}) {
    EXPECT_EQ(content(checkpoint, key), plain) << key;
  }
  EXPECT_EQ(content(checkpoint, "complex").substr(0, 24),
            unhex("0000000000000000 0000803F00000000 0000004000000000"));
}

TEST(Npz, WhatTensorFlowHasNoTypeForIsThatArraysFault) {
  Diagnostics diagnostics;
  const Checkpoint checkpoint = opened(file_source(fixture("archives/strange.npz")), diagnostics);
  for (const CheckpointEntry& entry : checkpoint.entries) {
    EXPECT_EQ(described(entry), entry.key == "good" ? "float64 [3]" : "unsupported-dtype")
        << entry.key;
  }
  EXPECT_EQ(checkpoint.entries.size(), 8U);
  EXPECT_EQ(diagnostics.count(Severity::kWarning), 7U);
}

TEST(Npz, IsToldFromOtherZipFilesByItsNames) {
  EXPECT_TRUE(*is_npz(file_source(fixture("archives/stored.npz"))));
  EXPECT_FALSE(*is_npz(file_source(fixture("archives/stored.zip"))));
}

TEST(Npy, OfAnyVersionIsOneArray) {
  for (const char* name : {"version_2.npy", "version_3.npy"}) {
    const SourcePtr file = file_source(fixture("archives") / name);
    Diagnostics diagnostics;
    const auto checkpoint = read_npy(file, diagnostics);
    ASSERT_TRUE(checkpoint.ok());
    EXPECT_EQ(checkpoint->entries[0].key, std::string(name).substr(0, 9));
    EXPECT_EQ(described(checkpoint->entries[0]), "float64 [5]");
    EXPECT_EQ(checkpoint->entries[0].content.pieces()[0].source, file);
  }
}

// A version 1 file of this header and 24 bytes.
std::string diagnostics_of(const std::string& literal) {
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(literal.size());
  bytes += static_cast<char>(literal.size() >> 8);
  Diagnostics diagnostics;
  const auto checkpoint =
      read_npy(npz_file(bytes + literal + std::string(24, '\0'), "a.npy"), diagnostics);
  EXPECT_EQ(checkpoint->entries[0].key, "a");
  return described(checkpoint->entries[0]);
}

TEST(Npy, HeadersAreReadAsPythonReadsThem) {
  EXPECT_EQ(diagnostics_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n"),
            "float32 [2,3]");
  EXPECT_EQ(diagnostics_of("{\"shape\":(3,),\"fortran_order\":True,\"descr\":\"=i8\"}"),
            "int64 [3]");
  EXPECT_EQ(diagnostics_of("{ 'shape' : ( 2L , 3L ) , 'descr':'>u2', 'fortran_order':False}"),
            "uint16 [2,3]");
  EXPECT_EQ(diagnostics_of("{'descr':'|b1', 'fortran_order': False, 'shape': (), }"), "bool []");
  EXPECT_EQ(diagnostics_of("{'descr':[('a]', '<i4'), ('b', '<f4', (2,))], 'fortran_order': False, "
                           "'shape': (3,), }"),
            "unsupported-dtype");
}

TEST(Npy, HeadersThatAreNoneAreThatArraysFault) {
  for (const std::string& header : std::vector<std::string>{
           "", "{}", "{'descr': '<f4', 'shape': (2,)}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
           "{'descr': '<f4', 'fortran_order': False, 'other': 1, 'shape': (2,)}",
           "{'descr': [(((((((", "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}"}) {
    EXPECT_EQ(diagnostics_of(header), "bad-npy") << header;
  }
  EXPECT_EQ(
      diagnostics_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2305843009213693952, 4, "
                     "4)}"),
      "bad-shape");
  EXPECT_EQ(diagnostics_of("{'descr': '<q4', 'fortran_order': False, 'shape': (2,)}"),
            "unsupported-dtype");
}

TEST(Npy, FortransOrderWithRowsTooLongToHoldIsThatArraysFault) {
  const auto of_columns = [](int64_t columns) {
    Splice file(fresh(patched(write_npy_header("<f4", {false, {2, columns}}), 44, "True ")));
    file.append(repeated(fresh(std::string(1, '\0')), static_cast<uint64_t>(8 * columns)));
    Diagnostics diagnostics;
    return described(read_npy(std::make_shared<JoinedSource>(file), diagnostics)->entries[0]);
  };
  EXPECT_EQ(of_columns(1 << 26), "float32 [2,67108864]");
  EXPECT_EQ(of_columns((1 << 26) + 1), "unsupported-order");
}

TEST(Npy, HeadersAreWrittenAsNumpyWritesThem) {
  const std::string file = file_bytes(fixture("archives/stored.npz"));
  EXPECT_NE(file.find(write_npy_header("<f4", {false, {2, 3}})), std::string::npos);
  EXPECT_NE(file.find(write_npy_header("<f4", {})), std::string::npos);
  EXPECT_NE(file.find(write_npy_header("<i8", {false, {1}})), std::string::npos);
  EXPECT_EQ(write_npy_header("<f4", {false, {2, 3}}).size(), 128U);
}

TEST(Npz, WhatIsWrittenIsReadBack) {
  for (const char* name : {"stored.npz", "deflated.npz", "orders.npz"}) {
    const Checkpoint before = opened(name);
    Diagnostics diagnostics;
    const auto written = write_npz(before.entries, diagnostics);
    ASSERT_TRUE(written.ok());
    const Checkpoint after = opened(npz_file(*written->read_all()), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty());
    ASSERT_EQ(after.entries.size(), before.entries.size());
    for (const CheckpointEntry& each : before.entries) {
      EXPECT_EQ(described(*after.find(each.key)), described(each));
      EXPECT_EQ(content(after, each.key), content(before, each.key));
    }
  }
}

TEST(Npz, WhatNumpyHasNoNameForIsWrittenRawOrLeftOut) {
  Diagnostics diagnostics;
  const auto written = write_npz(
      {entry("b", DType::kBfloat16, {2}, "abcd"), entry("q", DType::kQint8, {1}, "e"),
       entry("s", DType::kString, {}, unhex("01 00000000 61")),
       entry(std::string("n\0", 2), DType::kInt8, {}, "f"), entry("\xFF", DType::kInt8, {}, "f")},
      diagnostics);
  ASSERT_TRUE(written.ok());
  ASSERT_EQ(diagnostics.all().size(), 2U);
  EXPECT_EQ(diagnostics.all()[0].code, "weights-left-out");
  EXPECT_EQ(diagnostics.all()[0].message,
            "3 tensors cannot be written to .npz: 's' (string), 'n\\x00' (int8), '\\xff' (int8)");
  EXPECT_EQ(diagnostics.all()[1].code, "raw-numbers");
  Diagnostics none;
  const Checkpoint after = opened(npz_file(*written->read_all()), none);
  ASSERT_EQ(after.entries.size(), 2U);
  EXPECT_EQ(described(after.entries[0]), "uint16 [2]");
  EXPECT_EQ(described(after.entries[1]), "int8 [1]");
  EXPECT_EQ(content(after, "b"), "abcd");
}

TEST(Npz, AnArrayIsAFileOfItsOwnWhereItsNameLeadsIntoTheFolder) {
  Diagnostics diagnostics;
  std::vector<CheckpointEntry> entries = {entry("net/w", DType::kInt8, {2}, "ab")};
  for (const char* name : {"../w", "/w", "a//w", "a/./w", "a\\w", "c:w", "", "a/"}) {
    entries.push_back(entry(name, DType::kInt8, {1}, "f"));
  }
  const auto files = write_npy_files(entries, diagnostics);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ((*files)[0].name, "net/w.npy");
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_TRUE(diagnostics.all()[0].message.starts_with("8 tensors cannot be written to .npy"));
  const auto read = read_npy(npz_file(*(*files)[0].content.read_all(), "w.npy"), diagnostics);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(described(read->entries[0]), "int8 [2]");
  EXPECT_EQ(content(*read, "w"), "ab");
}

TEST(Npz, AFaultOrAWrongSizeIsNotWritten) {
  Diagnostics diagnostics;
  CheckpointEntry missing = entry("a", DType::kInt8, {1}, "");
  EXPECT_EQ(write_npz({missing}, diagnostics).error().code, "bad-content");
  missing.fault = std::make_shared<Diagnostic>(*failure("missing-shard", "gone"));
  EXPECT_EQ(write_npz({missing}, diagnostics).error().code, "missing-shard");
}

TEST(Npz, EveryByteFlippedEndsInAResult) {
  for (const char* name : {"orders.npz", "deflated.npz"}) {
    const std::string bytes = file_bytes(fixture("archives") / name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      Diagnostics diagnostics;
      const std::string flipped(1, static_cast<char>(~bytes[at]));
      const auto checkpoint = read_npz(npz_file(patched(bytes, at, flipped)), diagnostics);
      if (!checkpoint) continue;
      for (const CheckpointEntry& each : checkpoint->entries) {
        if (each.content.size() < 10'000) (void)each.content.read_all().ok();
      }
    }
  }
}

// The same by the definition: element by element.
std::string transposed(const std::string& bytes, const std::vector<uint64_t>& dims,
                       uint64_t width) {
  const uint64_t count = bytes.size() / width;
  std::string out;
  for (uint64_t place = 0; place < count; ++place) {
    uint64_t rest = place;
    uint64_t from = 0;
    uint64_t product = count;
    for (size_t i = dims.size(); i-- > 0;) {
      product /= dims[i];
      from += rest % dims[i] * product;
      rest /= dims[i];
    }
    out += bytes.substr(static_cast<size_t>(from * width), static_cast<size_t>(width));
  }
  return out;
}

TEST(TransposedSource, ReadsRowsOfWhatIsStoredInColumns) {
  const std::vector<std::vector<uint64_t>> shapes = {
      {2, 3}, {3, 2}, {5, 7, 3}, {2, 1000}, {1000, 2}, {2, 2, 2, 2, 3}, {300, 40}};
  for (const auto& dims : shapes) {
    for (const uint32_t width : {1U, 4U, 16U}) {
      uint64_t count = width;
      for (const uint64_t dim : dims) count *= dim;
      const std::string bytes = compressible(static_cast<size_t>(count));
      const std::string expected = transposed(bytes, dims, width);
      for (const uint64_t memory_size : {uint64_t{1}, uint64_t{100}, uint64_t{1'000'000}}) {
        const TransposedSource source(fresh(bytes), dims, width, memory_size);
        ASSERT_EQ(read_all(source), expected);
        const size_t half = expected.size() / 2 + 1;
        ASSERT_EQ(read(source, half, half - 2), expected.substr(half, half - 2));
        ASSERT_EQ(read(source, 1, 1), expected.substr(1, 1));
      }
    }
  }
}

TEST(SwappedSource, TurnsEachNumberRound) {
  const std::string plain = compressible(200'000);
  for (const uint32_t width : {2U, 4U, 8U}) {
    std::string expected = plain;
    for (size_t i = 0; i < plain.size(); ++i)
      expected[i] = plain[i / width * width + width - 1 - i % width];
    const SwappedSource source(fresh(plain), width);
    EXPECT_EQ(read_all(source), expected);
    for (size_t at = 0; at < 20; ++at) {
      EXPECT_EQ(read(source, at, 70'000), expected.substr(at, 70'000));
      EXPECT_EQ(read(source, at, 1), expected.substr(at, 1));
    }
  }
}

}  // namespace
}  // namespace cryo
