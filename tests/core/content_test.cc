#include "tensor/content.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "proto/tensor.pb.h"
#include "tensor/strings.h"
#include "wire/cursor.h"
#include "wire/elide.h"

namespace cryo {
namespace {

using tensorflow::TensorProto;

// Counts what is read of it, so that a test can say "nothing".
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(std::string bytes) : bytes_(std::move(bytes), "weights.pb") {}
  const std::string& name() const override { return bytes_.name(); }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override {
    read_ += out.size();
    return bytes_.read(offset, out);
  }
  uint64_t taken() const { return std::exchange(read_, 0); }

 private:
  MemorySource bytes_;
  mutable uint64_t read_ = 0;
};

// A TensorProto as a model holds it: elided.
struct Elided {
  explicit Elided(const std::string& bytes) : source(std::make_shared<CountingSource>(bytes)) {
    Result<std::string> result =
        elide(whole(source), message_schema("tensorflow.TensorProto"), payloads);
    EXPECT_TRUE(result.ok());
    skeleton = *result;
    source->taken();
  }
  explicit Elided(const TensorProto& proto) : Elided(proto.SerializeAsString()) {}
  Result<Tensor> read() const { return read_tensor(skeleton, payloads); }

  std::shared_ptr<CountingSource> source;
  Payloads payloads;
  std::string skeleton;
};

TensorProto proto_of(DType dtype, const std::vector<int64_t>& dims) {
  TensorProto proto;
  proto.set_dtype(static_cast<tensorflow::DataType>(dtype));
  for (const int64_t size : dims) proto.mutable_tensor_shape()->add_dim()->set_size(size);
  return proto;
}

template <typename Value>
std::string code_of(const Result<Value>& result) {
  return result.ok() ? "no error" : result.error().code;
}

// All of a tensor's plain content; the code of the error where there is one.
std::string plain(const Result<Tensor>& tensor) {
  if (!tensor.ok()) return tensor.error().code;
  const Result<std::string> bytes = tensor->content.read_all();
  return bytes.ok() ? *bytes : bytes.error().code;
}

template <typename Number>
std::string raw(std::initializer_list<Number> values) {
  std::string out(values.size() * sizeof(Number), '\0');
  if (values.size() > 0) std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

std::string counting_bytes(size_t size) {
  std::string out(size, '\0');
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 131 + i / 256);
  return out;
}

std::vector<DType> fixed_types() {
  std::vector<DType> all;
  for (int number = 1; number <= 32; ++number) {
    if (find_dtype(number)->size > 0) all.push_back(static_cast<DType>(number));
  }
  return all;
}

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

TEST(ReadTensor, TensorContentIsItsPlainContentForEveryFixedType) {
  for (const DType dtype : fixed_types()) {
    for (const int64_t count : {1, 3, 1000}) {
      SCOPED_TRACE(dtype_name(dtype));
      TensorProto proto = proto_of(dtype, {count});
      const std::string bytes =
          dtype == DType::kBool
              ? std::string(static_cast<size_t>(count), '\1')
              : counting_bytes(static_cast<size_t>(count) * find_dtype(dtype)->size);
      proto.set_tensor_content(bytes);
      const Elided elided(proto);
      const Result<Tensor> tensor = elided.read();
      EXPECT_EQ(elided.source->taken(), 0U);
      ASSERT_EQ(plain(tensor), bytes);
      EXPECT_EQ(tensor->dtype, dtype);
      EXPECT_EQ(tensor->shape.dims, std::vector<int64_t>{count});
      EXPECT_EQ(tensor->count, static_cast<uint64_t>(count));
    }
  }
}

TEST(ReadTensor, ALongTensorContentIsTheFilesOwnSlice) {
  TensorProto proto = proto_of(DType::kFloat, {100});
  proto.set_tensor_content(counting_bytes(400));
  const Elided elided(proto);
  const Result<Tensor> tensor = elided.read();
  ASSERT_TRUE(tensor.ok());
  ASSERT_EQ(tensor->content.pieces().size(), 1U);
  EXPECT_EQ(tensor->content.pieces()[0].source, elided.source);
  EXPECT_EQ(tensor->content.pieces()[0].offset, elided.source->size() - 400);
}

TEST(ReadTensor, TypedListsAreExactShortLongOrEmptyForEveryFixedType) {
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

TEST(ReadTensor, LongListsOfExactlyItsValuesAreTheFilesOwnSlice) {
  for (const DType dtype : {DType::kFloat, DType::kDouble, DType::kComplex64, DType::kComplex128,
                            DType::kBool, DType::kFloat8E4m3fn}) {
    SCOPED_TRACE(dtype_name(dtype));
    std::string expected;
    const Elided elided(typed(dtype, 700, 700, expected));
    const Result<Tensor> tensor = elided.read();
    ASSERT_TRUE(tensor.ok());
    ASSERT_EQ(tensor->content.pieces().size(), 1U);
    EXPECT_EQ(tensor->content.pieces()[0].source, elided.source);
    EXPECT_LE(elided.source->taken(), 1U);  // whether a list of varints ends where one does
  }
}

TEST(ReadTensor, RecordsAndChunksCountInTheOrderOfTheFile) {
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

TEST(ReadTensor, MixedBulkOfVarintsIsJoinedInOrder) {
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

TEST(ReadTensor, FieldsOfAnotherWireTypeAreUnknownFields) {
  std::string bytes("\x08\x01\x12\x00", 4);
  put_varint_field(bytes, 5, 7);              // float_val as a varint
  bytes += std::string("\x0D\x02\0\0\0", 5);  // dtype as a fixed32
  EXPECT_EQ(plain(Elided(bytes).read()), raw({0.0F}));
}

TEST(ReadTensor, OddTailsOfComplexListsAreIgnored) {
  TensorProto proto = proto_of(DType::kComplex64, {2});
  for (const float value : {1.0F, 2.0F, 3.0F}) proto.add_scomplex_val(value);
  EXPECT_EQ(plain(Elided(proto).read()), raw({1.0F, 2.0F, 1.0F, 2.0F}));
}

TEST(ReadTensor, TensorContentGoesBeforeTypedLists) {
  TensorProto proto = proto_of(DType::kInt32, {1});
  proto.add_int_val(5);
  proto.set_tensor_content(raw({6}));
  EXPECT_EQ(plain(Elided(proto).read()), raw({6}));
}

TEST(ReadTensor, RepeatedFieldsFollowProtobuf) {
  TensorProto first = proto_of(DType::kInt32, {2});
  first.set_tensor_content(raw({1, 2, 3}));
  TensorProto second = proto_of(DType::kFloat, {3});
  second.set_tensor_content(counting_bytes(24));
  // The last dtype and content count, shapes are merged: [2] and [3] are [2,3].
  const Result<Tensor> tensor =
      Elided(first.SerializeAsString() + second.SerializeAsString()).read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->dtype, DType::kFloat);
  EXPECT_EQ(to_text(tensor->shape), "[2,3]");
  EXPECT_EQ(plain(tensor), counting_bytes(24));
}

TEST(ReadTensor, WithoutElementsContentsAreIgnored) {
  for (const DType dtype : fixed_types()) {
    TensorProto proto = proto_of(dtype, {3, 0});
    proto.set_tensor_content("anything");
    EXPECT_EQ(plain(Elided(proto).read()), "");
  }
}

TEST(ReadTensor, AHugeShapeWithOneValueTakesNoMemory) {
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
  TensorProto proto = proto_of(DType::kString, {kHuge});
  proto.add_string_val("ab");
  const Result<Tensor> tensor = Elided(proto).read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->content.size(), 3 * static_cast<uint64_t>(kHuge) + 4);
}

TEST(ReadTensor, TooManyBytesToCountAreRefused) {
  for (const DType dtype : {DType::kDouble, DType::kComplex128}) {
    TensorProto proto = proto_of(dtype, {std::numeric_limits<int64_t>::max()});
    EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
  }
  TensorProto proto = proto_of(DType::kString, {std::numeric_limits<int64_t>::max()});
  proto.add_string_val("a");
  EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
}

TEST(ReadTensor, FaultsSayWhatWasExpectedAndFound) {
  TensorProto proto = proto_of(DType::kFloat, {100});
  proto.set_tensor_content(counting_bytes(399));
  const Result<Tensor> tensor = Elided(proto).read();
  ASSERT_FALSE(tensor.ok());
  EXPECT_EQ(tensor.error().code, "bad-tensor");
  EXPECT_EQ(tensor.error().message, "expected 400 bytes of content for float32 [100]; found 399");
  EXPECT_EQ(tensor.error().where.file, "weights.pb");
}

TEST(ReadTensor, TypesWithoutAValueAreRefused) {
  for (const int number : {0, 33, 77, 101, 107, -5}) {
    EXPECT_EQ(code_of(Elided(proto_of(static_cast<DType>(number), {})).read()), "bad-dtype")
        << number;
  }
  for (const DType dtype : {DType::kResource, DType::kVariant}) {
    EXPECT_EQ(code_of(Elided(proto_of(dtype, {})).read()), "unsupported-dtype");
  }
}

TEST(ReadTensor, ShapesMustBeFullyDefined) {
  EXPECT_EQ(code_of(Elided(proto_of(DType::kFloat, {-1})).read()), "bad-shape");
  EXPECT_EQ(code_of(Elided(proto_of(DType::kFloat, {-2})).read()), "bad-shape");
  // TensorFlow does not look at unknown_rank here.
  TensorProto proto = proto_of(DType::kFloat, {});
  proto.mutable_tensor_shape()->set_unknown_rank(true);
  proto.add_float_val(1);
  EXPECT_EQ(plain(Elided(proto).read()), raw({1.0F}));
}

TEST(ReadTensor, BoolsInTensorContentAre0Or1) {
  TensorProto proto = proto_of(DType::kBool, {2});
  proto.set_tensor_content(std::string("\x01\x02", 2));
  EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
}

TEST(ReadTensor, ShortBoolListsAreWhatProtobufParses) {
  std::string bytes = "\x08\x0A\x12\x04\x12\x02\x08\x03";
  put_bytes_field(bytes, 11, std::string("\x80\x01\x00", 3));  // 128, 0: true, false; three bytes
  EXPECT_EQ(plain(Elided(bytes).read()), std::string("\x01\x00\x00", 3));
}

TEST(ReadTensor, MalformedMessagesAreRefused) {
  const std::string head = "\x08\x01\x12\x04\x12\x02\x08\x02";
  std::string odd = head;
  put_bytes_field(odd, 5, "12345");
  EXPECT_EQ(code_of(read_tensor(odd, Payloads())), "malformed-message");
  std::string open = "\x08\x03\x12\x04\x12\x02\x08\x02";
  put_bytes_field(open, 7, "\x01\x80");
  EXPECT_EQ(code_of(read_tensor(open, Payloads())), "malformed-message");
  std::string bulk = "\x08\x03\x12\x04\x12\x02\x08\x02";
  put_bytes_field(bulk, 7, std::string(300, '\x01') + "\x80");
  EXPECT_EQ(code_of(Elided(bulk).read()), "malformed-message");
  EXPECT_EQ(code_of(read_tensor("\x08", Payloads())), "malformed-message");
  EXPECT_EQ(code_of(read_tensor("\x08\x01\x12\x02\xFF\xFF", Payloads())), "malformed-message");
}

TEST(ReadTensor, EveryPrefixAndEveryFlippedByteEndsInAResult) {
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

// Plain strings as formats.md draws them.
std::string plain_strings(const std::vector<std::string>& strings) {
  std::string lengths;
  std::string fixed;
  std::string bytes;
  for (const std::string& each : strings) {
    put_varint(lengths, each.size());
    put_fixed32(fixed, static_cast<uint32_t>(each.size()));
    bytes += each;
  }
  put_fixed32(lengths, mask_crc(crc32c(fixed)));
  return lengths + bytes;
}

const std::vector<std::string> kStrings = {"ab",
                                           "",
                                           std::string(256, 'x'),
                                           std::string(257, 'y'),
                                           std::string("\0\xFF", 2),
                                           std::string(70000, 'y'),
                                           "z"};

TensorProto string_values(const std::vector<std::string>& strings, int64_t count) {
  TensorProto proto = proto_of(DType::kString, {count});
  for (const std::string& each : strings) proto.add_string_val(each);
  return proto;
}

std::string string_content(const std::vector<std::string>& strings) {
  std::string lengths;
  std::string bytes;
  for (const std::string& each : strings) {
    put_varint(lengths, each.size());
    bytes += each;
  }
  return lengths + bytes;
}

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
  EXPECT_EQ(elided.source->taken(), 0U);
}

TEST(ReadStrings, OfTensorContentReadsOnlyLengths) {
  std::vector<std::string> strings(3, std::string(1000000, 'w'));
  TensorProto proto = proto_of(DType::kString, {3});
  proto.set_tensor_content(string_content(strings));
  const Elided elided(proto);
  const Result<Tensor> tensor = elided.read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_LE(elided.source->taken(), 16U * 1024);
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

// What a Const holds, expanded, is what protobuf itself reads.
TensorProto expanded(const std::string& skeleton, const Payloads& payloads) {
  const auto spliced = expand(skeleton, message_schema("tensorflow.TensorProto"), payloads);
  TensorProto proto;
  EXPECT_TRUE(spliced.ok() && proto.ParseFromString(*spliced->read_all()));
  return proto;
}

TEST(ConstTensor, HangsTheContentOnItsSlicesUnreadForEveryFixedType) {
  for (const DType dtype : fixed_types()) {
    for (const int64_t count : {0, 1, 500}) {
      const std::string bytes =
          counting_bytes(static_cast<size_t>(count) * find_dtype(dtype)->size);
      const auto source = std::make_shared<CountingSource>(bytes);
      Payloads payloads;
      const auto skeleton = const_tensor(dtype, {false, {count}}, Splice(whole(source)), payloads);
      ASSERT_TRUE(skeleton.ok());
      EXPECT_EQ(source->taken(), 0U);
      EXPECT_EQ(payloads.size(), count > 0 ? 1U : 0U);
      const TensorProto proto = expanded(*skeleton, payloads);
      EXPECT_EQ(proto.dtype(), static_cast<int>(dtype));
      EXPECT_TRUE(proto.has_tensor_shape());
      EXPECT_EQ(proto.tensor_content(), bytes);
      if (dtype == DType::kBool) continue;  // the bytes are not bools
      EXPECT_EQ(plain(read_tensor(*skeleton, payloads)), bytes);
    }
  }
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
    // What elision would have left of it: the same bulk, and no more.
    Payloads again;
    const auto elided =
        elide(fresh(proto.SerializeAsString()), message_schema("tensorflow.TensorProto"), again);
    EXPECT_EQ(*elided, *skeleton);
  }
}

TEST(ConstTensor, ContentOfAnotherSizeIsRefused) {
  Payloads payloads;
  const Shape two{false, {2}};
  const auto code = [&](DType dtype, const Shape& shape, const std::string& content) {
    return code_of(const_tensor(dtype, shape, Splice(fresh(content)), payloads));
  };
  EXPECT_EQ(code(DType::kFloat, two, "1234567"), "bad-tensor");
  EXPECT_EQ(code(DType::kFloat, {false, {0}}, "1"), "bad-tensor");
  EXPECT_EQ(code(DType::kFloat, {false, {-1}}, "1234"), "bad-shape");
  EXPECT_EQ(code(make_ref(DType::kFloat), two, "12345678"), "bad-dtype");
  EXPECT_EQ(code(DType::kVariant, two, ""), "unsupported-dtype");
  EXPECT_EQ(code(DType::kString, two, ""), "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "1234a"),
            "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "1234abc"),
            "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "12"),
            "bad-tensor");
}

}  // namespace
}  // namespace cryo
