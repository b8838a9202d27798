#include "commands/diff_report.h"

#include <array>
#include <cmath>

#include "passes/diff/model_difference.h"

namespace cryo {
namespace {

void write_place(JsonWriter& json, const NodePlace& place) {
  json.member("name", place.name);
  if (!place.function.empty()) json.member("function", place.function);
}

void add_places(JsonWriter& json, std::string_view name, const std::vector<NodePlace>& places) {
  json.list(name, places, [&](const NodePlace& each) {
    json.begin_object();
    write_place(json, each);
    json.end_object();
  });
}

void write_change(JsonWriter& json, const NodeChange& change) {
  json.begin_object();
  write_place(json, change.place);
  if (!change.op_a.empty()) json.member("op", std::array{change.op_a, change.op_b});
  if (change.inputs) json.member("inputs", std::array{change.inputs_a, change.inputs_b});
  if (!change.attrs.empty()) json.member("attrs", change.attrs);
  if (change.device) json.member("device", true);
  json.end_object();
}

void add_name_changes(JsonWriter& json, std::string_view name, const NameChanges& changes) {
  json.key(name);
  json.object("added", changes.added, "removed", changes.removed, "changed", changes.changed);
}

void write_structure(JsonWriter& json, const StructureDifference& structure) {
  json.begin_object();
  json.member("equal", structure.equal());
  add_places(json, "added", structure.added);
  add_places(json, "removed", structure.removed);
  json.list("changed", structure.changed,
            [&](const NodeChange& each) { write_change(json, each); });
  add_name_changes(json, "functions", structure.functions);
  add_name_changes(json, "signatures", structure.signatures);
  json.end_object();
}

// JSON has no infinity.
void add_real(JsonWriter& json, std::string_view name, double number) {
  if (std::isinf(number)) return json.member(name, "infinity");
  json.member(name, number);
}

// Returns the place of an element: 7 of [2,5] -> [1,2].
std::vector<uint64_t> position(uint64_t index, const Shape& shape) {
  std::vector<uint64_t> place(shape.dims.size());
  for (size_t i = place.size(); i-- > 0;) {
    const auto dim = static_cast<uint64_t>(shape.dims[i]);
    place[i] = index % dim;
    index /= dim;
  }
  return place;
}

void write_difference(JsonWriter& json, const ComparedWeight& weight) {
  const Difference& difference = *weight.difference;
  json.members("elements", weight.elements, "count", difference.count, "firstIndex",
               difference.first, "firstPosition", position(difference.first, weight.shape));
  add_real(json, "largestAbsolute", difference.largest);
  add_real(json, "largestRelative", difference.relative);
  json.member("nans", difference.nans);
}

void add_compared(JsonWriter& json, std::string_view name,
                  const std::vector<ComparedWeight>& weights) {
  json.list(name, weights, [&](const ComparedWeight& each) {
    json.begin_object();
    json.members("name", each.name, "dtype", dtype_name(each.dtype), "shape", each.shape);
    if (each.other != each.name) json.members("other", each.other, "why", each.why);
    if (!each.difference) {
      json.members("otherDtype", dtype_name(each.other_dtype), "otherShape", each.other_shape);
    } else if (each.difference->count > 0) {
      write_difference(json, each);
    }
    json.end_object();
  });
}

void write_weights(JsonWriter& json, const WeightsDifference& weights) {
  json.begin_object();
  add_compared(json, "equal", weights.equal);
  add_compared(json, "differing", weights.differing);
  json.members("missing", weights.missing, "extra", weights.extra);
  json.end_object();
}

}  // namespace

Outcome run_diff(const Model& model, const Options& options, const Diagnostics& opening) {
  const Model& other = *options.other();
  Diagnostics diagnostics = opening;
  const auto found = diff(model, other, options.diff, diagnostics);
  if (!found) return cannot("diff", model.name, found.error(), diagnostics);
  const ExitStatus verdict = found->equal() ? kDone : kNo;
  Outcome outcome{{"diff", model.name, diagnostics}, found->damaged ? kCannot : verdict};
  JsonWriter& members = outcome.report.members;
  members.members("other", other.name, "equal", found->equal() && !found->damaged);
  members.key("structure");
  if (found->structure) {
    write_structure(members, *found->structure);
  } else {
    members.null();
  }
  members.key("weights");
  write_weights(members, found->weights);
  return outcome;
}

}  // namespace cryo
