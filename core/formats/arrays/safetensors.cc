#include "formats/arrays/safetensors.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "formats/arrays/export.h"
#include "formats/arrays/safetensors_header.h"

namespace cryo {
namespace {

constexpr size_t kLengthSize = 8;
constexpr uint64_t kMaxHeader = 100'000'000;  // as in format.md
constexpr std::string_view kReserved = "__metadata__";

Failure bad_file(const ByteSource& file, uint64_t offset, std::string_view message) {
  return failure("bad-safetensors", message, {.file = file.name(), .offset = offset},
                 "the file is damaged or incomplete: copy or download it again");
}

Result<std::string> read_header(const ByteSource& file) {
  char length[kLengthSize];
  if (file.size() < kLengthSize) return bad_file(file, 0, "expected a header; found no length");
  CHECK_OK(read_exactly(file, 0, length));
  const uint64_t size = get_fixed64(length);
  if (size > kMaxHeader) {
    return failure("too-large",
                   cat("expected a header of at most 100 MB; found one of ", size, " bytes"),
                   {.file = file.name(), .offset = 0}, "this is no safetensors file");
  }
  if (size > file.size() - kLengthSize) {
    return bad_file(file, 0,
                    cat("expected a header of ", size, " bytes; found that the file has ",
                        file.size() - kLengthSize));
  }
  std::string header(static_cast<size_t>(size), '\0');
  CHECK_OK(read_exactly(file, kLengthSize, {header.data(), header.size()}));
  return header;
}

// Checks that each tensor begins at the end of the previous one, and that the last one ends with
// the file.
Status check_places(const ByteSource& file, uint64_t data, const std::vector<SafeTensor>& tensors) {
  std::vector<const SafeTensor*> in_order;
  for (const SafeTensor& tensor : tensors) in_order.push_back(&tensor);
  sort(in_order, [](const SafeTensor* a, const SafeTensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t at = 0;
  const uint64_t size = file.size() - data;
  for (const SafeTensor* tensor : in_order) {
    if (tensor->begin != at || tensor->end < at || tensor->end > size) {
      return bad_file(
          file, data + std::min(at, size),
          cat("expected the bytes of ", quoted(tensor->name), " at ", at,
              ", inside of the file; found them from ", tensor->begin, " to ", tensor->end));
    }
    at = tensor->end;
  }
  if (at == size) return Unit{};
  return bad_file(file, data + at,
                  cat("expected that the tensors fill the file; found ", size - at, " more bytes"));
}

// Do the bytes have the size that the type and the shape ask for?
Status check_size(const ByteSource& file, const SafeTensor& tensor, const SafeType& type) {
  const Result<uint64_t> count = element_count(tensor.shape);
  if (count && *count <= ~uint64_t{0} / type.bits && *count * type.bits % 8 == 0 &&
      *count * type.bits / 8 == tensor.end - tensor.begin) {
    return Unit{};
  }
  return bad_file(file, kLengthSize,
                  cat("expected the bytes of ", type.name, " ", to_text(tensor.shape), " for ",
                      quoted(tensor.name), "; found ", tensor.end - tensor.begin));
}

Result<CheckpointEntry> make_entry(const SourcePtr& file, uint64_t data, SafeTensor& tensor,
                                   Diagnostics& diagnostics) {
  CheckpointEntry entry;
  const SafeType* type = find_safe_type(tensor.dtype);
  if (type != nullptr) CHECK_OK(check_size(*file, tensor, *type));
  entry.key = std::move(tensor.name);
  entry.shape = std::move(tensor.shape);
  entry.bytes = tensor.end - tensor.begin;
  if (type != nullptr && type->dtype != DType::kInvalid) {
    entry.dtype = type->dtype;
    entry.content.append({file, data + tensor.begin, entry.bytes});
    return entry;
  }
  Diagnostic fault =
      *failure("unsupported-dtype",
               cat("expected numbers of a type that TensorFlow has; found ", quoted(tensor.dtype)),
               {.file = file->name(), .tensor = entry.key}, "save the tensor as another type");
  fault.severity = Severity::kWarning;
  diagnostics.add(fault);
  fault.severity = Severity::kError;
  entry.fault = std::make_shared<Diagnostic>(std::move(fault));
  return entry;
}

}  // namespace

bool looks_like_safetensors(std::string_view head, uint64_t size) {
  if (head.size() <= kLengthSize || head[kLengthSize] != '{') return false;
  const uint64_t header = get_fixed64(head.data());
  return header <= kMaxHeader && header <= size - kLengthSize;
}

Result<Checkpoint> read_safetensors(const SourcePtr& file, Diagnostics& diagnostics) {
  TRY(header, read_header(*file));
  auto parsed = parse_safetensors_header(header);
  if (!parsed) return bad_file(*file, kLengthSize, parsed.error().message);
  const uint64_t data = kLengthSize + header.size();
  CHECK_OK(check_places(*file, data, *parsed));
  Checkpoint checkpoint;
  checkpoint.prefix = file->name();
  for (SafeTensor& tensor : *parsed) {
    TRY(entry, make_entry(file, data, tensor, diagnostics));
    checkpoint.entries.push_back(std::move(entry));
  }
  sort(checkpoint.entries,
       [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return checkpoint;
}

Result<Splice> write_safetensors(const std::vector<CheckpointEntry>& entries,
                                 Diagnostics& diagnostics) {
  const auto takes = [](const CheckpointEntry& entry) {
    return find_safe_type(entry.dtype) != nullptr && entry.key != kReserved;
  };
  TRY(taken, to_export(entries, ".safetensors", takes, diagnostics));
  sort(taken, [](const CheckpointEntry* a, const CheckpointEntry* b) {
    const size_t rank_a = safe_rank(*find_safe_type(a->dtype));
    const size_t rank_b = safe_rank(*find_safe_type(b->dtype));
    return rank_a != rank_b ? rank_a > rank_b : a->key < b->key;
  });
  std::vector<SafeTensor> tensors;
  std::vector<const CheckpointEntry*> raw;
  Splice data;
  for (const CheckpointEntry* entry : taken) {
    const SafeType& type = *find_safe_type(entry->dtype);
    if (type.raw) raw.push_back(entry);
    const uint64_t begin = data.size();
    data.append(entry->content);
    tensors.push_back({entry->key, std::string(type.name), entry->shape, begin, data.size()});
  }
  warn_of_raw(raw, ".safetensors", diagnostics);
  std::string head;
  const std::string header = safetensors_header(tensors);
  if (header.size() > kMaxHeader) {
    return failure("too-large", "expected names and shapes of at most 100 MB in all; found more",
                   {}, "write a checkpoint");
  }
  put_fixed64(head, header.size());
  Splice out(fresh(head + header));
  out.append(data);
  return out;
}

}  // namespace cryo
