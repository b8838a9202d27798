#include "formats/tflite/tflite_constants.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "bytes/joined_source.h"
#include "bytes/slice_source.h"
#include "formats/tflite/sparse_source.h"
#include "formats/tflite/tflite_schema.h"
#include "tensor/number.h"
#include "tensor/strings.h"
#include "tensor/views/converted_source.h"
#include "tensor/views/dequantized_source.h"
#include "tensor/views/repeated_source.h"
#include "tensor/views/transposed_source.h"

namespace cryo {
namespace {

constexpr std::string_view kGetAgain = "get the model again from its source";

uint32_t bits_of(int32_t type) {
  if (type == tflite::Type::kINT4 || type == tflite::Type::kUINT4) return 4;
  if (type == tflite::Type::kINT2) return 2;
  return 8 * find_dtype(dtype_of_tflite(type))->size;
}

// A content that cannot be read, of the size that the tensor has in the graph.
Splice faulty(const TfliteTensor& tensor, uint64_t size, std::string_view code,
              std::string_view message, Diagnostics& diagnostics) {
  Failure why = failure(code, message, {.tensor = tensor.name}, kGetAgain);
  Diagnostic warning = *why;
  warning.severity = Severity::kWarning;
  diagnostics.add(std::move(warning));
  return size == 0 ? Splice() : Splice(fault_slice(*why, size));
}

// n, the n + 1 places where strings begin and end, their bytes. All is read but the bytes.
Result<Splice> string_content(const Slice& stored, uint64_t count, std::string_view name) {
  const auto bad = [&](std::string_view message) {
    return failure("bad-tflite", cat("expected the strings of ", quoted(name), "; ", message),
                   {.file = stored.source->name(), .offset = stored.offset}, kGetAgain);
  };
  const uint64_t head = 4 * (count + 2);
  if (count > stored.size / 4 || head > stored.size) return bad("found too few bytes");
  TRY(table, Splice(stored).sub(0, head).read_all());
  std::string lengths;
  uint64_t at = head;
  if (get_fixed32(table.data()) != count) return bad("found another number of strings");
  for (uint64_t i = 0; i <= count; ++i) {
    const uint64_t next = get_fixed32(table.data() + 4 * (i + 1));
    if (i == 0 ? next != head : next < at || next > stored.size) return bad("found other places");
    if (i > 0) put_varint(lengths, next - at);
    at = next;
  }
  Splice content(fresh(std::move(lengths)));
  content.append(Splice(stored).sub(head, at - head));
  return strings_of_content(content, count);
}

// The scales of blocks are a tensor of their own, often of float16.
std::optional<BlockScales> blocks_of(const TfliteQuantization& by, const TfliteSubgraph& graph,
                                     uint64_t count) {
  const auto place = static_cast<size_t>(by.block_scales);
  const auto block = static_cast<uint64_t>(by.block);
  if (by.block_scales < 0 || place >= graph.tensors.size() || by.block_zeros >= 0) return {};
  const TfliteTensor& scales = graph.tensors[place];
  const DType dtype = dtype_of_tflite(scales.type);
  if (!is_number(dtype) || scales.content.source == nullptr || count % block != 0) return {};
  if (scales.content.size != count / block * find_dtype(dtype)->size) return {};
  return BlockScales{scales.content, dtype, block};
}

std::optional<Dequantization> dequantization_of(const TfliteTensor& tensor) {
  const TfliteQuantization& by = tensor.quantization;
  Dequantization made{by.scales, by.zero_points};
  if (made.scales.size() == 1) return made;
  const auto axis = static_cast<size_t>(by.axis);
  const std::vector<int64_t>& dims = tensor.shape.dims;
  if (by.axis < 0 || axis >= dims.size()) return {};
  if (dims[axis] != static_cast<int64_t>(made.scales.size())) return {};
  for (size_t i = axis + 1; i < dims.size(); ++i) made.inner *= static_cast<uint64_t>(dims[i]);
  made.inner = std::max<uint64_t>(made.inner, 1);
  return made;
}

Splice real_content(const TfliteTensor& tensor, const TfliteSubgraph& graph, Slice stored,
                    uint64_t count, Diagnostics& diagnostics) {
  const DType dtype = dtype_of_tflite(tensor.type);
  if (tensor.quantization.block > 0) {
    const auto by = blocks_of(tensor.quantization, graph, count);
    if (by) return Splice(dequantized_blocks(std::move(stored), dtype, *by));
  } else if (const auto by = dequantization_of(tensor)) {
    return Splice(dequantized(std::move(stored), dtype, *by));
  }
  return faulty(
      tensor, 4 * count, "bad-tflite",
      cat("expected the scales of ", quoted(tensor.name), " by channel or block; found others"),
      diagnostics);
}

}  // namespace

bool is_quantized(const TfliteTensor& tensor) {
  return tensor.quantization.exists() && is_number(dtype_of_tflite(tensor.type)) &&
         !is_floating(dtype_of_tflite(tensor.type));
}

DType graph_type(const TfliteTensor& tensor) {
  return is_quantized(tensor) ? DType::kFloat : dtype_of_tflite(tensor.type);
}

Result<Tensor> constant_tensor(const TfliteTensor& tensor, const TfliteSubgraph& graph,
                               Diagnostics& diagnostics) {
  Tensor made{graph_type(tensor), tensor.shape};
  TRY(count, element_count(tensor.shape));
  made.count = count;
  if (count == 0) return made;
  if (made.dtype == DType::kString) {
    TRY(strings, string_content(tensor.content, count, tensor.name));
    made.content = std::move(strings);
    return made;
  }
  const uint64_t size = count * find_dtype(made.dtype)->size;
  if (!tensor.external.empty()) {
    made.content = faulty(tensor, size, "missing-weight",
                          cat("the content of ", quoted(tensor.name), " is in the file ",
                              quoted(tensor.external), ", which is not read"),
                          diagnostics);
    return made;
  }
  Slice stored = tensor.content;
  const uint32_t bits = bits_of(tensor.type);
  if (tensor.sparsity) {
    auto expanded = expanded_sparse(tensor, bits / 8);
    if (!expanded) return std::move(expanded).failure();
    stored = std::move(*expanded);
  }
  if (bits == 0 || stored.size != (count * bits + 7) / 8) {
    made.content = faulty(tensor, size, "bad-tflite",
                          cat("expected ", (count * bits + 7) / 8, " bytes of ",
                              quoted(tensor.name), " by its type and shape; found ", stored.size),
                          diagnostics);
    return made;
  }
  if (bits < 8) {
    stored = unpacked(stored, count, bits, tensor.type != tflite::Type::kUINT4);
  }
  made.content = is_quantized(tensor)
                     ? real_content(tensor, graph, std::move(stored), count, diagnostics)
                     : Splice(std::move(stored));
  return made;
}

Tensor zeros_of(const TfliteTensor& tensor) {
  Tensor made{graph_type(tensor), tensor.shape};
  made.count = element_count(tensor.shape).ok() ? *element_count(tensor.shape) : 0;
  const DTypeInfo* type = find_dtype(made.dtype);
  if (made.count > 0 && type->size > 0) {
    made.content.append(repeated(fresh(std::string(type->size, '\0')), made.count));
  }
  return made;
}

std::optional<Tensor> transposed(const Tensor& tensor, const std::vector<int64_t>& permutation) {
  const std::vector<int64_t>& dims = tensor.shape.dims;
  const DTypeInfo* type = find_dtype(tensor.dtype);
  if (permutation.size() != dims.size() || tensor.count == 0 || type->size == 0) return {};
  // first | moved | passed | last  ->  first | passed | moved | last
  size_t first = 0;
  while (first < dims.size() && permutation[first] == static_cast<int64_t>(first)) ++first;
  if (first == dims.size()) return tensor;
  const auto moved = static_cast<size_t>(permutation[first]);
  size_t end = first;
  while (end < dims.size() && permutation[end] == static_cast<int64_t>(end - first + moved)) ++end;
  const size_t passed = end;  // in the permutation
  size_t last = passed;
  while (last < dims.size() && permutation[last] == static_cast<int64_t>(last - passed + first)) {
    ++last;
  }
  if (moved <= first || passed - first + moved != last) return {};
  for (size_t i = last; i < dims.size(); ++i) {
    if (permutation[i] != static_cast<int64_t>(i)) return {};
  }
  const auto product = [&](size_t from, size_t to) {
    uint64_t size = 1;
    for (size_t i = from; i < to; ++i) size *= static_cast<uint64_t>(dims[i]);
    return size;
  };
  constexpr uint64_t kMostPieces = 4096;
  const uint64_t rows = product(moved, last);
  const uint64_t columns = product(first, moved);
  const uint64_t width = product(last, dims.size()) * type->size;
  const uint64_t pieces = product(0, first);
  if (pieces > kMostPieces || columns * width > TransposedSource::kMaxRow) return {};
  Tensor made{tensor.dtype, {}, tensor.count};
  for (const int64_t axis : permutation) {
    made.shape.dims.push_back(dims[static_cast<size_t>(axis)]);
  }
  for (uint64_t i = 0; i < pieces; ++i) {
    const uint64_t size = rows * columns * width;
    Slice piece = as_slice(tensor.content.sub(i * size, size));
    const std::vector<uint64_t> by_columns = {rows, columns};
    made.content.append(whole(std::make_shared<const TransposedSource>(
        std::move(piece), by_columns, static_cast<uint32_t>(width))));
  }
  return made;
}

std::optional<Tensor> reshaped(const Tensor& tensor, const std::vector<int64_t>& dims) {
  Tensor made = tensor;
  made.shape.dims = dims;
  const auto count = static_cast<int64_t>(tensor.count);
  int64_t known = 1;
  for (const int64_t size : dims) {
    if (size < -1 || (size > 0 && known > count / size)) return {};
    if (size >= 0) known *= size;
  }
  const auto open = std::find(made.shape.dims.begin(), made.shape.dims.end(), -1);
  if (open != made.shape.dims.end()) {
    if (known == 0) return {};
    *open = count / known;
  }
  const Result<uint64_t> elements = element_count(made.shape);
  return elements && *elements == tensor.count ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<Tensor> cast(const Tensor& tensor, DType to) {
  const ElementConversion conversion{.from = tensor.dtype, .via = to, .to = to};
  if (tensor.count == 0 || !is_convertible(conversion) || !is_floating(tensor.dtype)) return {};
  return Tensor{to, tensor.shape, tensor.count, Splice(converted(tensor.content, conversion))};
}

}  // namespace cryo
