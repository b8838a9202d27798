#include "commands/snippet.h"

#include <algorithm>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "commands/inspect.h"
#include "formats/serving.h"
#include "model/analysis/stats.h"
#include "model/init_op.h"
#include "model/meta.h"

namespace cryo {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kZip = ".zip";

// The parts of which the lines are made.
struct Written {
  const Model& model;
  std::string path = {};                  // of the file, the folder or the checkpoint's prefix
  std::vector<EndpointInfo> inputs = {};  // the tensors that are to be fed
  Lines outputs = {};                     // names of tensors
  bool has_values = true;                 // of its variables
  Lines init = {};                        // names of ops that fill its tables
};

// A text as a literal of Python and JavaScript.
std::string literal(std::string_view text) { return json_of(text); }

std::string tensor_literal(const std::string& name) {
  return literal(name.find(':') == std::string::npos ? cat(name, ":0") : name);
}

// "[1, 28, 28, 1]": dimensions that are not known are 1.
std::string shape_literal(const Shape& shape) {
  std::vector<std::string> dims;
  for (const int64_t dim : shape.dims) dims.push_back(dim == kUnknownDim ? "1" : cat(dim));
  return cat("[", join(dims, ", "), "]");
}

bool is_numpy_type(std::string_view dtype) {
  constexpr std::string_view kTypes[] = {"float16", "float32", "float64",   "int8",      "int16",
                                         "int32",   "int64",   "uint8",     "uint16",    "uint32",
                                         "uint64",  "bool",    "complex64", "complex128"};
  return std::find(std::begin(kTypes), std::end(kTypes), dtype) != std::end(kTypes);
}

// Returns the name of a type; empty if it is not known.
std::string type_of(const EndpointInfo& tensor) {
  return tensor.dtype ? dtype_name(*tensor.dtype) : "";
}

std::string numpy_zeros(const EndpointInfo& tensor) {
  const std::string dtype = type_of(tensor);
  const std::string shape = shape_literal(tensor.shape);
  if (dtype == "string") return cat("numpy.full(", shape, ", b\"\")");
  if (dtype == "bool") return cat("numpy.zeros(", shape, ", bool)");
  if (is_numpy_type(dtype)) return cat("numpy.zeros(", shape, ", numpy.", dtype, ")");
  return cat("numpy.zeros(", shape, ", tf.", dtype, ".as_numpy_dtype)");
}

// "{"x:0": numpy.zeros([1, 4], numpy.float32)}"
std::string feeds(const Written& written) {
  std::vector<std::string> parts;
  for (const EndpointInfo& input : written.inputs) {
    parts.push_back(cat(tensor_literal(input.name), ": ", numpy_zeros(input)));
  }
  return cat("{", join(parts, ", "), "}");
}

std::string fetches(const Written& written) {
  std::vector<std::string> names;
  for (const std::string& output : written.outputs) names.push_back(tensor_literal(output));
  return cat("[", join(names, ", "), "]");
}

// Appends the lines of a session in the default graph. `first`: what it does before it runs.
void add_session(Lines& lines, const Written& written, const Lines& first) {
  const bool runs = !written.outputs.empty() && written.has_values;
  if (!runs && first.empty()) return;
  lines.emplace_back("    with tf.compat.v1.Session() as session:");
  for (const std::string& each : first) lines.push_back(cat("        ", each));
  if (!runs) return;
  for (const std::string& each : written.init) {
    lines.push_back(cat("        session.run(", literal(each), ")"));
  }
  lines.push_back(cat("        inputs = ", feeds(written)));
  lines.push_back(cat("        outputs = session.run(", fetches(written), ", inputs)"));
}

Lines imports() { return {"import numpy", "import tensorflow as tf", ""}; }

// Returns lines that load the message of a file.
Lines message_lines(const Written& written, std::string_view type, bool text) {
  Lines lines = imports();
  if (text) lines.insert(lines.begin() + 2, "from google.protobuf import text_format");
  const std::string variable = type == "GraphDef" ? "graph_def" : "meta_graph_def";
  lines.push_back(cat(variable, " = tf.compat.v1.", type, "()"));
  lines.push_back(
      cat("with open(", literal(written.path), text ? ") as file:" : ", \"rb\") as file:"));
  lines.push_back(text ? cat("    text_format.Parse(file.read(), ", variable, ")")
                       : cat("    ", variable, ".ParseFromString(file.read())"));
  return lines;
}

Lines graph_lines(const Written& written, bool text) {
  Lines lines = message_lines(written, "GraphDef", text);
  lines.emplace_back("with tf.Graph().as_default():");
  lines.emplace_back("    tf.import_graph_def(graph_def, name=\"\")");
  add_session(lines, written, {});
  return lines;
}

Lines meta_lines(const Written& written, bool text) {
  Lines lines = text ? message_lines(written, "MetaGraphDef", true) : imports();
  lines.emplace_back("with tf.Graph().as_default():");
  lines.push_back(cat("    saver = tf.compat.v1.train.import_meta_graph(",
                      text ? std::string("meta_graph_def") : literal(written.path), ")"));
  add_session(lines, written, {});
  return lines;
}

// The name of a weight in files of arrays and in checkpoints; empty for a model without weights.
std::string first_weight(const Model& model) {
  if (model.checkpoint == nullptr) return "";
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (entry.key != kObjectGraphKey) return entry.key;
  }
  return "";
}

