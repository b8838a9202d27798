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

// The JSON of a small message, or of a graph without its weights.
class Json {
 public:
  explicit Json(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Result<std::string> of(std::string_view message, std::string_view name) {
    std::string text;
    CHECK_OK(append_json_form(text, message, message_schema(name), unknown_));
    return text;
  }
  void report() const {
    if (unknown_.empty()) return;
    const std::vector<std::string> names(unknown_.begin(), unknown_.end());
    diagnostics_.warn("unknown-fields",
                      cat("JSON has no place for fields that TensorFlow's messages do not have; "
                          "removed: ",
                          join(names, ", ")));
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::string> unknown_;
};

// TensorFlow.js reads a graph's versions without asking whether it has any.
Result<std::string> topology_json(std::string skeleton, const Payloads& payloads, Json& json) {
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
  return json.of(bytes, "tensorflow.GraphDef");
}

// The one that a loader takes: "serving_default", else the first.
Result<std::string> signature_json(const tensorflow::MetaGraphDef& meta, Json& json,
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
  if (chosen == nullptr) return std::string("{}");
  return json.of(chosen->value().SerializeAsString(), "tensorflow.SignatureDef");
}

void append_members(std::string& out, const TfjsParts::Members& members, std::string_view without) {
  for (const auto& member : members) {
    if (member.first == without) continue;
    if (!out.ends_with('{')) out += ',';
    append_quoted(out, member.first);
    out += cat(":", member.second);
  }
}

// Returns the members of the model.json that do not concern weights.
Result<std::string> head_json(const Model& model, Diagnostics& diagnostics, std::string skeleton) {
  const Model serving = with_serving_signature(model);
  const tensorflow::MetaGraphDef& meta = parse_meta(serving);
  Json json(diagnostics);
  TRY(signature, signature_json(meta, json, diagnostics));
  TRY(topology, topology_json(std::move(skeleton), *model.payloads, json));
  json.report();
  std::string out = "{\"format\":\"graph-model\",\"generatedBy\":";
  append_quoted(out, meta.meta_info_def().tensorflow_version());
  out += cat(",\"convertedBy\":\"Cryograph\",\"signature\":", signature,
             ",\"modelTopology\":", topology);
  if (model.tfjs == nullptr) return out;
  append_members(out, model.tfjs->members, "");
  // The keys are those of the outputs that the model was read with.
  const bool same_outputs = model.meta == model.tfjs->meta;
  std::string metadata = "{";
  append_members(metadata, model.tfjs->metadata, same_outputs ? "" : "structuredOutputKeys");
  if (metadata != "{") out += cat(",\"userDefinedMetadata\":", metadata, "}");
  return out;
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
      made.weights += cat(made.weights.empty() ? "" : ",", other.entry);
      made.content.append(other.content);
    }
    if (model.tfjs->quantized) {
      diagnostics.note("dequantized", "the quantized weights are written as what they stand for");
    }
  }
  TRY(text, head_json(model, diagnostics, std::move(made.skeleton)));
  const uint64_t shards =
      made.content.size() / shard_size + (made.content.size() % shard_size != 0 ? 1 : 0);
  Files files = {{path, {}}};
  std::vector<std::string> names;
  SpliceCutter content(std::move(made.content));
  for (uint64_t i = 0; i < shards; ++i) {
    names.push_back(cat("\"", shard_name(i, shards), "\""));
    files.push_back({cat(folder_of(path), shard_name(i, shards)),
                     content.take(std::min(shard_size, content.left()))});
  }
  text += cat(",\"weightsManifest\":[{\"paths\":[", join(names, ","), "],\"weights\":[",
              made.weights, "]}]}");
  files[0].content = Splice(fresh(std::move(text)));
  return files;
}

}  // namespace cryo
