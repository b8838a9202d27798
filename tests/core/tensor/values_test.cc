#include "tensor/values.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "bytes/coding.h"
#include "tensor_protos.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// Entry `i` of the typed list of a tensor, and what it is as plain bytes: an element or, for
// complex types, half of one.
std::string add_value(TensorProto& proto, uint64_t i) {
  const DTypeInfo& type = *find_dtype(static_cast<int>(proto.dtype()));
  const auto number = static_cast<int32_t>(i * 37 + 1);
  std::string bytes;
  switch (type.field) {
    case 5:
      proto.add_float_val(static_cast<float>(number) / 8);
      return raw({static_cast<float>(number) / 8});
    case 9:
      proto.add_scomplex_val(static_cast<float>(number) / 8);
      return raw({static_cast<float>(number) / 8});
    case 6:
      proto.add_double_val(number / 8.0);
      return raw({number / 8.0});
    case 12:
      proto.add_dcomplex_val(number / 8.0);
      return raw({number / 8.0});
    case 18:
      *proto.mutable_float8_val() += static_cast<char>(number);
      return raw({static_cast<char>(number)});
    case 11:
      proto.add_bool_val(i % 3 == 0);
      return raw({i % 3 == 0});
    case 7:
      proto.add_int_val(-number);
      put_fixed64(bytes, static_cast<uint64_t>(int64_t{-number}));
      break;
    case 10:
      proto.add_int64_val(-number);
      put_fixed64(bytes, static_cast<uint64_t>(int64_t{-number}));
      break;
    case 13:
      proto.add_half_val(number & 0xFFFF);
      put_fixed64(bytes, static_cast<uint64_t>(number & 0xFFFF));
      break;
    case 16:
      proto.add_uint32_val(static_cast<uint32_t>(number) << 8);
      put_fixed64(bytes, static_cast<uint64_t>(number) << 8);
      break;
    case 17:
      proto.add_uint64_val(static_cast<uint64_t>(number) << 40);
      put_fixed64(bytes, static_cast<uint64_t>(number) << 40);
      break;
    default:
      ADD_FAILURE() << type.name;
  }
  return bytes.substr(0, type.size);
}

uint64_t entries_per_element(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128 ? 2 : 1;
}

// A tensor of `count` elements of which the list holds `given`; `expected` is its plain content by
// TensorFlow's rules.
TensorProto typed(DType dtype, uint64_t count, uint64_t given, std::string& expected) {
  TensorProto proto = proto_of(dtype, {static_cast<int64_t>(count)});
  const uint32_t size = find_dtype(dtype)->size;
  expected.clear();
  for (uint64_t i = 0; i < given * entries_per_element(dtype); ++i) expected += add_value(proto, i);
  const std::string last =
      given > 0 ? expected.substr(expected.size() - size) : std::string(size, '\0');
  while (expected.size() < count * size) expected += last;
  expected.resize(count * size);
  return proto;
}

TEST(ReadValues, TypedListsAreExactShortLongOrEmptyForEveryFixedType) {
  for (const DType dtype : fixed_types()) {
    for (const auto& [count, given] : std::map<uint64_t, std::vector<uint64_t>>{
             {1, {0, 1, 2, 600}}, {3, {0, 1, 2, 3, 4}}, {700, {0, 1, 500, 699, 700, 701}}}) {
      for (const uint64_t values : given) {
        SCOPED_TRACE(dtype_name(dtype) + " " + std::to_string(values) + " of " +
                     std::to_string(count));
        std::string expected;
        const TensorProto proto = typed(dtype, count, values, expected);
        EXPECT_EQ(plain(Elided(proto).read()), expected);
        // The same without elision: values inline.
        EXPECT_EQ(plain(read_tensor(proto.SerializeAsString(), Payloads())), expected);
      }
    }
  }
}

TEST(ReadValues, LongListsOfExactlyItsValuesAreTheFilesOwnSlice) {
  for (const DType dtype : {DType::kFloat, DType::kDouble, DType::kComplex64, DType::kComplex128,
                            DType::kBool, DType::kFloat8E4m3fn}) {
    SCOPED_TRACE(dtype_name(dtype));
    std::string expected;
    const Elided elided(typed(dtype, 700, 700, expected));
    const Result<Tensor> tensor = elided.read();
    ASSERT_TRUE(tensor.ok());
    ASSERT_EQ(tensor->content.pieces().size(), 1U);
    EXPECT_EQ(tensor->content.pieces()[0].source, elided.source);
    EXPECT_LE(elided.bytes_read(), 1U);  // to see if the list ends at the end of a varint
  }
}

