#include "attacks.h"
#include "base/text.h"
#include "files.h"

namespace cryo::attacks {
namespace {

laws::Files model_json(const std::string& json) { return laws::Files().put("model.json", json); }

// A model of one constant "w", and these groups of weights.
laws::Files weights(const std::string& groups, const std::string& shard = "1234") {
  return model_json(cat(R"({"modelTopology":{"node":[{"name":"w","op":"Const","attr":{"dtype":)"
                        R"({"type":"DT_FLOAT"},"value":{"tensor":{"dtype":"DT_FLOAT","tensorShape")"
                        R"(:{}}}}}]},"weightsManifest":[)",
                        groups, "]}"))
      .put("s", shard);
}

std::string group(const std::string& entry) {
  return cat(R"({"paths":["s"],"weights":[{"name":"w",)", entry, "}]}");
}

laws::Files brackets() {
  return model_json(cat(R"({"modelTopology":)", std::string(1'000'000, '[')));
}

laws::Files objects() {
  std::string json = R"({"modelTopology":{"node":)";
  for (int i = 0; i < 300'000; ++i) json += R"({"a":)";
  return model_json(json);
}

// Deep as messages and shallow as JSON goes.
laws::Files functions() {
  std::string json = "{}";
  for (int i = 0; i < 110; ++i) json = cat(R"({"attr":{"a":{"func":)", json, "}}}");
  return model_json(cat(R"({"modelTopology":{"node":[)", json, "]}}"));
}

laws::Files members() {
  std::string json = R"({"modelTopology":{"node":[{"name":"n","op":"NoOp","attr":{)";
  for (int i = 0; i < 100'000; ++i) json += cat(i > 0 ? ",\"" : "\"", i, R"(":{"b":true})");
  return model_json(cat(json, "}}]}}"));
}

laws::Files manifest_size_lies() {
  return weights(group(R"("shape":[1000000000],"dtype":"float32")"));
}

laws::Files shape_overflows() {
  return weights(group(R"("shape":[4611686018427387904,4611686018427387904],"dtype":"float32")"));
}

laws::Files strings() {
  return weights(group(R"("shape":[1099511627776],"dtype":"string")"), std::string(4000, '\0'));
}

laws::Files string_past_the_end() {
  return weights(group(R"("shape":[1],"dtype":"string")"), unhex("FFFFFFFF 61"));
}

// Groups over one file, each with a weight of its own.
laws::Files groups_of_one_file() {
  std::string groups = group(R"("shape":[1],"dtype":"float32")");
  for (int i = 0; i < 20'000; ++i) {
    groups += R"(,{"paths":["s"],"weights":[{"name":"v","shape":[],"dtype":"int32"}]})";
  }
  return weights(groups);
}

laws::Files missing_files() {
  std::string paths = R"("0")";
  for (int i = 1; i < 20'000; ++i) paths += cat(",\"", i, "\"");
  return weights(cat(R"({"paths":[)", paths, R"(],"weights":[]})"));
}

laws::Files path_outside() {
  return weights(R"({"paths":["../../s"],"weights":[{"name":"w","shape":[],"dtype":"float32"}]})");
}

// One file, named so often, cut into so many strings.
laws::Files files_times_strings() {
  std::string paths = R"("s")";
  std::string entries = R"({"name":"w","shape":[],"dtype":"float32"})";
  for (int i = 0; i < 20'000; ++i) {
    paths += R"(,"s")";
    entries += R"(,{"name":"t","shape":[1],"dtype":"string"})";
  }
  return weights(cat(R"({"paths":[)", paths, R"(],"weights":[)", entries, "]}"),
                 std::string(4, '\0'));
}

// No constant takes them; each group says it has 2^59 bytes.
laws::Files weights_of_nothing() {
  std::string groups = group(R"("shape":[],"dtype":"float32")");
  for (int i = 0; i < 100; ++i) {
    groups +=
        R"(,{"paths":[],"weights":[{"name":"v","shape":[144115188075855872],"dtype":"int32"}]})";
  }
  return weights(groups);
}

}  // namespace

std::vector<Attack> tfjs_attacks() {
  return {{"json-of-a-million-brackets", brackets, "bad-json"},
          {"json-of-objects-300000-deep", objects, "bad-json"},
          {"json-functions-110-deep", functions, "bad-json"},
          {"json-of-100000-members", members, ""},
          {"manifest-size-lies", manifest_size_lies, "weights-cut-short"},
          {"manifest-shape-overflows", shape_overflows, "bad-shape"},
          {"manifest-of-2-to-the-40-strings", strings, "weights-cut-short"},
          {"manifest-string-past-the-end", string_past_the_end, "weights-cut-short"},
          {"manifest-of-20000-groups", groups_of_one_file, ""},
          {"manifest-of-20000-missing-files", missing_files, "missing-shard"},
          {"manifest-of-20000-files-and-strings", files_times_strings, ""},
          {"manifest-of-weights-of-nothing", weights_of_nothing, "weights-cut-short"},
          {"manifest-path-outside", path_outside, ""}};
}

}  // namespace cryo::attacks
