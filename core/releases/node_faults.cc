#include "releases/node_faults.h"

#include <algorithm>

#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "graph/node_types.h"
#include "graph/roles.h"
#include "validate/graph/attrs.h"

namespace cryo {
namespace {

// Calls each(DType) for the types that an attribute names.
template <typename Each>
void each_type(const AttrValue& value, Each each) {
  if (value.kind() == AttrKind::kType) each(value.type());
  value.each_number(AttrKind::kType, [&](int64_t number) {
    each(static_cast<DType>(static_cast<int32_t>(number)));
  });
}

void check_value(const AttrDef& wanted, const AttrValue& value, std::vector<NodeFault>& faults) {
  if (value.kind() == AttrKind::kPlaceholder) return;
  auto fault = value_fault(value, wanted);
  if (!fault) fault = constraint_fault(value, wanted);
  if (fault) {
    faults.push_back({.attr = wanted.name, .why = std::move(fault->message)});
    return;
  }
  each_type(value, [&](DType type) {
    faults.push_back({.attr = wanted.name,
                      .why = cat("the type ", op_type_name(type), " of attribute '", wanted.name,
                                 "' is not known"),
                      .unknown_to = type});
  });
}

void check_unknown(const Node& node, const NodeAttrs& attrs, const OpDef* latest,
                   std::vector<NodeFault>& faults) {
  for (const std::string_view key : attrs.unknown()) {
    const bool by_default = latest != nullptr && is_default(node, key, *latest);
    faults.push_back({.attr = key,
                      .why = cat("the op has no attribute '", key, "'"),
                      .fix = by_default ? kFixByStripping : "",
                      .rule = &Release::refuses_unknown_attrs});
  }
}

// A missing attribute leaves the number of inputs unknown.
void check_counts(const Node& node, const NodeAttrs& attrs, std::vector<NodeFault>& faults) {
  std::vector<TypeRun> inputs;
  if (append_types(attrs.op().inputs, attrs, inputs)) return;
  const size_t given = count_data_inputs(node);
  if (given != size_of(inputs)) {
    faults.push_back(
        {.why = cat("the op takes ", plural(size_of(inputs), "input"), ", the node has ", given)});
  }
  std::vector<TypeRun> outputs;
  const auto shapes = attrs.internal("_output_shapes");
  if (!shapes || append_types(attrs.op().outputs, attrs, outputs)) return;
  if (AttrValue(*shapes).count(AttrKind::kShape) > size_of(outputs)) {
    faults.push_back({.attr = "_output_shapes",
                      .why = "attribute '_output_shapes' has more shapes than the op has outputs",
                      .rule = &Release::refuses_more_output_shapes});
  }
}

}  // namespace

NodeFault unknown_op(std::string_view op) {
  return {.why = "the op is not known", .fix = fix_of_op(op)};
}

bool is_default(const Node& node, std::string_view attr, const OpDef& op) {
  const int place = op.attr_index(attr);
  return place != kNoAttr &&
         op.attrs[static_cast<size_t>(place)].default_value == find_attr(node, attr);
}

NodeFault missing_attr(std::string_view attr) {
  return {.attr = attr, .why = cat("the op needs attribute '", attr, "'")};
}

NodeFault unknown_attr(std::string_view attr) {
  return {.attr = attr, .why = cat("the op has no attribute '", attr, "'"), .stops_loading = false};
}

NodeFault other_device() {
  return {.why = "it is placed on a device that a process with a CPU alone does not have",
          .fix = kFixByClearing,
          .stops_loading = false};
}

std::vector<NodeFault> node_faults(const Node& node, const NodeAttrs& attrs, const OpDef* latest,
                                   int producer) {
  std::vector<NodeFault> faults;
  const OpDef& op = attrs.op();
  check_unknown(node, attrs, latest, faults);
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    const int place = static_cast<int>(i);
    if (attrs.given(place)) {
      check_value(op.attrs[i], AttrValue(*attrs.get(place)), faults);
    } else if (!op.attrs[i].default_value) {
      faults.push_back(missing_attr(op.attrs[i].name));
    }
  }
  check_counts(node, attrs, faults);
  if (op.deprecation && producer >= op.deprecation->version) {
    faults.push_back({.why = cat("the op was removed in graph version ", op.deprecation->version),
                      .fix = fix_of_op(op.name)});
  }
  return faults;
}

std::optional<NodeFault> python_fault(const Node& node) {
  if (!calls_python(node.op)) return std::nullopt;
  return NodeFault{
      .why = "it calls a Python function that only the process which made the graph has",
      .stops_loading = false};
}

std::optional<NodeFault> kernel_fault(const Node& node, const NodeAttrs& attrs,
                                      const std::vector<AttrLimits>* kernels) {
  if (auto fault = python_fault(node)) return fault;
  const auto takes = [&](const AttrLimits& kernel) {
    return std::all_of(kernel.begin(), kernel.end(),
                       [&](const AttrLimit& limit) { return is_within(attrs, limit); });
  };
  if (kernels != nullptr && std::any_of(kernels->begin(), kernels->end(), takes)) {
    return std::nullopt;
  }
  return NodeFault{.why = "no kernel on the CPU takes its types",
                   .fix = fix_of_op(node.op),
                   .stops_loading = false};
}

std::string fix_of_op(std::string_view op) {
  if (op == "Assert" || op == "PrintV2") return kFixByDropping;
  if (is_call(op)) return kFixByForm;
  return is_functional_control_flow(op) ? kFixByLowering : "";
}

}  // namespace cryo
