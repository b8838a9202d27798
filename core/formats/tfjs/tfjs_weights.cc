#include "formats/tfjs/tfjs_weights.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "bytes/joined_source.h"
#include "bytes/slice_source.h"
#include "bytes/splice_cutter.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/forward_reader.h"

namespace cryo {
namespace {

// So that no sum of two sizes overflows.
constexpr uint64_t kMaxSize = uint64_t{1} << 61;
constexpr uint64_t kLengthSize = 4;  // of a string
constexpr std::string_view kDamaged = "get the model's files again, all of one conversion";

Failure bad_manifest(std::string_view message) {
  return failure("bad-weights-manifest", message, {}, kDamaged);
}

uint64_t stored_size(const TfjsWeight& weight) {
  return weight.count * find_dtype(weight.stored.from)->size;
}

Result<DType> read_dtype(const JsonValue& name, const std::string& weight) {
  const DTypeInfo* type = find_dtype(name.text());
  if (type == nullptr || is_ref(type->dtype) ||
      (type->size == 0 && type->dtype != DType::kString)) {
    return bad_manifest(cat("the weight ", quoted(weight), " has the type ", quoted(name.text()),
                            ", which TensorFlow.js does not have"));
  }
  return type->dtype;
}

// {"dtype": "uint8", "scale": 0.1, "min": -1}, or {"dtype": "float16"}
Status read_quantization(const JsonValue& json, TfjsWeight& weight) {
  if (!json.is_object()) return Unit{};
  TRY(dtype, read_dtype(json.find("dtype"), weight.name));
  weight.stored.from = dtype;
  weight.stored.scale = json.find("scale").number().value_or(1);
  weight.stored.min = json.find("min").number().value_or(0);
  const bool known = dtype == DType::kUint8 || dtype == DType::kUint16 || dtype == DType::kHalf;
  if (known && is_convertible(weight.stored)) return Unit{};
  return bad_manifest(cat("the weight ", quoted(weight.name), " is ", dtype_name(weight.dtype),
                          " quantized as ", dtype_name(dtype), ", which TensorFlow.js is not"));
}

Result<TfjsWeight> read_entry(const JsonValue& json) {
  TfjsWeight weight;
  weight.name = json.find("name").text();
  if (!json.find("name").is_string()) return bad_manifest("a weight without a name");
  TRY(dtype, read_dtype(json.find("dtype"), weight.name));
  weight.dtype = dtype;
  for (JsonItems dims(json.find("shape")); dims.next();) {
    const std::optional<int64_t> dim = dims.value().int64();
    if (!dim || *dim < 0 || weight.shape.dims.size() == kMaxDims) {
      return bad_manifest(cat("the weight ", quoted(weight.name), " has no shape of known sizes"));
    }
    weight.shape.dims.push_back(*dim);
  }
  TRY(count, element_count(weight.shape));
  weight.count = count;
  if (count > kMaxSize / 16) {
    return bad_manifest(cat("the weight ", quoted(weight.name), " says it is ",
                            to_text(weight.shape), ": no file is so large"));
  }
  weight.stored.from = weight.stored.via = weight.stored.to = weight.dtype;
  CHECK_OK(read_quantization(json.find("quantization"), weight));
  weight.entry = json_of(json);
  return weight;
}

// Takes the weights of one group off its files' bytes.
class Group {
 public:
  Group(TfjsManifest& all, FindFile find, const std::string& file, Diagnostics& diagnostics)
      : all_(all), find_(find), file_(file), diagnostics_(diagnostics) {}

  Status read(const JsonValue& group);

 private:
  Status read_entries(const JsonValue& entries);
  void join_shards(const JsonValue& paths);
  Splice take(uint64_t size);
  Status take_strings(TfjsWeight& weight);
  Result<bool> pass_strings(uint64_t count);
  Diagnostic report(Diagnostic why);

