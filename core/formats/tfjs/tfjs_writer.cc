#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/splice_cutter.h"
#include "formats/pairing.h"
#include "formats/serving.h"
#include "formats/tfjs/tfjs.h"
#include "formats/tfjs/tfjs_topology.h"
#include "model/meta.h"
#include "model/variables.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/json/json_form.h"

namespace cryo {
namespace {

constexpr uint64_t kShardSize = 4 << 20;
constexpr uint64_t kLeastShardSize = 1 << 16;  // so that there are not too many files

// The model.json: OUT itself, or that of the folder OUT.
std::string json_path(const std::string& out) {
  if (out.empty() || out.ends_with(".json")) return out.empty() ? "model.json" : out;
  return cat(out, out.ends_with('/') ? "" : "/", "model.json");
}

bool is_as_read(const Model& model) {
  return model.tfjs != nullptr && !model.tfjs->files.empty() && model.graph.is_as_read() &&
         model.meta == model.tfjs->meta;
}

Files files_as_read(const Model& model, const std::string& path) {
  Files files;
  for (const auto& part : model.tfjs->files) {
    const bool json = files.empty();
    files.push_back({json ? path : cat(folder_of(path), part.path), Splice(whole(part.source))});
  }
  return files;
}

Status require_frozen(const Model& model) {
  const auto variables = variables_of(model);
  if (variables.empty()) return Unit{};
  return failure("not-frozen",
                 cat("a TensorFlow.js model has no variables; this one has ",
                     plural(variables.size(), "variable")),
                 {.node = variables.front().name}, "freeze it first: " RUN("freeze", "OUT.json"));
}

// The model.json, as it is being written.
struct ModelJson {
  JsonWriter json = {};
  std::set<std::string> unknown = {};  // fields that JSON cannot represent

