#include "formats/tensorflow/graph_def.h"

#include "base/reference.h"
#include "formats/pairing.h"
#include "formats/tfjs/tfjs.h"
#include "model/variables.h"
#include "wire/elide.h"
#include "wire/text/text_writer.h"

namespace cryo {
namespace {

const MessageSchema& graph_schema() { return message_schema("tensorflow.GraphDef"); }

Status check_graph(const Model& model, Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  if (model.checkpoint != nullptr && !variables_of(model).empty()) {
    diagnostics.warn("weights-left-out",
                     "a GraphDef holds no values of variables: they are not written", {},
                     "freeze the model first, or write a checkpoint: " OPTION("-o", "NAME.ckpt"));
  }
  return Unit{};
}

}  // namespace

Result<Model> read_graph_def(const OpenContext& context, const SourcePtr& file) {
  if (const SourcePtr manifest = old_tfjs_manifest(context, file)) {
    return read_tfjs(context, manifest);
  }
  Model model{Kind::kGraphDef, file->name(), {file}, true};
  TRY(skeleton, read_structure(context, file, graph_schema(), model));
  TRY(graph, Graph::parse(std::move(skeleton)));
  model.graph = std::move(graph);
  CHECK_OK(pair_checkpoint(model, context, file));
  return model;
}

Result<Files> write_graph_def(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics) {
  CHECK_OK(check_graph(model, diagnostics));
  TRY(content, expand(model.graph.skeleton(), graph_schema(), *model.payloads));
  return Files{{options.out, std::move(content)}};
}

Result<Files> write_graph_def_text(const Model& model, const WriteOptions& options,
                                   Diagnostics& diagnostics) {
  CHECK_OK(check_graph(model, diagnostics));
  TRY(content, write_text(model.graph.skeleton(), graph_schema(), *model.payloads, diagnostics));
  return Files{{options.out, std::move(content)}};
}

}  // namespace cryo
