#include "compat/runtimes.h"

#include <utility>

#include "tensor/dtype.h"
#include "wire/json/json_tree.h"

namespace cryo {
namespace {

// {"T": ["float32", "int32"], "data_format": ["NHWC"]}
AttrLimits read_limits(const JsonValue& json) {
  AttrLimits limits;
  for (JsonItems attrs(json); attrs.next();) {
    AttrLimit limit{std::string(attrs.key())};
    for (JsonItems values(attrs.value()); values.next();) {
      const std::string_view text = values.value().text();
      if (const DTypeInfo* known = find_dtype(text)) {
        limit.types |= 1ULL << static_cast<unsigned>(known->dtype);
      } else {
        limit.texts.emplace_back(text);
      }
    }
    limits.push_back(std::move(limit));
  }
  return limits;
}

OpNames read_names(const JsonValue& json) {
  OpNames names;
  for (JsonItems items(json); items.next();) names.emplace(items.value().text());
  return names;
}

}  // namespace

Result<std::vector<Runtime>> read_runtimes(const std::string& json) {
  TRY(tree, JsonTree::parse(json, "runtime_ops.json"));
  std::vector<Runtime> runtimes;
  for (JsonItems items(tree.root()); items.next();) {
    const JsonValue each = items.value();
    Runtime runtime{.name = std::string(each.find("name").text()),
                    .version = std::string(each.find("version").text()),
                    .folds_constants = each.find("folds_constants").is_true(),
                    .ranked = read_names(each.find("ranked")),
                    .guarded = read_names(each.find("guarded")),
                    .sized_lists = read_names(each.find("sized_lists")),
                    .forgets_invariants = each.find("forgets_invariants").is_true(),
                    .has_tfjs_constants = each.find("has_tfjs_constants").is_true(),
                    .has_opencv_rules = each.find("has_opencv_rules").is_true()};
    for (JsonItems ops(each.find("ops")); ops.next();) {
      runtime.ops.emplace(ops.key(), read_limits(ops.value()));
    }
    runtimes.push_back(std::move(runtime));
  }
  return runtimes;
}

}  // namespace cryo
