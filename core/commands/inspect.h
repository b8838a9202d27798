#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Adds the members of INTERFACE.md's report of `inspect`. `ops` may be null: unknown ops are then
// not reported.
void inspect(const Model& model, const OpRegistry* ops, JsonWriter& members);

// Parts of it that `list` and snippets show as well.

// A tensor that a graph begins or ends with.
struct EndpointInfo {
  std::string name = {};
  std::optional<DType> dtype = {};
  Shape shape = {true, {}};
  bool optional = false;  // an input that has a default
  std::string why = {};
  bool certain = false;
  std::optional<bool> chosen = {};  // of an output
};

void write_json(JsonWriter& json, const EndpointInfo& endpoint);

struct EndpointInfos {
  std::vector<EndpointInfo> inputs = {};
  std::vector<EndpointInfo> outputs = {};
  bool certain = false;  // of the outputs
};

// Returns the likely inputs and outputs, the first `most` of each.
EndpointInfos endpoints_of(const Model& model, const OpRegistry* ops, size_t most);

// An argument of a signature.
struct ArgumentInfo {
  std::string key = {};
  std::string name = {};  // of the tensor
  DType dtype = DType::kInvalid;
  Shape shape = {};  // of unknown rank if it is not a legal one
};

struct SignatureInfo {
  std::string key = {};
  std::string method = {};
  std::vector<ArgumentInfo> inputs = {};
  std::vector<ArgumentInfo> outputs = {};
};

// Returns the model's signatures, without the reserved ones. The last of a key counts.
std::vector<SignatureInfo> signatures_of(const Model& model);

// {"method", "inputs", "outputs"}
void write_json(JsonWriter& json, const SignatureInfo& signature);

}  // namespace cryo
