#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/json_writer.h"
#include "formats/write.h"

namespace cryo {

// The report of a verb (INTERFACE.md): what every report begins with, and the members of the verb's
// own, which are written as JSON when they are known. Members come in the order in which a person
// would read them.
struct Report {
  std::string verb = {};
  std::string model = {};
  Diagnostics diagnostics = {};
  JsonWriter members = {};
};

// Adds "verb", "model" and "diagnostics".
void add_head(JsonWriter& json, const Report& report);

// {"verb", "model", "diagnostics", ...}
void write_json(JsonWriter& json, const Report& report);

// Adds texts, each with its name, in the words of the command line. If one has references
// (base/reference.h), "parts" follows it for hosts that word them: {name: [...]} of each that has.
void write_texts(JsonWriter& json,
                 const std::vector<std::pair<std::string_view, std::string_view>>& texts);

// {"severity", "code", "where", "message", "fix", "fixable", "parts"}
void write_json(JsonWriter& json, const Diagnostic& diagnostic);
void write_json(JsonWriter& json, const Diagnostics& diagnostics);

// {"file", "offset", "function", "node", "input", "attr", "tensor"}, as far as they apply.
void write_json(JsonWriter& json, const Location& where);

// Adds findings that came after the report was begun, unless it has them.
void add_diagnostics(Report& report, const Diagnostics& diagnostics);

// Adds "checked": {"tensors", "bytes"}: how much was compared with its stored checksum.
void add_checked(Report& report, const CheckCount& count);

// Adds "outputs": [{"path", "bytes"}], the written files.
void add_outputs(Report& report, const std::vector<OutputFile>& files);

}  // namespace cryo
