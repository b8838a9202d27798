#include "formats/arrays/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_writer.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr size_t kHeaderAlignment = 8;

constexpr std::array<SafeType, 32> kSafeTypes = {{
    {"BOOL", 8, DType::kBool, false},
    {"F4", 4, DType::kInvalid, false},
    {"F6_E2M3", 6, DType::kInvalid, false},
    {"F6_E3M2", 6, DType::kInvalid, false},
    {"U8", 8, DType::kUint8, false},
    {"U8", 8, DType::kQuint8, true},
    {"U8", 8, DType::kUint4, true},
    {"U8", 8, DType::kUint2, true},
    {"U8", 8, DType::kFloat8E4m3b11fnuz, true},
    {"I8", 8, DType::kInt8, false},
    {"I8", 8, DType::kQint8, true},
    {"I8", 8, DType::kInt4, true},
    {"I8", 8, DType::kInt2, true},
    {"F8_E5M2", 8, DType::kFloat8E5m2, false},
    {"F8_E4M3", 8, DType::kFloat8E4m3fn, false},
    {"F8_E8M0", 8, DType::kInvalid, false},
    {"F8_E4M3FNUZ", 8, DType::kFloat8E4m3fnuz, false},
    {"F8_E5M2FNUZ", 8, DType::kFloat8E5m2fnuz, false},
    {"I16", 16, DType::kInt16, false},
    {"I16", 16, DType::kQint16, true},
    {"U16", 16, DType::kUint16, false},
    {"U16", 16, DType::kQuint16, true},
    {"F16", 16, DType::kHalf, false},
    {"BF16", 16, DType::kBfloat16, false},
    {"I32", 32, DType::kInt32, false},
    {"I32", 32, DType::kQint32, true},
    {"U32", 32, DType::kUint32, false},
    {"F32", 32, DType::kFloat, false},
    {"C64", 64, DType::kComplex64, false},
    {"F64", 64, DType::kDouble, false},
    {"I64", 64, DType::kInt64, false},
    {"U64", 64, DType::kUint64, false},
}};

Failure bad_header(std::string_view message) {
  return failure("bad-safetensors", message, {}, "the file is damaged: copy or download it again");
}

