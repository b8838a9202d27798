#include "passes/diff/model_difference.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "passes/common/unmatched.h"
#include "passes/diff/weight_difference.h"
#include "passes/weights/find_weights.h"
#include "passes/weights/joined_parts.h"
#include "passes/weights/weight_pairing.h"

namespace cryo {
namespace {

const std::string& given_name(const NamedWeight& weight) {
  return weight.given.empty() ? weight.name : weight.given;
}

std::set<std::string> names_of(const std::vector<NamedWeight>& weights) {
  std::set<std::string> names;
  for (const NamedWeight& weight : weights) names.insert(weight.name);
  return names;
}

// Errors that concern one weight alone; the others can be compared.
bool is_of_one(const Diagnostic& error) {
  return error.code != "cancelled" && error.code != "read-failed";
}

// The weights of both models.
struct ComparedSides {
  std::vector<NamedWeight> in_a = {};
  std::vector<NamedWeight> in_b = {};
  std::set<std::string> constants = {};  // nodes whose values are compared as weights
};

Result<std::vector<NamedWeight>> weights_of(const DiffOptions& options, const Model& model,
                                            Diagnostics& diagnostics) {
  const bool no_slots = options.no_slots || options.weights_alone;
  TRY(weights,
      named_weights(model, {.constants = options.weights.constants}, no_slots, diagnostics));
  add_object_names(model, weights);
  return std::move(weights);
}

Status collect(const Model& first, const Model& second, const DiffOptions& options,
               Diagnostics& diagnostics, ComparedSides& sides) {
  TRY(rules, parse_rename_rules(options.rename));
  std::vector<std::string> names = weight_names(first);
  const std::vector<std::string> names_in_b = weight_names(second);
  names.insert(names.end(), names_in_b.begin(), names_in_b.end());
  CHECK_OK(
      check_globs(named_constants(options.weights), OPTION("--constants", ""), "weight", names));
  CHECK_OK(check_globs(options.weights.exclude, OPTION("--exclude", ""), "weight", names));
  TRY(in_a, weights_of(options, first, diagnostics));
  TRY(in_b, weights_of(options, second, diagnostics));
  CHECK_OK(rename_weights(rules, in_a, weight_names(first)));
  join_parts(in_a, in_b);
  join_parts(in_b, in_a);
  const std::set<std::string> names_a = names_of(in_a);
  CHECK_OK(add_constants_named(first, rules, names_of(in_b), in_a));
  CHECK_OK(add_constants_named(second, {}, names_a, in_b));
  const auto is_excluded = [&](const NamedWeight& weight) {
    return goes_by(options.weights.exclude, weight);
  };
  for (std::vector<NamedWeight>* weights : {&in_a, &in_b}) {
    weights->erase(std::remove_if(weights->begin(), weights->end(), is_excluded), weights->end());
  }
  sides.in_a = std::move(in_a);
  sides.in_b = std::move(in_b);
  return Unit{};
}

Status report(const Diagnostic& error, Diagnostics& diagnostics, ModelDifference& found) {
  if (!is_of_one(error)) return error;
  found.damaged = true;
  const auto same = [&](const Diagnostic& reported) {
    return reported.message == error.message && reported.where.tensor == error.where.tensor;
  };
  const auto& all = diagnostics.all();
  if (std::none_of(all.begin(), all.end(), same)) diagnostics.add(error);
  return Unit{};
}

Status compare(const Model& first, const NamedWeight& a, const NamedWeight& b,
               const std::string& why, Diagnostics& diagnostics, ComparedSides& sides,
               ModelDifference& found) {
  ComparedWeight each{given_name(a), b.name,        why,          a.entry.dtype,
                      a.entry.shape, b.entry.dtype, b.entry.shape};
  if (a.node != kNoNode) sides.constants.emplace(first.graph.nodes()[a.node].name);
  for (const CheckpointEntry* entry : {&a.entry, &b.entry}) {
    if (entry->fault) return report(*entry->fault, diagnostics, found);
  }
  const bool comparable = each.dtype == each.other_dtype && each.shape == each.other_shape;
  if (!comparable) {
    found.weights.differing.push_back(std::move(each));
    return Unit{};
  }
  TRY(elements, element_count(each.shape));
  each.elements = elements;
  const Result<Difference> difference = difference_of(a.entry, b.entry);
  if (!difference) return report(difference.error(), diagnostics, found);
  each.difference = *difference;
  auto& list = difference->count == 0 ? found.weights.equal : found.weights.differing;
  list.push_back(std::move(each));
  return Unit{};
}

Status only_one(const DiffOptions& options, const NamedWeight& weight,
                std::vector<std::string>& names, Diagnostics& diagnostics, ModelDifference& found) {
  if (!weight.sure) return Unit{};
  names.push_back(given_name(weight));
  const Status verified = options.checksum ? verify(weight.entry) : Unit{};
  return verified ? Unit{} : report(verified.error(), diagnostics, found);
}

Status compare_weights(const Model& first, const Model& second, const DiffOptions& options,
                       Diagnostics& diagnostics, ComparedSides& sides, ModelDifference& found) {
  CHECK_OK(collect(first, second, options, diagnostics, sides));
  WeightPairing pairing(sides.in_a, sides.in_b);
  pairing.by_name(diagnostics);
  CHECK_OK(pairing.match(options.match, first.graph, second.graph));
  std::vector<uint32_t> in_b(sides.in_a.size(), WeightPairing::kNone);
  for (uint32_t i = 0; i < sides.in_b.size(); ++i) {
    if (pairing.from_of(i) != WeightPairing::kNone) in_b[pairing.from_of(i)] = i;
  }
  for (uint32_t i = 0; i < sides.in_a.size(); ++i) {
    if (in_b[i] == WeightPairing::kNone) {
      CHECK_OK(only_one(options, sides.in_a[i], found.weights.missing, diagnostics, found));
    } else {
      CHECK_OK(compare(first, sides.in_a[i], sides.in_b[in_b[i]], pairing.why(in_b[i]), diagnostics,
                       sides, found));
    }
  }
  for (uint32_t i = 0; i < sides.in_b.size(); ++i) {
    const bool alone = pairing.from_of(i) == WeightPairing::kNone;
    if (alone) CHECK_OK(only_one(options, sides.in_b[i], found.weights.extra, diagnostics, found));
  }
  return Unit{};
}

Status compare_structure(const Model& first, const Model& second, Diagnostics& diagnostics,
                         ComparedSides& sides, ModelDifference& found) {
  if (!first.has_graph || !second.has_graph) {
    const Model& bare = first.has_graph ? second : first;
    diagnostics.note("only-weights",
                     cat("'", bare.name, "' has no graph: only weights are compared"));
    return Unit{};
  }
  TRY(structure, structure_difference(first, second, sides.constants));
  found.structure = std::move(structure);
  return Unit{};
}

}  // namespace

Result<ModelDifference> diff(const Model& first, const Model& second, const DiffOptions& options,
                             Diagnostics& diagnostics) {
  ComparedSides sides;
  ModelDifference found;
  CHECK_OK(compare_weights(first, second, options, diagnostics, sides, found));
  if (!options.weights_alone) CHECK_OK(compare_structure(first, second, diagnostics, sides, found));
  for (const Model* model : {&first, &second}) {
    const Status checked = finish_checks(model->checks);
    if (!checked) CHECK_OK(report(checked.error(), diagnostics, found));
  }
  return found;
}

}  // namespace cryo
