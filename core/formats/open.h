#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

struct OpenOptions {
  std::string path = {};        // the requested one of the files; empty: the only model among them
  std::string checkpoint = {};  // the prefix of the checkpoint that belongs to the graph
  // The tags of the MetaGraphDef in a SavedModel, which may be none. nullopt: those of the only
  // one, else "serve".
  std::optional<std::vector<std::string>> tags = {};
  bool no_checksum = false;  // do not check stored CRCs
  bool salvage = false;      // of damaged files, what is whole (Model::lost)
  std::string capped = {};   // a folder of which not all files are here (Gathering::capped)
};

// Opens the model among `files`: the files that a host found next to the requested one, opened
// lazily, named with '/' relative to one folder. A `.meta` finds the checkpoint of its prefix; a
// checkpoint finds its `.meta`; a folder's `checkpoint` file selects one of several. Reads only
// structure: no tensor's bytes.
//
// Warns of "too-many-files" if some were not gathered, and the model may be among them. Fails if no
// model, or more than one, is found; if a file is damaged (with its offset); or if it
// is another kind of file (which is named).
Result<Model> open(const std::vector<SourcePtr>& files, const OpenOptions& options,
                   Diagnostics& diagnostics);

}  // namespace cryo
