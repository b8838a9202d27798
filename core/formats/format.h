#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/damaged_part.h"
#include "formats/open.h"
#include "formats/recognize.h"
#include "formats/write.h"
#include "wire/schema.h"

namespace cryo {

using Files = std::vector<OutputFile>;

// The context of a reader, in addition to the file that a model is opened by: all files that may
// belong to it.
class OpenContext {
 public:
  // REQUIRES: all of it outlives the opening.
  OpenContext(const std::vector<SourcePtr>& all, const OpenOptions& asked, Diagnostics& log,
              Checks& list, DamagedParts& lost);

  // nullptr where there is no file of this name; the first, where there are several.
  SourcePtr find(std::string_view name) const;

  // Returns the list that makes a reader read on after damage; null if the options do not request
  // it.
  DamagedParts* salvaged() const { return options.salvage ? &losses : nullptr; }

  const std::vector<SourcePtr>& files;
  const OpenOptions& options;
  Diagnostics& diagnostics;
  Checks& checks;           // receives the checksums that the files state
  DamagedParts& losses;     // of containers that are read despite damage
  std::string beside = {};  // the prefix of the checkpoint that a graph with variables may take

 private:
  std::vector<const SourcePtr*> by_name_;
};

// The facts of a format, from its row under "formats" in commands/surface.json.
struct FormatFacts {
  std::string_view name;    // the value of --as
  std::string_view ending;  // of an OUT that asks for it; "/" is a folder
  bool is_for_arrays;       // holds weights and no graph
  bool has_signatures;
  bool has_collections;  // lists variables, and how they are initialized
};

// A file format of models. To add one: its row in surface.json, its reader and writer in
// core/formats/, its signature in recognize.cc, its row in format.cc.
struct Format : FormatFacts {
  FileKind kind;  // of the file that such a model is opened by

  // nullptr if the format is only written, or only read.
  Result<Model> (*read)(const OpenContext& context, const SourcePtr& file);
  Result<Files> (*write)(const Model& model, const WriteOptions& options, Diagnostics& diagnostics);

  // Returns true if `other` is a part of the model that is opened by `file`, and so not a model
  // itself. nullptr if the format has one file.
  bool (*owns)(std::string_view file, std::string_view other);

  // Returns the common beginning of the names of all parts: the folder, or the checkpoint's prefix.
  // Ownership of a part depends only on this.
  std::string (*stem)(std::string_view file);

  // True if such files are left by a training next to its models: one is opened from a folder only
  // if nothing else is a model there.
  bool is_record = false;
};

std::span<const Format> formats();

// Returns the format of a file; nullptr if no row reads it.
const Format* find_format(FileKind kind);

// The structure of a file, be it binary or text: as elide() gives it, in wire format. Adds to the
// model's payloads. If the options request it, a damaged binary file gives its whole parts, and the
// model lists the others.
Result<std::string> read_structure(const OpenContext& context, const SourcePtr& file,
                                   const MessageSchema& schema, Model& model);

}  // namespace cryo
