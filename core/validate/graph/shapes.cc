#include "validate/graph/shapes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/utf8.h"
#include "tensor/shape.h"
#include "validate/graph/attrs.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// The attributes that TensorFlow's shape functions read as shapes (found by giving each op of
// TensorFlow 2.21 a shape [-2,2]), by op.
struct ShapeAttr {
  std::string_view op;
  std::string_view attr;
  bool defined = false;
};
constexpr auto kReadByImport = std::to_array<ShapeAttr>({
    {"AccumulateNV2", "shape"},
    {"AnonymousMutableDenseHashTable", "value_shape"},
    {"AnonymousMutableHashTableOfTensors", "value_shape"},
    {"Case", "output_shapes"},
    {"CollectiveBcastRecv", "shape"},
    {"CollectiveBcastSend", "shape"},
    {"DTensorRestoreV2", "input_shapes"},
    {"DatasetToSingleElement", "output_shapes"},
    {"EnsureShape", "shape"},
    {"FakeParam", "shape"},
    {"GetElementAtIndex", "output_shapes"},
    {"If", "output_shapes"},
    {"ImmutableConst", "shape"},
    {"InfeedDequeue", "shape"},
    {"InfeedDequeueTuple", "shapes"},
    {"IteratorGetNext", "output_shapes"},
    {"IteratorGetNextSync", "output_shapes"},
    {"MapDefun", "output_shapes"},
    {"MultiDeviceIteratorGetNextFromShard", "output_shapes"},
    {"MutableDenseHashTableV2", "value_shape"},
    {"MutableHashTableOfTensorsV2", "value_shape"},
    {"OptionalGetValue", "output_shapes"},
    {"OutfeedDequeue", "shape"},
    {"OutfeedDequeueTuple", "shapes"},
    {"OutfeedDequeueV2", "shape"},
    {"ParallelConcat", "shape"},
    {"ParseExample", "dense_shapes"},
    {"ParseExampleV2", "dense_shapes"},
    {"ParseSequenceExampleV2", "context_dense_shapes", true},
    {"ParseSequenceExampleV2", "feature_list_dense_shapes", true},
    {"ParseSingleExample", "dense_shapes"},
    {"ParseSingleSequenceExample", "context_dense_shapes", true},
    {"ParseSingleSequenceExample", "feature_list_dense_shapes", true},
    {"Placeholder", "shape"},
    {"PlaceholderV2", "shape"},
    {"PlaceholderWithDefault", "shape"},
    {"ReduceDataset", "output_shapes"},
    {"StatelessCase", "output_shapes"},
    {"StatelessIf", "output_shapes"},
    {"StatelessWhile", "output_shapes"},
    {"TPUDummyInput", "shape", true},
    {"TemporaryVariable", "shape"},
    {"TensorArrayV3", "element_shape"},
    {"TensorListConcat", "element_shape"},
    {"UncompressElement", "output_shapes"},
    {"VarHandleOp", "shape"},
    {"Variable", "shape"},
    {"VariableV2", "shape"},
    {"While", "output_shapes"},
    {"XlaCallModule", "Sout"},
    {"XlaCustomCall", "shape", true},
    {"XlaCustomCallV2", "result_shapes", true},
    {"XlaRecv", "shape", true},
    {"XlaRecvFromHost", "shape"},
    {"XlaSpmdShardToFullShape", "full_shape", true},
});

const ShapeAttr* read_by_import(std::string_view op, std::string_view attr) {
  auto row =
      std::lower_bound(kReadByImport.begin(), kReadByImport.end(), op,
                       [](const ShapeAttr& a, std::string_view name) { return a.op < name; });
  for (; row != kReadByImport.end() && row->op == op; ++row) {
    if (row->attr == attr) return &*row;
  }
  return nullptr;
}

int64_t dim_size(std::string_view dim) {
  int64_t size = 0;
  for (WireCursor cursor(dim); cursor.next();) {
    if (cursor.field().number == fields::TensorShapeProto::Dim::kSize)
      size = static_cast<int64_t>(cursor.field().value);
  }
  return size;
}

Shape read_shape(std::string_view proto) {
  Shape shape;
  for (WireCursor cursor(proto); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TensorShapeProto::kDim && field.type == WireType::kBytes) {
      shape.dims.push_back(dim_size(field.bytes));
    }
    if (field.number == fields::TensorShapeProto::kUnknownRank)
      shape.unknown_rank = field.value != 0;
  }
  return shape;
}