Lines checkpoint_lines(const Written& written) {
  const std::string path = literal(written.path);
  if (!written.model.has_graph) {
    return {"import tensorflow as tf", "", cat("checkpoint = tf.train.load_checkpoint(", path, ")"),
            "shapes = checkpoint.get_variable_to_shape_map()",
            cat("weight = checkpoint.get_tensor(", literal(first_weight(written.model)), ")")};
  }
  Lines lines = imports();
  lines.emplace_back("with tf.Graph().as_default():");
  lines.push_back(cat("    saver = tf.compat.v1.train.import_meta_graph(",
                      literal(cat(written.path, ".meta")), ")"));
  Lines first;
  if (written.has_values) first.push_back(cat("saver.restore(session, ", path, ")"));
  add_session(lines, written, first);
  return lines;
}

std::string tensor_zeros(const ArgumentInfo& tensor) {
  return cat("tf.zeros(", shape_literal(tensor.shape), ", tf.", dtype_name(tensor.dtype), ")");
}

// Loads by TensorFlow 2, and runs one signature.
Lines saved_model_lines(const Written& written) {
  const std::vector<SignatureInfo> signatures =
      signatures_of(with_serving_signature(written.model));
  Lines lines = {"import tensorflow as tf", "",
                 cat("model = tf.saved_model.load(", literal(written.path), ")")};
  if (signatures.empty()) return lines;
  const auto serving =
      std::find_if(signatures.begin(), signatures.end(),
                   [](const SignatureInfo& each) { return each.key == "serving_default"; });
  const SignatureInfo& signature = serving == signatures.end() ? signatures.front() : *serving;
  std::vector<std::string> arguments;
  for (const ArgumentInfo& each : signature.inputs) {
    arguments.push_back(cat(literal(each.key), ": ", tensor_zeros(each)));
  }
  lines.push_back(cat("function = model.signatures[", literal(signature.key), "]"));
  if (written.has_values)
    lines.push_back(cat("outputs = function(**{", join(arguments, ", "), "})"));
  return lines;
}

Lines tfjs_lines(const Written& written) {
  std::vector<std::string> inputs;
  for (const EndpointInfo& input : written.inputs) {
    const std::string dtype = type_of(input);
    const std::string shape = shape_literal(input.shape);
    const bool known = dtype == "float32" || dtype == "bool" || dtype == "complex64";
    const std::string value = dtype == "string"
                                  ? cat("tf.fill(", shape, ", \"\", \"string\")")
                                  : cat("tf.zeros(", shape, ", \"", known ? dtype : "int32", "\")");
    inputs.push_back(cat(literal(input.name), ": ", value));
  }
  std::vector<std::string> outputs;
  for (const std::string& output : written.outputs) outputs.push_back(literal(output));
  return {"import * as tf from \"@tensorflow/tfjs\";", "",
          cat("const model = await tf.loadGraphModel(", literal(written.path), "); // its URL"),
          cat("const inputs = { ", join(inputs, ", "), " };"),
          cat("const outputs = await model.executeAsync(inputs, [", join(outputs, ", "), "]);")};
}

