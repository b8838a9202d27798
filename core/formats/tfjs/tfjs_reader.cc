#include <algorithm>
#include <array>

#include "base/text.h"
#include "formats/tfjs/tfjs.h"
#include "formats/tfjs/tfjs_constants.h"
#include "model/meta.h"
#include "wire/elide.h"
#include "wire/json/json_form.h"

namespace cryo {
namespace {

constexpr std::string_view kOldGraph = "tensorflowjs_model.pb";
constexpr std::string_view kOldManifest = "weights_manifest.json";

// Members of a model.json that the writer generates.
constexpr std::array<std::string_view, 7> kOwnMembers = {
    "format",        "generatedBy",     "convertedBy",        "signature",
    "modelTopology", "weightsManifest", "userDefinedMetadata"};

Failure no_topology(const SourcePtr& file, std::string_view message) {
  return failure("no-graph", message, {.file = file->name()},
                 "get the model again: its model.json has the graph as modelTopology");
}

Status refuse_layers(const JsonValue& root, const SourcePtr& file) {
  const JsonValue topology = root.find("modelTopology");
  const bool layers = root.find("format").text() == "layers-model" ||
                      !topology.find("model_config").is_null() ||
                      !topology.find("class_name").is_null();
  if (!layers) return Unit{};
  return failure("layers-model",
                 cat("'", base_name(file->name()),
                     "' is a Keras model of layers for TensorFlow.js, which holds no graph"),
                 {.file = file->name()},
                 "convert it with tensorflowjs_converter --input_format=tfjs_layers_model "
                 "--output_format=tfjs_graph_model, or give the model that it was made from");
}

// Returns true if a path stays below the folder that a writer puts it in.
bool is_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find_first_of("\\:") != std::string_view::npos) {
    return false;
  }
  const auto parts = split(path, '/');
  return std::none_of(parts.begin(), parts.end(), [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

Result<std::string> read_message(const SourcePtr& file, const JsonValue& json,
                                 std::string_view name, std::set<std::string>& unknown_members) {
  Result<std::string> made = wire_of_json(json, message_schema(name), unknown_members);
  if (made) return made;
  Diagnostic error = made.error();
  error.where.file = file->name();
  return error;
}

Result<std::string> read_topology(const OpenContext& context, const SourcePtr& file,
                                  const JsonValue& root, Model& made,
                                  std::set<std::string>& unknown_members) {
  const MessageSchema& schema = message_schema("tensorflow.GraphDef");
  if (root.is_array()) {
    const SourcePtr graph = context.find(cat(folder_of(file->name()), kOldGraph));
    if (graph == nullptr) {
      return no_topology(file, cat("the weights' manifest is here without ", kOldGraph));
    }
    made.files.push_back(graph);
    return read_structure(context, graph, schema, made);
  }
  const JsonValue json = root.find("modelTopology");
  if (!json.is_object()) return no_topology(file, "the model.json has no modelTopology");
  TRY(wire, read_message(file, json, "tensorflow.GraphDef", unknown_members));
  return elide(fresh(std::move(wire)), schema, *made.payloads);
}

// The signature becomes a MetaGraphDef's.
Status read_meta(const SourcePtr& file, const JsonValue& root, Model& made,
                 std::set<std::string>& unknown_members) {
  tensorflow::MetaGraphDef meta;
  const std::string_view version = root.find("generatedBy").text();
  if (!version.empty() && version[0] >= '0' && version[0] <= '9') {
    meta.mutable_meta_info_def()->set_tensorflow_version(std::string(version));
  }
  JsonValue json = root.find("signature");
  if (!json.is_object()) json = root.find("userDefinedMetadata").find("signature");
  if (json.is_object()) {
    TRY(wire, read_message(file, json, "tensorflow.SignatureDef", unknown_members));
    auto& entry = *meta.add_signature_def();
    entry.set_key("serving_default");
    if (!entry.mutable_value()->ParseFromString(wire)) {
      return failure("bad-json", "the signature is no SignatureDef", {.file = file->name()});
    }
    if (entry.value().method_name().empty()) {
      entry.mutable_value()->set_method_name("tensorflow/serving/predict");
    }
  }
  set_meta(made, std::move(meta));
  return Unit{};
}

// Looks next to model.json. Files that were dropped one by one are found by their base name.
SourcePtr find_part(const OpenContext& context, const SourcePtr& file, std::string_view path) {
  const std::string_view folder = folder_of(file->name());
  const SourcePtr found = context.find(cat(folder, path));
  return found != nullptr ? found : context.find(cat(folder, base_name(path)));
}

void report_weights(const OpenContext& context, const SourcePtr& file, const TfjsGraph& graph,
                    std::set<std::string>& unknown_members) {
  if (!graph.bare.empty()) {
    context.diagnostics.warn(
        "missing-weight",
        cat("the weights have none for ", plural(graph.bare.size(), "constant"), ": ",
            join(graph.bare, ", ", 10)),
        {.file = file->name()}, "get the model's files again, all of one conversion");
  }
  if (!unknown_members.empty()) {
    const std::vector<std::string> names(unknown_members.begin(), unknown_members.end());
    context.diagnostics.note("unknown-json",
                             cat("members of the JSON that TensorFlow's messages do not have are "
                                 "not looked at: ",
                                 join(names, ", ")),
                             {.file = file->name()});
  }
}

void keep_files(const SourcePtr& file, const TfjsManifest& manifest, TfjsParts& parts) {
  std::set<std::string_view> paths;
  std::vector<SavedModelParts::File> files = {{std::string(base_name(file->name())), file}};
  for (size_t i = 0; i < manifest.paths.size(); ++i) {
    if (manifest.shards[i] == nullptr || !is_inside(manifest.paths[i])) return;
    if (paths.insert(manifest.paths[i]).second) {
      files.push_back({manifest.paths[i], manifest.shards[i]});
    }
  }
  parts.files = std::move(files);
}

Status attach_weights(const OpenContext& context, const SourcePtr& file,
                      const std::string& topology, const JsonValue& root, Model& made,
                      TfjsParts& parts, std::set<std::string>& unknown_members) {
  const auto find_file = [&](std::string_view path) { return find_part(context, file, path); };
  TRY(manifest, read_tfjs_manifest(root.is_array() ? root : root.find("weightsManifest"), find_file,
                                   file->name(), context.diagnostics));
  TRY(attached, with_weights(topology, manifest.weights, *made.payloads));
  TRY(graph, Graph::parse(std::move(attached.skeleton)));
  made.graph = std::move(graph);
  report_weights(context, file, attached, unknown_members);
  for (const SourcePtr& shard : manifest.shards) {
    if (shard != nullptr) made.files.push_back(shard);
  }
  for (size_t i = 0; i < manifest.weights.size(); ++i) {
    const TfjsWeight& weight = manifest.weights[i];
    parts.quantized = parts.quantized || weight.is_quantized();
    if (!attached.taken[i]) parts.others.push_back({weight.entry, weight.content});
  }
  if (root.is_object()) keep_files(file, manifest, parts);
  return Unit{};
}

void keep_rest(const JsonValue& root, TfjsParts& parts) {
  const auto keep = [](const JsonItems& items, TfjsParts::Members& to) {
    to.emplace_back(items.key(), json_of(items.value()));
  };
  for (JsonItems items(root); items.next();) {
    const bool own =
        std::find(kOwnMembers.begin(), kOwnMembers.end(), items.key()) != kOwnMembers.end();
    if (!own && root.is_object()) keep(items, parts.members);
  }
  const JsonValue metadata = root.find("userDefinedMetadata");
  for (JsonItems items(metadata); metadata.is_object() && items.next();) {
    if (items.key() != "signature") keep(items, parts.metadata);
  }
}

}  // namespace

bool is_tfjs_part(std::string_view file, std::string_view other) {
  if (!other.starts_with(folder_of(file))) return false;
  return other.ends_with(".bin") || base_name(other) == kOldGraph ||
         base_name(other).find("-shard") != std::string_view::npos;
}

SourcePtr old_tfjs_manifest(const OpenContext& context, const SourcePtr& graph_def) {
  if (base_name(graph_def->name()) != kOldGraph) return nullptr;
  return context.find(cat(folder_of(graph_def->name()), kOldManifest));
}

Result<Model> read_tfjs(const OpenContext& context, const SourcePtr& file) {
  TRY(json, JsonTree::read(file));
  const JsonValue root = json.root();
  Model made{Kind::kTfjs, file->name(), {file}};
  made.has_graph = true;
  TfjsParts parts;
  std::set<std::string> unknown;  // members of the JSON
  CHECK_OK(refuse_layers(root, file));
  TRY(graph, read_topology(context, file, root, made, unknown));
  CHECK_OK(read_meta(file, root, made, unknown));
  CHECK_OK(attach_weights(context, file, graph, root, made, parts, unknown));
  keep_rest(root, parts);
  parts.meta = made.meta;
  made.tfjs = std::make_shared<const TfjsParts>(std::move(parts));
  return made;
}

}  // namespace cryo
