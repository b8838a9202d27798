#include "commands/diff_report.h"

#include <cmath>

#include "passes/diff/model_difference.h"

namespace cryo {
namespace {

Json report_of(const NodePlace& place) {
  Json item = {{"name", place.name}};
  if (!place.function.empty()) item["function"] = place.function;
  return item;
}

Json report_of(const std::vector<NodePlace>& places) {
  Json list = Json::array();
  for (const NodePlace& place : places) list.push_back(report_of(place));
  return list;
}

Json report_of(const NodeChange& change) {
  Json item = report_of(change.place);
  if (!change.op_a.empty()) item["op"] = Json::array({change.op_a, change.op_b});
  if (change.inputs) item["inputs"] = Json::array({Json(change.inputs_a), Json(change.inputs_b)});
  if (!change.attrs.empty()) item["attrs"] = change.attrs;
  if (change.device) item["device"] = true;
  return item;
}

Json report_of(const NameChanges& changes) {
  return {{"added", changes.added}, {"removed", changes.removed}, {"changed", changes.changed}};
}

Json report_of(const StructureDifference& structure) {
  Json changed = Json::array();
  for (const NodeChange& change : structure.changed) changed.push_back(report_of(change));
  return {{"equal", structure.equal()},
          {"added", report_of(structure.added)},
          {"removed", report_of(structure.removed)},
          {"changed", std::move(changed)},
          {"functions", report_of(structure.functions)},
          {"signatures", report_of(structure.signatures)}};
}

// JSON has no infinity.
Json number_json(double number) { return std::isinf(number) ? Json("infinity") : Json(number); }

// The place of an element: 7 of [2,5] -> [1,2].
Json position(uint64_t index, const Shape& shape) {
  std::vector<uint64_t> place(shape.dims.size());
  for (size_t i = place.size(); i-- > 0;) {
    const auto dim = static_cast<uint64_t>(shape.dims[i]);
    place[i] = index % dim;
    index /= dim;
  }
  return place;
}

Json report_of(const ComparedWeight& weight) {
  Json item = {
      {"name", weight.name}, {"dtype", dtype_name(weight.dtype)}, {"shape", to_json(weight.shape)}};
  if (weight.other != weight.name) {
    item["other"] = weight.other;
    item["why"] = weight.why;
  }
  if (!weight.difference) {
    item["otherDtype"] = dtype_name(weight.other_dtype);
    item["otherShape"] = to_json(weight.other_shape);
    return item;
  }
  const Difference& difference = *weight.difference;
  if (difference.count == 0) return item;
  item["elements"] = to_json(weight.elements);
  item["count"] = to_json(difference.count);
  item["firstIndex"] = to_json(difference.first);
  item["firstPosition"] = position(difference.first, weight.shape);
  item["largestAbsolute"] = number_json(difference.largest);
  item["largestRelative"] = number_json(difference.relative);
  item["nans"] = to_json(difference.nans);
  return item;
}

Json report_of(const std::vector<ComparedWeight>& weights) {
  Json list = Json::array();
  for (const ComparedWeight& weight : weights) list.push_back(report_of(weight));
  return list;
}

}  // namespace

Outcome run_diff(const Model& model, const Options& options, const Diagnostics& opening) {
  const Model& other = *options.other();
  Diagnostics diagnostics = opening;
  const auto found = diff(model, other, options.diff, diagnostics);
  if (!found) return cannot("diff", model.name, found.error(), diagnostics);
  const ExitStatus verdict = found->equal() ? kDone : kNo;
  Outcome outcome{new_report("diff", model.name, diagnostics), found->damaged ? kCannot : verdict};
  Json& report = outcome.report;
  report["other"] = other.name;
  report["equal"] = found->equal() && !found->damaged;
  report["structure"] = found->structure ? report_of(*found->structure) : Json(nullptr);
  report["weights"] = {{"equal", report_of(found->weights.equal)},
                       {"differing", report_of(found->weights.differing)},
                       {"missing", found->weights.missing},
                       {"extra", found->weights.extra}};
  return outcome;
}

}  // namespace cryo
