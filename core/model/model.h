#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/shared.h"
#include "checkpoint/checkpoint.h"
#include "graph/graph.h"
#include "model/lost.h"
#include "model/meta_def.h"
#include "model/restores.h"
#include "wire/payloads.h"

namespace cryo {

// The kind of the opened file, as reports name it.
enum class Kind {
  kGraphDef,
  kMetaGraph,
  kSavedModel,
  kCheckpoint,
  kTfjs,
  kTflite,
  kNpz,
  kSafetensors,
  kEvents  // a graph that a summary writer recorded
};
std::string_view kind_name(Kind kind);  // "graph-def", "tfjs-graph-model", "npz", ...

// The parts of a SavedModel other than the chosen MetaGraphDef. The other MetaGraphDefs are before
// and after it, as fields of the SavedModel message, bulk elided.
struct SavedModelParts {
  std::string before = {};
  std::string after = {};

  // Files of the folder, by their path in it ("assets/vocab.txt").
  struct File {
    std::string path = {};
    SourcePtr source = {};
  };
  std::vector<File> variables = {};  // the checkpoint's, and others in its folder
  std::vector<File> others = {};     // assets, fingerprint, ...

  std::shared_ptr<const Checkpoint> checkpoint = {};  // the contents of `variables`
};

// The parts of a TensorFlow.js model other than its graph.
struct TfjsParts {
  // All its files, the model.json first. Empty if they cannot be written verbatim: one is missing,
  // or its name leads out of the folder.
  std::vector<SavedModelParts::File> files = {};
  MetaDef meta = {};       // Model::meta when those were read
  bool quantized = false;  // some of its weights are

  // Members of the model.json that say nothing of the graph, and of its userDefinedMetadata: name,
  // JSON.
  using Members = std::vector<std::pair<std::string, std::string>>;
  Members members = {};
  Members metadata = {};

  // A weight that is not a constant of the graph (of the modelInitializer): its entry in the
  // manifest, its bytes as stored.
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

  // The MetaGraphDef, bulk elided, with an empty graph_def in the graph's place; empty for a bare
  // GraphDef.
  MetaDef meta = {};

  // Bulk that the graph and `meta` name by handles. A pass adds to a table of its own above this
  // one (make_model()).
  std::shared_ptr<Payloads> payloads = std::make_shared<Payloads>();

  // Nodes that no output needs and that initialize the variables, as pruning keeps them for
  // formats with collections. Others are written without them (model/variable_initializers.h).
  std::vector<std::string> variable_initializers = {};

  // The outputs that a pass pruned it to; empty for a model as it was opened.
  std::vector<std::string> outputs = {};

  // The key that the saver restores each variable from, if it is not the variable's own name.
  // Recorded when the model is opened, because a pass may remove the saver.
  Shared<Restores> restores = {};

  // Values of variables; null if there are none.
  std::shared_ptr<const Checkpoint> checkpoint = nullptr;

  // The parts that are not whole, of files that were opened to salvage the others.
  LostParts lost = {};

  // The checksums that the opened files state: of each model that this one was made from.
  CheckLists checks = {};

  // Set for a SavedModel; else null.
  std::shared_ptr<const SavedModelParts> saved_model = nullptr;

  // Set for a TensorFlow.js model; else null.
  std::shared_ptr<const TfjsParts> tfjs = nullptr;
};

}  // namespace cryo
