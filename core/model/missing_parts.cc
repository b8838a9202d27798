#include "model/missing_parts.h"

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/object_graph.h"

namespace cryo {

bool is_checkpoint_of_objects(const Model& model) {
  return model.checkpoint != nullptr && model.checkpoint->find(kObjectGraphKey) != nullptr;
}

MissingPart missing_checkpoint(const Model& model) {
  switch (model.kind) {
    case Kind::kSavedModel:
      return {"the SavedModel has variables, and no checkpoint in its folder variables/",
              "copy the folder `variables` of the SavedModel again"};
    case Kind::kEvents:
      return {"an event file holds the graph alone, without the values of its variables",
              ADVICE("name-checkpoint")};
    case Kind::kGraphDef:
      return {"a GraphDef holds no values of variables, and no checkpoint was found next to it",
              ADVICE("give-checkpoint")};
    default:
      return {"the model has variables, but no checkpoint was found", ADVICE("give-checkpoint")};
  }
}

MissingPart missing_graph(const Model& model) {
  const std::string message = cat("'", model.name, "' holds weights and no graph");
  if (is_checkpoint_of_objects(model)) {
    return {cat(message, ": it is a checkpoint of tf.train.Checkpoint or of Keras"),
            "export the model from the program that made it: tf.saved_model.save(model, 'DIR')"};
  }
  if (model.kind == Kind::kCheckpoint) return {message, ADVICE("give-graph")};
  return {message, "transfer them into a model that has a graph"};
}

}  // namespace cryo
