// The JSON form of a graph: of JSON, and of a message on the wire. What is written is read as what
// it was.

#include "input.h"
#include "targets.h"
#include "wire/json/json_form.h"

namespace cryo::fuzz {
namespace {

const MessageSchema& schema() { return message_schema("tensorflow.GraphDef"); }

bool write(const std::string& wire, std::string& json) {
  std::set<std::string> unknown;
  JsonWriter writer;
  const bool written = write_json_form(writer, wire, schema(), unknown).ok();
  json = writer.take();
  return written;
}

bool read(const std::string& json, std::string& wire) {
  const auto tree = JsonTree::parse(json, "m");
  if (!tree) return false;
  std::set<std::string> unknown;
  auto read = wire_of_json(tree->root(), schema(), unknown);
  if (read) wire = std::move(*read);
  return read.ok();
}

}  // namespace

void fuzz_json(std::string_view input) {
  std::string wire;
  if (!read(std::string(input), wire)) wire = input;
  std::string json, again;
  if (!write(wire, json)) return;
  assert(read(json, wire));
  assert(write(wire, again));
  assert(again == json);
}

}  // namespace cryo::fuzz