// Takes a header's events as the parser finds them: no tree of it is ever in memory. Every method
// returns whether to go on.
//
//     {  "name"  :  {  "dtype"  :  "F32"  ,  "shape"  :  [  2  ,  3  ]  ,  ...  }  ,  ...  }
//     kTop           kTensor                             kNumbers
class HeaderHandler final : public nlohmann::json_sax<Json> {
 public:
  std::vector<SafeTensor>& tensors() { return tensors_; }
  const std::string& fault() const { return fault_; }

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("a boolean"); }
  bool number_integer(number_integer_t) override { return scalar("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { return scalar("a fraction"); }
  bool binary(binary_t&) override { return scalar("bytes"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (at_ != kNumbers) return scalar("a number");
    if (field_ == kShape) {
      const bool fits = value <= uint64_t{std::numeric_limits<int64_t>::max()};
      if (!fits || current().shape.dims.size() == kMaxDims) return refuse("a shape too large");
      current().shape.dims.push_back(static_cast<int64_t>(value));
      return true;
    }
    if (offsets_ == 2) return refuse("more than two offsets");
    (offsets_++ == 0 ? current().begin : current().end) = value;
    return true;
  }

  bool string(string_t& value) override {
    if (at_ == kMetadataObject) return true;
    if (at_ != kTensor || field_ != kDtype) return scalar("text");
    current().dtype = std::move(value);
    return true;
  }

  bool start_object(size_t) override {
    if (at_ == kStart) return go(kTop);
    if (at_ == kTop && is_metadata_) return go(kMetadataObject);
    if (at_ == kTop) return go(kTensor);
    return open_unknown("an object");
  }

  bool start_array(size_t) override {
    if (at_ != kTensor || (field_ != kShape && field_ != kOffsets)) return open_unknown("a list");
    offsets_ = 0;
    return go(kNumbers);
  }

  bool key(string_t& name) override {
    if (unknown_depth_ > 0 || at_ == kMetadataObject) return true;
    if (at_ == kTensor) return take_field(name);
    is_metadata_ = name == kMetadata;
    if (is_metadata_) return !std::exchange(had_metadata_, true) || refuse("__metadata__ twice");
    tensors_.emplace_back();
    current().name = std::move(name);
    seen_ = 0;
    return true;
  }

  bool end_object() override {
    if (unknown_depth_ > 0) return close_unknown();
    if (at_ == kTop) return go(kEnd);
    constexpr unsigned kAll = 1U << kDtype | 1U << kShape | 1U << kOffsets;
    if (at_ == kTensor && (seen_ & kAll) != kAll) return refuse("a field missing");
    return go(kTop);
  }

  bool end_array() override {
    if (unknown_depth_ > 0) return close_unknown();
    if (field_ == kOffsets && offsets_ != 2) return refuse("fewer than two offsets");
    return go(kTensor);
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    fault_ = cat("expected a header in JSON; found something else ", position, " bytes into it");
    return false;
  }

 private:
  enum State { kStart, kTop, kMetadataObject, kTensor, kNumbers, kEnd };
  enum Field : unsigned { kDtype, kShape, kOffsets, kUnknown };

  SafeTensor& current() { return tensors_.back(); }

  bool go(State state) {
    at_ = state;
    return true;
  }

  bool refuse(std::string_view found) {
    if (at_ == kMetadataObject) {
      fault_ = cat("expected text in __metadata__; found ", found);
      return false;
    }
    const std::string of = tensors_.empty() ? "" : current().name;
    fault_ = cat("expected {\"dtype\", \"shape\", \"data_offsets\"} of each tensor; found ", found,
                 ", at ", cryo::quoted(of));
    return false;
  }

  bool take_field(std::string_view name) {
    field_ = name == "dtype"          ? kDtype
             : name == "shape"        ? kShape
             : name == "data_offsets" ? kOffsets
                                      : kUnknown;
    const unsigned bit = 1U << field_;
    if (field_ != kUnknown && (seen_ & bit) != 0) return refuse("a field twice");
    seen_ |= bit;
    return true;
  }

  // Unknown properties of a tensor, which later versions of safetensors may add, are skipped.
  bool in_unknown() const { return at_ == kTensor && field_ == kUnknown; }
  bool scalar(std::string_view found) { return in_unknown() || refuse(found); }
  bool open_unknown(std::string_view found) {
    if (!in_unknown()) return refuse(found);
    ++unknown_depth_;
    return true;
  }
  bool close_unknown() {
    --unknown_depth_;
    return true;
  }

  std::vector<SafeTensor> tensors_;
  std::string fault_;
  State at_ = kStart;
  Field field_ = kUnknown;
  unsigned seen_ = 0;     // fields of the current tensor, a bit each
  unsigned offsets_ = 0;  // of the current tensor, so far
  size_t unknown_depth_ = 0;
  bool is_metadata_ = false;
  bool had_metadata_ = false;
};

Status check_names(const std::vector<SafeTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const SafeTensor& tensor : tensors) names.push_back(tensor.name);
  sort(names);
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return Unit{};
  return bad_header(cat("expected each name once; found two tensors named ", quoted(*twice)));
}

}  // namespace

const SafeType* find_safe_type(std::string_view name) {
  for (const SafeType& type : kSafeTypes) {
    if (type.name == name && !type.raw) return &type;
  }
  return nullptr;
}

const SafeType* find_safe_type(DType dtype) {
  for (const SafeType& type : kSafeTypes) {
    if (type.dtype == dtype && dtype != DType::kInvalid) return &type;
  }
  return nullptr;
}

size_t safe_rank(const SafeType& type) {
  return static_cast<size_t>(find_safe_type(type.name) - kSafeTypes.data());
}

Result<std::vector<SafeTensor>> parse_safetensors_header(std::string_view json) {
  HeaderHandler handler;
  if (!json.starts_with('{')) return bad_header("expected a header that begins with {");
  nlohmann::json_sax<Json>* events = &handler;  // one parser for all handlers
  if (!Json::sax_parse(json.data(), json.data() + json.size(), events)) {
    return bad_header(handler.fault());
  }
  CHECK_OK(check_names(handler.tensors()));
  return std::move(handler.tensors());
}

std::string safetensors_header(const std::vector<SafeTensor>& tensors) {
  JsonWriter json;
  json.begin_object();
  for (const SafeTensor& tensor : tensors) {
    json.key(tensor.name);
    json.object("dtype", tensor.dtype, "shape", tensor.shape.dims, "data_offsets",
                std::array{tensor.begin, tensor.end});
  }
  json.end_object();
  std::string out = json.take();
  out.resize((out.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  return out;
}

}  // namespace cryo
