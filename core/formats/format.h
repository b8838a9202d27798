#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/open.h"
#include "formats/recognize.h"
#include "formats/write.h"
#include "wire/schema.h"

namespace cryo {

using Files = std::vector<OutputFile>;

// What a reader is given besides the file that a model is opened by: all that may belong to it.
class Opening {
 public:
  // REQUIRES: all of it outlives the opening.
  Opening(const std::vector<SourcePtr>& all, const OpenOptions& asked, Diagnostics& told,
          Checks& list);

  // nullptr where there is no file of this name; the first, where there are several.
  SourcePtr find(std::string_view name) const;

  const std::vector<SourcePtr>& files;
  const OpenOptions& options;
  Diagnostics& diagnostics;
  Checks& checks;           // receives the checksums that the files state
  std::string beside = {};  // the prefix of the checkpoint that a graph with variables may take

 private:
  std::vector<const SourcePtr*> by_name_;
};

// A way of keeping a model. To add one: its reader and writer in model/formats/, how its bytes are
// told in recognise.cc, its row in format.cc.
struct Format {
  std::string_view name;    // what --as takes
  std::string_view ending;  // of an OUT that asks for it; "/" is a folder
  FileKind kind;            // of the file that such a model is opened by

  // nullptr where it is only written, or only read.
  Result<Model> (*read)(const Opening& opening, const SourcePtr& file);
  Result<Files> (*write)(const Model& model, const WriteOptions& options, Diagnostics& diagnostics);

  // Whether `other` is a part of the model that is opened by `file`, and so no model of its own.
  // nullptr where nothing is.
  bool (*owns)(std::string_view file, std::string_view other);

  // What the names of all its parts begin with: its folder, or its checkpoint's prefix. Whether it
  // owns a part goes by this alone.
  std::string (*stem)(std::string_view file);

  // Whether it lists variables, and how they are initialized, in collections.
  bool has_collections = false;
};

std::span<const Format> formats();

// nullptr where no row reads such a file.
const Format* find_format(FileKind kind);

// The structure of a file, be it binary or text: as elide() gives it, in wire format.
Result<std::string> read_structure(const SourcePtr& file, const MessageSchema& schema,
                                   Payloads& payloads, Diagnostics& diagnostics);

}  // namespace cryo
