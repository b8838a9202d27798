#include "tensor/strings.h"

#include <gtest/gtest.h>

#include <string>

#include "tensor_protos.h"

namespace cryo {
namespace {

TEST(ReadStrings, AreTheDocumentedBytes) {
  EXPECT_EQ(plain(Elided(string_values({"ab", ""}, 2)).read()),
            std::string("\x02\x00\x78\x27\x0B\x34\x61\x62", 8));
  EXPECT_EQ(plain(Elided(string_values({""}, 1)).read()), std::string("\x00\xA6\x7B\x11\x3A", 5));
  EXPECT_EQ(plain(Elided(string_values({}, 0)).read()), "\xD8\xEA\x82\xA2");
}

TEST(ReadStrings, OfValuesAreExactShortLongOrEmpty) {
  const Elided exact(string_values(kStrings, 7));
  EXPECT_EQ(plain(exact.read()), plain_strings(kStrings));
  EXPECT_EQ(plain(Elided(string_values(kStrings, 2)).read()), plain_strings({"ab", ""}));
  std::vector<std::string> longer = kStrings;
  longer.insert(longer.end(), 5, "z");
  EXPECT_EQ(plain(Elided(string_values(kStrings, 12)).read()), plain_strings(longer));
  const std::string big(1000, 'b');
  EXPECT_EQ(plain(Elided(string_values({"a", big}, 4)).read()),
            plain_strings({"a", big, big, big}));
  EXPECT_EQ(plain(Elided(string_values({}, 3)).read()), plain_strings({"", "", ""}));
}

TEST(ReadStrings, TheChecksumOfRepeatedLengthsIsThatOfThemWrittenOut) {
  for (const size_t more : {1U, 2U, 3U, 1000U, 4097U}) {
    std::vector<std::string> all = {"a"};
    all.insert(all.end(), more, "bc");
    EXPECT_EQ(plain(Elided(string_values({"a", "bc"}, static_cast<int64_t>(more) + 1)).read()),
              plain_strings(all));
  }
}

TEST(ReadStrings, OfValuesReadsNoBulk) {
  const Elided elided(string_values(kStrings, 9));
  ASSERT_TRUE(elided.read().ok());
  EXPECT_EQ(elided.bytes_read(), 0U);
}

TEST(ReadStrings, OfTensorContentReadsOnlyLengths) {
  std::vector<std::string> strings(3, std::string(1000000, 'w'));
  TensorProto proto = proto_of(DType::kString, {3});
  proto.set_tensor_content(string_content(strings));
  const Elided elided(proto);
  const Result<Tensor> tensor = elided.read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_LE(elided.bytes_read(), 16U * 1024);
  EXPECT_EQ(plain(tensor), plain_strings(strings));
}

TEST(ReadStrings, OfTensorContentMustBeExactlyTheShapesStrings) {
  for (const int64_t count : {6, 8, 1000000}) {
    TensorProto proto = proto_of(DType::kString, {count});
    proto.set_tensor_content(string_content(kStrings));
    EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor") << count;
  }
  TensorProto proto = proto_of(DType::kString, {2});
  proto.set_tensor_content(
      "\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
      "a");
  EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
}

TEST(ReadStrings, AHugeShapeWithOneStringTakesNoMemory) {
  constexpr int64_t kHuge = int64_t{1} << 58;
  TensorProto proto = proto_of(DType::kString, {kHuge});
  proto.add_string_val("ab");
  const Result<Tensor> tensor = Elided(proto).read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->content.size(), 3 * static_cast<uint64_t>(kHuge) + 4);
}

TEST(ConstTensor, OfStringsIsReadBackWithoutChange) {
  for (const auto& strings : {kStrings, std::vector<std::string>{}, std::vector<std::string>{""}}) {
    Payloads payloads;
    const Shape shape{false, {static_cast<int64_t>(strings.size())}};
    const auto skeleton =
        const_tensor(DType::kString, shape, Splice(fresh(plain_strings(strings))), payloads);
    ASSERT_TRUE(skeleton.ok());
    const TensorProto proto = expanded(*skeleton, payloads);
    EXPECT_EQ(std::vector<std::string>(proto.string_val().begin(), proto.string_val().end()),
              strings);
    EXPECT_EQ(plain(read_tensor(*skeleton, payloads)), plain_strings(strings));
    // Elision would leave the same: the same bulk, and no more.
    Payloads again;
    const auto elided =
        elide(fresh(proto.SerializeAsString()), message_schema("tensorflow.TensorProto"), again);
    EXPECT_EQ(*elided, *skeleton);
  }
}

}  // namespace
}  // namespace cryo