  TfjsManifest& all_;
  FindFile find_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<TfjsWeight> weights_;
  uint64_t needed_ = 0;      // bytes
  bool needs_known_ = true;  // false if there are strings
  SpliceCutter stream_;
  bool ended_ = false;                    // ended early: after truncated strings the rest is lost
  std::optional<ForwardReader> lengths_;  // of strings, read off the same bytes
  std::optional<Diagnostic> cut_;         // the reason for the early end
};

Status Group::read_entries(const JsonValue& entries) {
  for (JsonItems items(entries); items.next();) {
    TRY(weight, read_entry(items.value()));
    if (weight.dtype == DType::kString) {
      needs_known_ = needs_known_ && weight.count == 0;
    } else {
      needed_ += stored_size(weight);
    }
    if (needed_ > kMaxSize) return bad_manifest("the weights of a group are 2^61 bytes and more");
    weights_.push_back(std::move(weight));
  }
  return Unit{};
}

// Puts it down as a warning, and gives it back.
Diagnostic Group::report(Diagnostic why) {
  Diagnostic warning = why;
  warning.severity = Severity::kWarning;
  diagnostics_.add(std::move(warning));
  return why;
}

// Joins the shards. The size of a missing file follows from the total if it is the only missing
// one. Otherwise everything after it is missing, too.
void Group::join_shards(const JsonValue& paths) {
  std::vector<SourcePtr> shards;
  uint64_t present = 0;
  size_t missing = 0;
  for (JsonItems items(paths); items.next();) {
    const std::string path(items.value().text());
    shards.push_back(find_(path));
    all_.paths.push_back(path);
    all_.shards.push_back(shards.back());
    if (shards.back() != nullptr) {
      present += shards.back()->size();
      continue;
    }
    ++missing;
    const Diagnostic why = report(
        *failure("missing-shard", cat("the weights' file ", quoted(path), " is missing"),
                 {.file = cat(folder_of(file_), path)}, "give it together with the model.json"));
    if (!cut_) cut_ = why;
  }
  const bool fills = missing == 1 && needs_known_ && needed_ >= present;
  Splice stream;
  for (const SourcePtr& shard : shards) {
    if (shard == nullptr && !fills) break;
    if (shard != nullptr) {
      stream.append(whole(shard));
    } else if (needed_ > present) {
      stream.append(fault_slice(*cut_, needed_ - present));
    }
  }
  lengths_.emplace(as_slice(stream));
  stream_ = SpliceCutter(std::move(stream));
}

Splice Group::take(uint64_t size) {
  const uint64_t there = ended_ ? 0 : std::min(size, stream_.left());
  Splice taken = stream_.take(there);
  if (there == size) return taken;
  if (!cut_) {
    cut_ = report(*failure("weights-cut-short",
                           cat("expected ", needed_, " bytes of weights or more; found ",
                               stream_.position() + stream_.left()),
                           {.file = file_}, kDamaged));
  }
  taken.append(fault_slice(*cut_, size - there));
  return taken;
}

// Takes so many strings off `lengths_`; false if they exceed the stream.
Result<bool> Group::pass_strings(uint64_t count) {
  lengths_->skip(stream_.position() - lengths_->position());
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view length = lengths_->peek(kLengthSize);
    if (!lengths_->ok()) return lengths_->error();
    if (length.size() < kLengthSize) return false;
    const uint64_t size = get_fixed32(length.data());
    if (kLengthSize + size > lengths_->left()) return false;
    lengths_->skip(kLengthSize + size);
  }
  return true;
}

// Takes the strings of a weight. Only their lengths determine where they end.
Status Group::take_strings(TfjsWeight& weight) {
  Result<bool> whole = ended_ ? Result<bool>(false) : pass_strings(weight.count);
  if (whole && *whole) {
    weight.content = take(lengths_->position() - stream_.position());
    return Unit{};
  }
  if (!whole && whole.error().code != "missing-shard") return std::move(whole).failure();
  if (!whole) cut_ = whole.error();
  if (!cut_) {
    cut_ =
        *failure("weights-cut-short",
                 cat("the strings of ", quoted(weight.name), " reach past the end of the weights"),
                 {.file = file_, .tensor = weight.name}, kDamaged);
    report(*cut_);
  }
  ended_ = true;
  weight.content = Splice(fault_slice(*cut_, 1));
  return Unit{};
}

Status Group::read(const JsonValue& group) {
  if (!group.is_object()) return bad_manifest("expected a list of groups of weights");
  CHECK_OK(read_entries(group.find("weights")));
  join_shards(group.find("paths"));
  for (TfjsWeight& weight : weights_) {
    if (weight.dtype == DType::kString) {
      if (weight.count > 0) CHECK_OK(take_strings(weight));
    } else {
      weight.content = take(stored_size(weight));
    }
    all_.weights.push_back(std::move(weight));
  }
  return Unit{};
}

// The string_val of a TensorProto.
Result<std::string> string_records(const TfjsWeight& weight, Payloads& payloads) {
  std::string records;
  if (weight.count == 0) return records;
  ForwardReader window(as_slice(weight.content));
  for (uint64_t i = 0; i < weight.count; ++i) {
    const std::string_view length = window.peek(kLengthSize);
    // Only a fault is shorter than the lengths that were read before.
    if (!window.ok() || length.size() < kLengthSize) {
      records.clear();
      put_varint_field(records, kPayloadField,
                       payloads.add(make_payload(fields::TensorProto::kStringVal, weight.content)));
      return records;
    }
    const uint64_t size = get_fixed32(length.data());
    window.skip(kLengthSize);
    if (size > kBulkTensorBytes) {
      const Splice body = weight.content.sub(window.position(), size);
      put_varint_field(records, kPayloadField,
                       payloads.add(make_payload(fields::TensorProto::kStringVal, body)));
    } else {
      const std::string_view ahead = window.peek(size);
      if (!window.ok()) return window.error();
      put_bytes_field(records, fields::TensorProto::kStringVal,
                      ahead.substr(0, static_cast<size_t>(size)));
    }
    window.skip(size);
  }
  return records;
}

Result<std::string> string_tensor(const TfjsWeight& weight, Payloads& payloads) {
  std::string tensor;
  put_varint_field(tensor, fields::TensorProto::kDtype, static_cast<uint64_t>(DType::kString));
  put_bytes_field(tensor, fields::TensorProto::kTensorShape, shape_message(weight.shape));
  TRY(records, string_records(weight, payloads));
  return tensor + records;
}

}  // namespace

