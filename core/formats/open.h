#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

struct OpenOptions {
  std::string path = {};        // which of the files was asked for; empty: the one model among them
  std::string checkpoint = {};  // the prefix of the checkpoint that belongs to the graph
  std::vector<std::string> tags = {};  // of the MetaGraphDef that is meant, of a SavedModel
  bool no_checksum = false;            // do not check stored CRCs
};

// Opens the model among `files`: the files that a host found beside what was asked for, opened
// lazily, named with '/' relative to one folder. A `.meta` finds the checkpoint of its prefix, a
// checkpoint finds its `.meta`, a folder's `checkpoint` file says which of several is meant. Reads
// structure only: no tensor's bytes.
//
// Fails where there is no model, or several; where a file is damaged, and where; what a file is
// that is none.
Result<Model> open(const std::vector<SourcePtr>& files, const OpenOptions& options,
                   Diagnostics& diagnostics);

}  // namespace cryo
