#include "passes/edit/added_signatures.h"

#include <algorithm>
#include <optional>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/model_ops.h"
#include "passes/common/ports.h"
#include "passes/common/select_outputs.h"
#include "validate/inferred_shapes.h"

namespace cryo {
namespace {

constexpr std::string_view kArrow = "->";

struct Argument {
  std::string name;
  std::string tensor;
  Edge edge;
};

struct WrittenSignature {
  std::string key;
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
};

Failure bad_signature(std::string_view text, std::string_view expected) {
  const bool cut = text.ends_with('-');
  return failure(
      "bad-option",
      cat(OPTION("--add-signature", ""), ": expected ", expected, "; found ", quoted(text)), {},
      cat("write " SETTING("--add-signature", "score=image->probs"),
          cut ? ", in quotes: a shell takes > as the name of a file to write" : ""));
}

// Reads "x=net/image,mask:1".
Result<std::vector<Argument>> read_arguments(const Model& model, std::string_view list,
                                             const std::string& signature) {
  std::vector<Argument> arguments;
  for (const std::string_view item : split(list, ',')) {
    const size_t equals = item.find('=');
    const bool named = equals != std::string_view::npos;
    const std::string tensor(named ? item.substr(equals + 1) : item);
    if (tensor.empty() || equals == 0) {
      return bad_signature(signature, "tensors, or NAME=TENSOR, separated by commas");
    }
    TRY(edge, find_endpoint(model, model.graph.index().names(), tensor));
    const std::string_view node = model.graph.nodes()[edge.node].name;
    std::string name(named ? item.substr(0, equals) : base_name(node));
    const auto same = [&](const Argument& other) { return other.name == name; };
    if (std::any_of(arguments.begin(), arguments.end(), same)) {
      return failure("bad-option",
                     cat("two inputs, or two outputs, of the signature would be named ",
                         quoted(name), ": ", signature),
                     {.node = node}, cat("name this one: ", name, "_2=", tensor));
    }
    arguments.push_back({std::move(name), tensor, edge});
  }
  return arguments;
}

Result<WrittenSignature> read_signature(const Model& model, const std::string& text) {
  const size_t equals = text.find('=');
  const size_t arrow = text.find(kArrow);
  if (arrow == std::string::npos || equals > arrow || equals == 0) {
    return bad_signature(text, "KEY=INPUT,...->OUTPUT,...");
  }
  WrittenSignature signature{text.substr(0, equals), {}, {}};
  if (is_reserved_signature(signature.key)) {
    return bad_signature(text, "a key that TensorFlow's loaders do not reserve");
  }
  const std::string_view inputs = std::string_view(text).substr(equals + 1, arrow - equals - 1);
  const std::string_view outputs = std::string_view(text).substr(arrow + kArrow.size());
  if (outputs.empty()) return bad_signature(text, "an output after ->");
  if (!inputs.empty()) {
    TRY(read, read_arguments(model, inputs, text));
    signature.inputs = std::move(read);
  }
  TRY(read, read_arguments(model, outputs, text));
  signature.outputs = std::move(read);
  return signature;
}

template <typename Infos>
Status add_infos(const Model& model, const std::vector<Argument>& arguments,
                 const TensorShapes& shapes, const OpRegistry* ops, Infos& infos) {
  for (const Argument& argument : arguments) {
    const Edge& edge = argument.edge;
    const Node& node = model.graph.nodes()[edge.node];
    const std::string name = cat(node.name, ":", edge.port);
    const auto dtype = output_dtype(node, edge.port, ops);
    if (!dtype) {
      return failure("unknown-type",
                     cat("the type of '", name, "' is not known: the op ", node.op,
                         " has no known ", "definition, or no such output"),
                     {.node = node.name}, "name another tensor");
    }
    const Shape& inferred = shapes.at({edge.node, edge.port});
    auto& entry = *infos.Add();
    entry.set_key(argument.name);
    entry.mutable_value()->set_name(name);
    entry.mutable_value()->set_dtype(static_cast<tensorflow::DataType>(*dtype));
    *entry.mutable_value()->mutable_tensor_shape() =
        to_proto(inferred.unknown_rank ? output_shape(node, edge.port) : inferred);
  }
  return Unit{};
}

std::string listed(const std::vector<Argument>& arguments) {
  std::vector<std::string> texts;
  for (const Argument& each : arguments) texts.push_back(cat(each.name, " = ", each.tensor));
  return texts.empty() ? "nothing" : join(texts, ", ");
}

// Reads the signatures, and the tensors that they name.
Result<std::vector<WrittenSignature>> read_signatures(const Model& model,
                                                      const std::vector<std::string>& texts,
                                                      const OpRegistry* ops, TensorShapes& shapes) {
  std::vector<WrittenSignature> added;
  std::vector<std::string> tensors;
  for (const std::string& text : texts) {
    TRY(signature, read_signature(model, text));
    for (const auto* list : {&signature.inputs, &signature.outputs}) {
      for (const Argument& each : *list) {
        tensors.push_back(each.tensor);
        shapes.emplace(std::pair(each.edge.node, each.edge.port), Shape());
      }
    }
    added.push_back(std::move(signature));
  }
  CHECK_OK(check_ports(model, model.graph.index().names(), tensors, ops));
  return added;
}

}  // namespace

Result<Model> with_added_signatures(const Model& model, const std::vector<std::string>& requested,
                                    const OpRegistry* known_ops, GraphChanges& changes) {
  if (requested.empty()) return model;
  if (!object_graph_of(model).empty() && model.graph.is_as_read()) {
    return failure("not-frozen",
                   "TensorFlow 2 takes the signatures of this SavedModel from its functions", {},
                   "freeze it first: " RUN("freeze", "frozen/"));
  }
  const std::optional<OpRegistry> known =
      known_ops ? std::optional(with_model_ops(model, *known_ops)) : std::nullopt;
  const OpRegistry* ops = known ? &*known : nullptr;
  TensorShapes shapes;
  TRY(added, read_signatures(model, requested, ops, shapes));
  shapes = inferred_shapes(model, known_ops, std::move(shapes));
  tensorflow::MetaGraphDef meta = parse_meta(model);
  auto& all = *meta.mutable_signature_def();
  for (const WrittenSignature& each : added) {
    const auto same = [&](const auto& entry) { return entry.key() == each.key; };
    if (std::any_of(all.begin(), all.end(), same)) {
      return failure("signature-exists", cat("the model has a signature '", each.key, "' already"),
                     {}, "choose another key; " LIST("signatures", "signatures"));
    }
    auto& entry = *all.Add();
    entry.set_key(each.key);
    auto& signature = *entry.mutable_value();
    signature.set_method_name("tensorflow/serving/predict");
    CHECK_OK(add_infos(model, each.inputs, shapes, ops, *signature.mutable_inputs()));
    CHECK_OK(add_infos(model, each.outputs, shapes, ops, *signature.mutable_outputs()));
    changes.push_back(
        {each.key, kSignatureAdded,
         cat("is a signature now: ", listed(each.inputs), " gives ", listed(each.outputs)), false});
  }
  Model made = model;
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