TEST(ReadValues, RecordsAndChunksCountInTheOrderOfTheFile) {
  // float_val: 1 (record), [2, 3] (chunk), 4 (record), 100 times 5 (bulk), 6 (record)
  std::string bytes = "\x08\x01\x12\x04\x12\x02\x08\x69";
  const auto record = [&](float value) { bytes += "\x2D" + raw({value}); };
  const auto chunk = [&](const std::string& values) { put_bytes_field(bytes, 5, values); };
  std::string fives;
  for (int i = 0; i < 100; ++i) fives += raw({5.0F});
  record(1);
  chunk(raw({2.0F, 3.0F}));
  record(4);
  chunk(fives);
  record(6);
  EXPECT_EQ(plain(Elided(bytes).read()), raw({1.0F, 2.0F, 3.0F, 4.0F}) + fives + raw({6.0F}));

  // int_val in the same mixture, of uint16
  std::string mixed = "\x08\x11\x12\x04\x12\x02\x08\x05";
  put_varint_field(mixed, 7, 300);
  put_bytes_field(mixed, 7, std::string("\x02\xFF\xFF\x03", 4));
  put_varint_field(mixed, 7, 4);
  EXPECT_EQ(plain(Elided(mixed).read()), raw<uint16_t>({300, 2, 0xFFFF, 4, 4}));
}

TEST(ReadValues, MixedBulkOfVarintsIsJoinedInOrder) {
  std::string bytes = "\x08\x03\x12\x05\x12\x03\x08\xD8\x04";  // int32 [600]
  std::string expected;
  for (int chunk = 0; chunk < 2; ++chunk) {
    std::string values;
    for (uint32_t i = 0; i < 299; ++i) {
      put_varint(values, i + static_cast<uint32_t>(chunk) * 100000);
      put_fixed32(expected, i + static_cast<uint32_t>(chunk) * 100000);
    }
    put_bytes_field(bytes, 7, values);
    put_varint_field(bytes, 7, 77);
    put_fixed32(expected, 77);
  }
  EXPECT_EQ(plain(Elided(bytes).read()), expected);
}

TEST(ReadValues, OddTailsOfComplexListsAreIgnored) {
  TensorProto proto = proto_of(DType::kComplex64, {2});
  for (const float value : {1.0F, 2.0F, 3.0F}) proto.add_scomplex_val(value);
  EXPECT_EQ(plain(Elided(proto).read()), raw({1.0F, 2.0F, 1.0F, 2.0F}));
}

TEST(ReadValues, ShortBoolListsAreWhatProtobufParses) {
  std::string bytes = "\x08\x0A\x12\x04\x12\x02\x08\x03";
  put_bytes_field(bytes, 11, std::string("\x80\x01\x00", 3));  // 128, 0: true, false; three bytes
  EXPECT_EQ(plain(Elided(bytes).read()), std::string("\x01\x00\x00", 3));
}

TEST(ReadValues, AHugeShapeWithOneValueTakesNoMemory) {
  constexpr int64_t kHuge = int64_t{1} << 58;
  for (const DType dtype :
       {DType::kFloat, DType::kInt32, DType::kBool, DType::kHalf, DType::kComplex64}) {
    std::string expected;
    TensorProto proto = typed(dtype, 1, 1, expected);
    proto.mutable_tensor_shape()->mutable_dim(0)->set_size(kHuge);
    const Result<Tensor> tensor = Elided(proto).read();
    ASSERT_TRUE(tensor.ok());
    ASSERT_EQ(tensor->content.size(), static_cast<uint64_t>(kHuge) * expected.size());
    const Splice tail =
        tensor->content.sub(tensor->content.size() - expected.size(), expected.size());
    EXPECT_EQ(*tail.read_all(), expected);
  }
}

TEST(ReadValues, EveryPrefixAndEveryFlippedByteEndsInAResult) {
  for (const DType dtype :
       {DType::kInt32, DType::kFloat, DType::kBool, DType::kComplex64, DType::kString}) {
    std::string ignored;
    TensorProto proto =
        dtype == DType::kString ? proto_of(dtype, {3}) : typed(dtype, 300, 290, ignored);
    if (dtype == DType::kString) proto.add_string_val(std::string(300, 'x'));
    const std::string bytes = proto.SerializeAsString();
    std::vector<std::string> damaged;
    for (size_t i = 0; i < bytes.size(); ++i) {
      damaged.push_back(bytes.substr(0, i));
      for (const char mask : {'\x01', '\x10', '\x80', '\xFF'}) {
        damaged.push_back(bytes);
        damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ mask);
      }
    }
    for (const std::string& each : damaged) {
      Payloads payloads;
      const auto skeleton = elide(fresh(each), message_schema("tensorflow.TensorProto"), payloads);
      if (!skeleton.ok()) continue;
      const Result<Tensor> tensor = read_tensor(*skeleton, payloads);
      if (tensor.ok() && tensor->content.size() < 100000) (void)tensor->content.read_all();
    }
  }
}

}  // namespace
}  // namespace cryo
