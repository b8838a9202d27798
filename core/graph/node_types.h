#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/node_attrs.h"
#include "graph/op_registry.h"

namespace cryo {

// Tensors of one type in a row, as part of a list of types: [{float, 2}, {int32, 3}] is float,
// float, int32. A node may have 2^31 outputs by one attribute, so types are never spelled out.
struct TypeRun {
  DType type = DType::kInvalid;
  uint32_t end = 0;  // the place after the run's last; stops at 2^32 - 1
};

uint64_t size_of(std::span<const TypeRun> types);

// nullopt if there is no such position.
std::optional<DType> type_at(std::span<const TypeRun> types, uint64_t place);

// "float, int32": as TensorFlow lists types; only the first of many.
std::string to_text(std::span<const TypeRun> types);

// Why an argument has no types.
struct TypesFault {
  enum class Why { kMissing, kNotANumber, kTooMany, kNegative, kRefOfRef, kMalformed };
  Why why = Why::kMalformed;
  int attr = kNoAttr;  // the place of the attribute at fault
  int64_t number = 0;  // its value
};

// The types of a node's inputs or outputs: expands number_attr, type_attr, type_list_attr and
// references, as TensorFlow's InOutTypesForNode does. Appends to `types`, up to the argument at
// fault.
std::optional<TypesFault> append_types(const std::vector<ArgDef>& args, const NodeAttrs& attrs,
                                       std::vector<TypeRun>& types);
std::optional<TypesFault> append_types(const ArgDef& arg, const NodeAttrs& attrs,
                                       std::vector<TypeRun>& types);

// Returns the type of one output of a node of a main graph; nullopt if the op is not known or has
// no such output.
std::optional<DType> output_type(const Node& node, uint32_t port, const OpRegistry& ops);

}  // namespace cryo