Result<TfjsManifest> read_tfjs_manifest(const JsonValue& manifest, FindFile find,
                                        const std::string& file, Diagnostics& diagnostics) {
  TfjsManifest all;
  for (JsonItems groups(manifest); groups.next();) {
    Status read = Group(all, find, file, diagnostics).read(groups.value());
    if (read) continue;
    Diagnostic error = read.error();
    if (error.where.file.empty()) error.where.file = file;
    return error;
  }
  return all;
}

Result<std::string> tensor_of_weight(const TfjsWeight& weight, DType dtype, Payloads& payloads) {
  if (weight.dtype == DType::kString && dtype == DType::kString) {
    return string_tensor(weight, payloads);
  }
  if (dtype == weight.stored.from && !weight.is_quantized()) {
    return const_tensor(dtype, weight.shape, weight.content, payloads);
  }
  ElementConversion conversion = weight.stored;
  conversion.to = dtype;
  const DTypeInfo* type = find_dtype(dtype);
  Splice content;
  if (is_convertible(conversion)) {
    content.append(converted(weight.content, conversion));
  } else if (type != nullptr && weight.count > 0) {
    const Failure why =
        failure("bad-weight-type",
                cat("the weight ", quoted(weight.name), " is stored as ", dtype_name(weight.dtype),
                    " and its node is of type ", dtype_name(dtype)),
                {.tensor = weight.name}, kDamaged);
    content.append(fault_slice(*why, std::max<uint64_t>(weight.count * type->size, 1)));
  }
  return const_tensor(dtype, weight.shape, content, payloads);
}

}  // namespace cryo
