#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/write.h"
#include "model/model.h"
#include "validate/repair.h"

namespace cryo {

// Reports are JSON objects whose members come in the order in which a person would read them.
using Json = nlohmann::ordered_json;

// Returns JSON as text. Bytes that are not UTF-8 become U+FFFD.
std::string to_string(const Json& json);

// Adds a text that may have references (base/reference.h), in the words of the command line. With
// references its parts are added as "parts": {key: [...]}, for hosts that word them.
void put_text(Json& to, const char* key, std::string_view text);

// {"severity", "code", "where", "message", "fix", "fixable", "parts"}
Json to_json(const Diagnostic& diagnostic);
Json to_json(const Diagnostics& diagnostics);

Json to_json(const std::vector<Repaired>& repaired);  // [{"code", "where", "what"}]

Json to_json(const Shape& shape);  // [2, -1]; null for an unknown rank

// A whole number; a string beyond 2^53, which JavaScript's numbers do not hold.
Json to_json(uint64_t number);

// Returns {"verb", "model", "diagnostics"}, the beginning of every report.
Json new_report(std::string_view verb, const std::string& model, const Diagnostics& diagnostics);

// Appends findings that came after the report was begun, unless it has them.
void add_diagnostics(Json& report, const Diagnostics& diagnostics);

// Returns the outputs that a pass made a model for, from its report; empty if it has none.
std::vector<std::string> graph_outputs(const Json& report);

// "checked": {"tensors", "bytes"}: how much was compared with its stored checksum.
void add_checked(Json& report, const CheckCount& count);

// Adds "outputs": [{"path", "bytes"}], the written files.
void add_outputs(Json& report, const std::vector<OutputFile>& files);

}  // namespace cryo
