#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "counting_source.h"
#include "proto/tensor.pb.h"
#include "tensor/content.h"
#include "wire/elide.h"

namespace cryo {

using tensorflow::TensorProto;

// A TensorProto as a model holds it: elided.
struct Elided {
  explicit Elided(const std::string& bytes)
      : source(std::make_shared<CountingSource>(bytes, "weights.pb")) {
    Result<std::string> result =
        elide(whole(source), message_schema("tensorflow.TensorProto"), payloads);
    EXPECT_TRUE(result.ok());
    skeleton = *result;
    read_before_ = source->bytes_read();
  }
  explicit Elided(const TensorProto& proto) : Elided(proto.SerializeAsString()) {}
  Result<Tensor> read() const { return read_tensor(skeleton, payloads); }

  // Returns the number of bytes read since elision.
  uint64_t bytes_read() const { return source->bytes_read() - read_before_; }

  std::shared_ptr<CountingSource> source;
  Payloads payloads;
  std::string skeleton;

 private:
  uint64_t read_before_ = 0;
};

inline TensorProto proto_of(DType dtype, const std::vector<int64_t>& dims) {
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
inline std::string plain(const Result<Tensor>& tensor) {
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

inline std::string counting_bytes(size_t size) {
  std::string out(size, '\0');
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 131 + i / 256);
  return out;
}

inline std::vector<DType> fixed_types() {
  std::vector<DType> all;
  for (int number = 1; number <= 32; ++number) {
    if (find_dtype(number)->size > 0) all.push_back(static_cast<DType>(number));
  }
  return all;
}
// Plain strings as formats.md draws them.
inline std::string plain_strings(const std::vector<std::string>& strings) {
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

inline const std::vector<std::string> kStrings = {"ab",
                                                  "",
                                                  std::string(256, 'x'),
                                                  std::string(257, 'y'),
                                                  std::string("\0\xFF", 2),
                                                  std::string(70000, 'y'),
                                                  "z"};

inline TensorProto string_values(const std::vector<std::string>& strings, int64_t count) {
  TensorProto proto = proto_of(DType::kString, {count});
  for (const std::string& each : strings) proto.add_string_val(each);
  return proto;
}

inline std::string string_content(const std::vector<std::string>& strings) {
  std::string lengths;
  std::string bytes;
  for (const std::string& each : strings) {
    put_varint(lengths, each.size());
    bytes += each;
  }
  return lengths + bytes;
}
// Returns the value of a Const, expanded, as protobuf itself reads it.
inline TensorProto expanded(const std::string& skeleton, const Payloads& payloads) {
  const auto spliced = expand(skeleton, message_schema("tensorflow.TensorProto"), payloads);
  TensorProto proto;
  EXPECT_TRUE(spliced.ok() && proto.ParseFromString(*spliced->read_all()));
  return proto;
}

}  // namespace cryo