Lines array_lines(const Written& written, std::string_view format) {
  const std::string name = first_weight(written.model);
  if (format == "npy") {
    const bool one = written.path.ends_with(".npy");
    const std::string path = one ? written.path : cat(written.path, "/", name, ".npy");
    return {"import numpy", "", cat("weight = numpy.load(", literal(path), ")")};
  }
  const bool safetensors = format == "safetensors";
  return {safetensors ? "from safetensors.numpy import load_file" : "import numpy", "",
          cat("weights = ", safetensors ? "load_file(" : "numpy.load(", literal(written.path), ")"),
          cat("weight = weights[", literal(name), "]")};
}

Lines lines_of(const Written& written, std::string_view format) {
  if (format.starts_with("savedmodel")) return saved_model_lines(written);
  if (format.starts_with("checkpoint")) return checkpoint_lines(written);
  if (format.starts_with("meta")) return meta_lines(written, format == "meta-pbtxt");
  if (format == "tfjs") return tfjs_lines(written);
  if (format.starts_with("pb")) return graph_lines(written, format == "pbtxt");
  return array_lines(written, format);
}

// Returns the path by which the written model is loaded.
std::string loaded_path(std::string path, std::string_view format) {
  if (format.starts_with("savedmodel") && base_name(path) == "saved_model.pbtxt") {
    path = folder_of(path);
  }
  const bool folder = path.ends_with('/');
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.empty()) path = ".";
  return format == "tfjs" && (folder || !path.ends_with(".json")) ? cat(path, "/model.json") : path;
}

// Adds the tensors that a graph is fed with and run to; those with a default need no value.
void add_endpoints(Written& to, const WrittenModel& written) {
  EndpointInfos endpoints = endpoints_of(written.model, written.ops, SIZE_MAX);
  for (EndpointInfo& input : endpoints.inputs) {
    if (!input.optional) to.inputs.push_back(std::move(input));
  }
  to.outputs = written.outputs;
  if (!to.outputs.empty()) return;
  for (const EndpointInfo& output : endpoints.outputs) {
    if (*output.chosen) to.outputs.push_back(output.name);
  }
}

// Adds the ops of the graph that a SavedModel's loader would run: here the program does.
void add_init_ops(Written& to, const Model& model) {
  tensorflow::MetaGraphDef meta = parse_meta(model);
  find_init_op(model.graph, meta);
  const NodeNames& names = model.graph.index().names();
  for (const std::string& op : init_ops(meta)) {
    if (names.find(op) != kNoNode) to.init.push_back(op);
  }
}

// Returns the lines that unpack a .zip, and makes the path of its content that of the model.
Lines unpacking(std::string& path) {
  const std::string zip = path;
  const std::string name = zip.substr(0, zip.size() - kZip.size());
  const std::string folder = cat(name, "_files");
  path = cat(folder, "/", base_name(name));
  return {"import shutil", "",
          cat("shutil.unpack_archive(", literal(zip), ", ", literal(folder), ")"), ""};
}

}  // namespace

void add_snippet(JsonWriter& members, const WrittenModel& written) {
  const Model& model = written.model;
  const Result<std::string_view> format = format_name(model, written.options);
  if (!format) return;
  Written to{model, written.options.out};
  Lines lines;
  if (to.path.ends_with(kZip)) lines = unpacking(to.path);
  to.path = loaded_path(to.path, *format);
  to.has_values = stats_of(model).variables == 0 || model.checkpoint != nullptr;
  if (model.has_graph) add_endpoints(to, written);
  if (model.has_graph) add_init_ops(to, model);
  for (std::string& line : lines_of(to, *format)) lines.push_back(std::move(line));
  members.key("snippet");
  members.object("language", *format == "tfjs" ? "javascript" : "python", "lines", lines);
}

}  // namespace cryo