  // Adds a member: a small message, or a graph without its weights.
  Status add(std::string_view key, std::string_view message, std::string_view name) {
    json.key(key);
    return write_json_form(json, message, message_schema(name), unknown);
  }
};

void report_unknown(const std::set<std::string>& unknown, Diagnostics& diagnostics) {
  if (unknown.empty()) return;
  const std::vector<std::string> names(unknown.begin(), unknown.end());
  diagnostics.warn("unknown-fields",
                   cat("JSON has no place for fields that TensorFlow's messages do not have; "
                       "removed: ",
                       join(names, ", ")));
}

// TensorFlow.js reads a graph's versions without asking whether it has any.
Status add_topology(ModelJson& to, std::string skeleton, const Payloads& payloads) {
  bool has_versions = false;
  for (WireCursor cursor(skeleton); cursor.next();) {
    has_versions = has_versions || cursor.field().number == fields::GraphDef::kVersions;
  }
  if (!has_versions) put_bytes_field(skeleton, fields::GraphDef::kVersions, "");
  TRY(message, expand(std::move(skeleton), message_schema("tensorflow.GraphDef"), payloads));
  if (message.size() > kMaxJsonBytes) {
    return failure("too-large",
                   cat("the graph without its weights is ", human_bytes(message.size()),
                       ", more than JSON could be read of"),
                   {}, "write another form: " SETTING("--as", "pb"));
  }
  TRY(bytes, message.read_all());
  return to.add("modelTopology", bytes, "tensorflow.GraphDef");
}

// The one that a loader takes: "serving_default", else the first.
Status add_signature(ModelJson& to, const tensorflow::MetaGraphDef& meta,
                     Diagnostics& diagnostics) {
  const tensorflow::MetaGraphDef::SignatureDefEntry* chosen = nullptr;
  std::vector<std::string> others;
  for (const auto& entry : meta.signature_def()) {
    if (is_reserved_signature(entry.key())) continue;
    const bool better = chosen == nullptr || entry.key() == "serving_default";
    const auto* left_out = better ? chosen : &entry;
    if (left_out != nullptr) others.push_back(left_out->key());
    if (better) chosen = &entry;
  }
  if (!others.empty()) {
    diagnostics.note("signatures-left-out",
                     cat("a TensorFlow.js model has one signature, here '", chosen->key(),
                         "'; not written: ", join(others, ", ", 10)));
  }
  const std::string message = chosen == nullptr ? "" : chosen->value().SerializeAsString();
  return to.add("signature", message, "tensorflow.SignatureDef");
}

void write_members(JsonWriter& json, const TfjsParts::Members& members, std::string_view without) {
  for (const auto& [key, value] : members) {
    if (key == without) continue;
    json.key(key);
    json.raw(value);
  }
}

void write_metadata(JsonWriter& json, const TfjsParts::Members& metadata,
                    std::string_view without) {
  JsonWriter members;
  write_members(members, metadata, without);
  if (members.empty()) return;
  json.key("userDefinedMetadata");
  json.raw(cat("{", members.text(), "}"));
}

// Adds the members of the model.json that do not concern weights.
Status add_head(ModelJson& to, const Model& model, Diagnostics& diagnostics, std::string skeleton) {
  const Model serving = with_serving_signature(model);
  const tensorflow::MetaGraphDef& meta = parse_meta(serving);
  to.json.members("format", "graph-model", "generatedBy", meta.meta_info_def().tensorflow_version(),
                  "convertedBy", "Cryograph");
  CHECK_OK(add_signature(to, meta, diagnostics));
  CHECK_OK(add_topology(to, std::move(skeleton), *model.payloads));
  report_unknown(to.unknown, diagnostics);
  if (model.tfjs == nullptr) return Unit{};
  write_members(to.json, model.tfjs->members, "");
  // The keys are those of the outputs that the model was read with.
  const bool same_outputs = model.meta == model.tfjs->meta;
  write_metadata(to.json, model.tfjs->metadata, same_outputs ? "" : "structuredOutputKeys");
  return Unit{};
}

// `weights`: the entries, without their brackets.
void write_manifest(JsonWriter& json, const std::vector<std::string>& shards,
                    std::string_view weights) {
  json.key("weightsManifest");
  json.begin_array();
  json.begin_object();
  json.member("paths", shards);
  json.key("weights");
  json.raw(cat("[", weights, "]"));
  json.end_object();
  json.end_array();
}

std::string shard_name(uint64_t i, uint64_t count) {
  return cat("group1-shard", i + 1, "of", count, ".bin");
}

}  // namespace

Result<Files> write_tfjs(const Model& model, const WriteOptions& options,
                         Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  const std::string path = json_path(options.out);
  if (is_as_read(model) && options.shard_size == 0) return files_as_read(model, path);
  const uint64_t shard_size = options.shard_size == 0 ? kShardSize : options.shard_size;
  if (shard_size < kLeastShardSize) {
    return failure("bad-option",
                   cat(OPTION("--shard-size", "") " is at least ", kLeastShardSize, " bytes"));
  }
  CHECK_OK(require_frozen(model));
  TRY(made, tfjs_topology(model, diagnostics));
  if (model.tfjs != nullptr) {
    for (const TfjsParts::Weight& other : model.tfjs->others) {
      // If files are missing, the manifest determines the sizes.
      if (other.content.size() > kMaxTfjsWeights - made.content.size()) {
        return failure("too-large", "the weights are more than TensorFlow.js could load", {},
                       "write another form: " SETTING("--as", "pb"));
      }
      made.weights.raw(other.entry);
      made.content.append(other.content);
    }
    if (model.tfjs->quantized) {
      diagnostics.note("dequantized", "the quantized weights are written as what they stand for");
    }
  }
  ModelJson head;
  JsonWriter& json = head.json;
  json.begin_object();
  CHECK_OK(add_head(head, model, diagnostics, std::move(made.skeleton)));
  const uint64_t shards =
      made.content.size() / shard_size + (made.content.size() % shard_size != 0 ? 1 : 0);
  Files files = {{path, {}}};
  std::vector<std::string> names;
  SpliceCutter content(std::move(made.content));
  for (uint64_t i = 0; i < shards; ++i) {
    names.push_back(shard_name(i, shards));
    files.push_back({cat(folder_of(path), shard_name(i, shards)),
                     content.take(std::min(shard_size, content.left()))});
  }
  write_manifest(json, names, made.weights.text());
  json.end_object();
  files[0].content = Splice(fresh(json.take()));
  return files;
}

}  // namespace cryo