// "[2,?]", of many dimensions the first.
std::string shown(Shape shape) {
  constexpr size_t kMax = 16;
  if (shape.dims.size() <= kMax) return to_text(shape);
  shape.dims.resize(kMax);
  std::string text = to_text(shape);
  text.pop_back();
  return text + ",...]";
}

// Returns true if the product of the sizes fits int64_t. TensorFlow stops multiplying at an unknown
// size, and so does this.
bool fits(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t size : shape.dims) {
    if (size == kUnknownDim) return true;
    if (size != 0 && product > std::numeric_limits<int64_t>::max() / size) return false;
    product *= size;
  }
  return true;
}

}  // namespace

std::optional<std::string> shape_fault(std::string_view tensor_shape_proto, bool defined) {
  const Shape shape = read_shape(tensor_shape_proto);
  if (shape.unknown_rank && !defined) {
    if (shape.dims.empty()) return std::nullopt;
    return "An unknown shape must not have any dimensions set.";
  }
  if (shape.dims.size() > static_cast<size_t>(kMaxDims)) {
    return cat("Shape ", shown(shape), " has too many dimensions");
  }
  for (const int64_t size : shape.dims) {
    if (size >= (defined ? 0 : kUnknownDim)) continue;
    if (defined) return cat("Shape ", shown(shape), " is not fully defined");
    return cat("Shape ", shown(shape),
               " has dimensions with values below -1 (where -1 means unknown)");
  }
  if (fits(shape)) return std::nullopt;
  return cat("Shape ", shown(shape), " is too large (more than 2**63 - 1 entries)");
}

void stays_placeholder(const GraphPlace& spot, const Reporter& reporter) {
  reporter.error("attr-wrong-kind", spot,
                 "AttrValue had value with unexpected type 'placeholder' for ", quoted(spot.node));
}

void check_shape_attrs(const Node& node, const NodeAttrs& attrs, const Reporter& reporter) {
  for (size_t i = 0; i < attrs.op().attrs.size(); ++i) {
    const AttrDef& def = attrs.op().attrs[i];
    const int place = static_cast<int>(i);
    if (def.type.kind != AttrKind::kShape || !attrs.given(place)) continue;
    const ShapeAttr* read = read_by_import(node.op, def.name);
    const GraphPlace spot{.node = node.name, .attr = def.name};
    const auto check = [&](std::string_view shape) {
      const auto fault = shape_fault(shape, read && read->defined);
      if (fault && read) reporter.error("bad-shape", spot, *fault, " for ", quoted(node.name));
      if (fault && !read) reporter.warning("bad-shape", spot, *fault);
    };
    const AttrValue value(*attrs.get(place));
    if (read && value.kind() == AttrKind::kPlaceholder) stays_placeholder(spot, reporter);
    if (value.kind() == AttrKind::kShape) check(value.bytes());
    value.each_bytes(AttrKind::kShape, check);
  }
}

void check_output_shapes(const Node& node, const NodeAttrs& attrs, uint64_t outputs,
                         const Reporter& reporter) {
  const auto attr = attrs.internal("_output_shapes");
  if (!attr) return;
  const AttrValue value(*attr);
  const AttrDef wanted{"_output_shapes", "list(shape)", {AttrKind::kShape, true}};
  if (value_fault(value, wanted)) return;  // TensorFlow passes over it
  const GraphPlace spot{.node = node.name, .attr = "_output_shapes", .fixable = true};
  const uint64_t shapes = value.count(AttrKind::kShape);
  if (shapes < outputs) {
    reporter.error("output-shapes-count", spot, "Node ", quoted(node.name), " has ", outputs,
                   " outputs but the _output_shapes attribute specifies shapes for ", shapes,
                   " outputs");
    return;
  }
  uint64_t index = 0;
  value.each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    const auto fault = index < outputs ? shape_fault(shape, false) : std::nullopt;
    if (fault) {
      reporter.error("output-shapes-invalid", spot, "Node ", quoted(node.name),
                     " has an invalid _output_shapes attribute (shape #", index, " error:'", *fault,
                     "')");
    }
    ++index;
  });
}

}  // namespace cryo
