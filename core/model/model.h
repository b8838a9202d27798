#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "graph/graph.h"
#include "model/restores.h"
#include "wire/payloads.h"

namespace cryo {

// What was opened, as reports name it.
enum class Kind { kGraphDef, kMetaGraph, kSavedModel, kCheckpoint, kTfjs, kNpz, kSafetensors };
std::string_view kind_name(Kind kind);  // "graph-def", "tfjs-graph-model", "npz", ...

// What a SavedModel holds besides the MetaGraphDef that was chosen. The other MetaGraphDefs lie
// before and after it, as fields of the SavedModel message, bulk elided.
struct SavedModelParts {
  std::string before = {};
  std::string after = {};

  // Files of the folder, by their path in it ("assets/vocab.txt").
  struct File {
    std::string path = {};
    SourcePtr source = {};
  };
  std::vector<File> variables = {};  // the checkpoint's, and whatever else lies there
  std::vector<File> others = {};     // assets, fingerprint, ...

  std::shared_ptr<const Checkpoint> checkpoint = {};  // what `variables` holds
};

// What a TensorFlow.js model holds besides its graph.
struct TfjsParts {
  // All its files, the model.json first; none where they cannot be written as they are: one is
  // missing, or its name leads out of the folder.
  std::vector<SavedModelParts::File> files = {};
  std::string meta = {};   // what Model::meta was when those were read
  bool quantized = false;  // some of its weights are

  // Members of the model.json that say nothing of the graph, and of its userDefinedMetadata: name,
  // JSON.
  using Members = std::vector<std::pair<std::string, std::string>>;
  Members members = {};
  Members metadata = {};

  // Weights that are no constants of the graph (those of the modelInitializer): their entries in
  // the manifest, their bytes as stored.
  struct Weight {
    std::string entry = {};
    Splice content = {};
  };
  std::vector<Weight> others = {};
};

// A model: a graph, or a graph with weights, or weights alone. A value: passes make new ones,
// copies share the bytes.
struct Model {
  Kind kind = Kind::kGraphDef;
  std::string name = {};              // the file or prefix it was opened by
  std::vector<SourcePtr> files = {};  // all that were opened
  bool has_graph = false;
  Graph graph = {};

  // The MetaGraphDef, bulk elided, with an empty graph_def where the graph stood; empty for a bare
  // GraphDef.
  std::string meta = {};

  // Bulk that the graph and `meta` name by handles. Shared by all models made from the same opened
  // one.
  std::shared_ptr<Payloads> payloads = std::make_shared<Payloads>();

  // Nodes that no output needs and that initialize the variables, as pruning keeps them for
  // formats with collections. Others are written without them (model/for_variables.h).
  std::vector<std::string> for_variables = {};

  // What the saver restores each variable from, where that is not the variable's own name; told
  // when the model is opened, for a pass may take the saver away.
  Restores restores = {};

  // Values of variables; null where there are none.
  std::shared_ptr<const Checkpoint> checkpoint = nullptr;

  // The checksums that the opened files state: of each model that this one was made from.
  CheckLists checks = {};

  // Of a SavedModel; else null.
  std::shared_ptr<const SavedModelParts> saved_model = nullptr;

  // Of a TensorFlow.js model; else null.
  std::shared_ptr<const TfjsParts> tfjs = nullptr;
};

}  // namespace cryo
