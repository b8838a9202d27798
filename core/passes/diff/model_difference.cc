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

class Comparison {
 public:
  Comparison(const Model& a, const Model& b, const DiffOptions& options, Diagnostics& diagnostics)
      : a_(a), b_(b), options_(options), diagnostics_(diagnostics) {}

  Result<ModelDifference> run();

 private:
  Status collect();
  Result<std::vector<NamedWeight>> weights_of(const Model& model);
  Status compare_weights();
  Status compare(const NamedWeight& a, const NamedWeight& b, const std::string& why);
  Status only_one(const NamedWeight& weight, std::vector<std::string>& names);
  Status report(const Diagnostic& error);
  Status compare_structure();

  const Model& a_;
  const Model& b_;
  const DiffOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<NamedWeight> in_a_;
  std::vector<NamedWeight> in_b_;
  std::set<std::string> constants_;  // nodes whose values are compared as weights
  ModelDifference found_;
};

Result<std::vector<NamedWeight>> Comparison::weights_of(const Model& model) {
  const bool no_slots = options_.no_slots || options_.weights_alone;
  TRY(weights,
      named_weights(model, {.constants = options_.weights.constants}, no_slots, diagnostics_));
  add_object_names(model, weights);
  return std::move(weights);
}

Status Comparison::collect() {
  TRY(rules, parse_rename_rules(options_.rename));
  std::vector<std::string> names = weight_names(a_);
  const std::vector<std::string> names_in_b = weight_names(b_);
  names.insert(names.end(), names_in_b.begin(), names_in_b.end());
  CHECK_OK(
      check_globs(named_constants(options_.weights), OPTION("--constants", ""), "weight", names));
  CHECK_OK(check_globs(options_.weights.exclude, OPTION("--exclude", ""), "weight", names));
  TRY(in_a, weights_of(a_));
  TRY(in_b, weights_of(b_));
  CHECK_OK(rename_weights(rules, in_a, weight_names(a_)));
  join_parts(in_a, in_b);
  join_parts(in_b, in_a);
  const std::set<std::string> names_a = names_of(in_a);
  CHECK_OK(add_constants_named(a_, rules, names_of(in_b), in_a));
  CHECK_OK(add_constants_named(b_, {}, names_a, in_b));
  const auto is_excluded = [&](const NamedWeight& weight) {
    return goes_by(options_.weights.exclude, weight);
  };
  for (std::vector<NamedWeight>* weights : {&in_a, &in_b}) {
    weights->erase(std::remove_if(weights->begin(), weights->end(), is_excluded), weights->end());
  }
  in_a_ = std::move(in_a);
  in_b_ = std::move(in_b);
  return Unit{};
}

Status Comparison::report(const Diagnostic& error) {
  if (!is_of_one(error)) return error;
  found_.damaged = true;
  const auto same = [&](const Diagnostic& reported) {
    return reported.message == error.message && reported.where.tensor == error.where.tensor;
  };
  const auto& all = diagnostics_.all();
  if (std::none_of(all.begin(), all.end(), same)) diagnostics_.add(error);
  return Unit{};
}

Status Comparison::compare(const NamedWeight& a, const NamedWeight& b, const std::string& why) {
  ComparedWeight each{given_name(a), b.name,        why,          a.entry.dtype,
                      a.entry.shape, b.entry.dtype, b.entry.shape};
  if (a.node != kNoNode) constants_.emplace(a_.graph.nodes()[a.node].name);
  for (const CheckpointEntry* entry : {&a.entry, &b.entry}) {
    if (entry->fault) return report(*entry->fault);
  }
  const bool comparable = each.dtype == each.other_dtype && each.shape == each.other_shape;
  if (!comparable) {
    found_.weights.differing.push_back(std::move(each));
    return Unit{};
  }
  TRY(elements, element_count(each.shape));
  each.elements = elements;
  const Result<Difference> difference = difference_of(a.entry, b.entry);
  if (!difference) return report(difference.error());
  each.difference = *difference;
  auto& list = difference->count == 0 ? found_.weights.equal : found_.weights.differing;
  list.push_back(std::move(each));
  return Unit{};
}

Status Comparison::only_one(const NamedWeight& weight, std::vector<std::string>& names) {
  if (!weight.sure) return Unit{};
  names.push_back(given_name(weight));
  const Status verified = options_.checksum ? verify(weight.entry) : Unit{};
  return verified ? Unit{} : report(verified.error());
}

Status Comparison::compare_weights() {
  CHECK_OK(collect());
  WeightPairing pairing(in_a_, in_b_);
  pairing.by_name(diagnostics_);
  CHECK_OK(pairing.match(options_.match, a_.graph, b_.graph));
  std::vector<uint32_t> in_b(in_a_.size(), WeightPairing::kNone);
  for (uint32_t i = 0; i < in_b_.size(); ++i) {
    if (pairing.from_of(i) != WeightPairing::kNone) in_b[pairing.from_of(i)] = i;
  }
  for (uint32_t i = 0; i < in_a_.size(); ++i) {
    if (in_b[i] == WeightPairing::kNone) {
      CHECK_OK(only_one(in_a_[i], found_.weights.missing));
    } else {
      CHECK_OK(compare(in_a_[i], in_b_[in_b[i]], pairing.why(in_b[i])));
    }
  }
  for (uint32_t i = 0; i < in_b_.size(); ++i) {
    const bool alone = pairing.from_of(i) == WeightPairing::kNone;
    if (alone) CHECK_OK(only_one(in_b_[i], found_.weights.extra));
  }
  return Unit{};
}

Status Comparison::compare_structure() {
  if (!a_.has_graph || !b_.has_graph) {
    const Model& bare = a_.has_graph ? b_ : a_;
    diagnostics_.note("only-weights",
                      cat("'", bare.name, "' has no graph: only weights are compared"));
    return Unit{};
  }
  TRY(structure, structure_difference(a_, b_, constants_));
  found_.structure = std::move(structure);
  return Unit{};
}

Result<ModelDifference> Comparison::run() {
  CHECK_OK(compare_weights());
  if (!options_.weights_alone) CHECK_OK(compare_structure());
  for (const Model* model : {&a_, &b_}) {
    const Status checked = finish_checks(model->checks);
    if (!checked) CHECK_OK(report(checked.error()));
  }
  return std::move(found_);
}

}  // namespace

Result<ModelDifference> diff(const Model& a, const Model& b, const DiffOptions& options,
                             Diagnostics& diagnostics) {
  return Comparison(a, b, options, diagnostics).run();
}

}  // namespace cryo
