#include "validate/graph/names.h"

#include "base/utf8.h"
#include "wire/utf8_fields.h"

namespace cryo {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool may_begin(char c) { return is_letter_or_digit(c) || c == '.'; }
bool may_follow(char c) { return may_begin(c) || c == '_' || c == '-' || c == '/'; }

void check_text(const Node& node, const MessageSchema& schema, const Reporter& reporter) {
  if (texts_are_utf8(node.bytes, schema)) return;
  reporter.error("not-utf8", {.node = node.name}, "Invalid GraphDef: a string of node ",
                 quoted(node.name), " is not UTF-8");
}

}  // namespace

bool is_node_name(std::string_view name, bool internal) {
  bool begins = true;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool good = begins ? may_begin(name[i]) || (i == 0 && internal && name[i] == '_')
                             : may_follow(name[i]) || name[i] == '>';
    if (!good) return false;
    begins = !begins && name[i] == '>';
  }
  return !begins;
}

void check_names(const std::vector<Node>& nodes, const NodeNames& names, bool internal,
                 const Reporter& reporter) {
  const MessageSchema& schema = message_schema("tensorflow.NodeDef");
  for (const Node& node : nodes) {
    if (!internal) check_text(node, schema, reporter);
    if (!is_node_name(node.name, internal)) {
      reporter.error("bad-node-name", {.node = node.name}, "Node ", quoted(node.name),
                     ": Node name contains invalid characters");
    }
    if (node.op.empty()) {
      reporter.error("no-op", {.node = node.name}, "Node ", quoted(node.name),
                     " does not specify an operation");
    }
  }
  for (const uint32_t duplicate : names.duplicates()) {
    const Node& node = nodes[duplicate];
    const bool is_copy = nodes[names.find(node.name)].bytes == node.bytes;
    reporter.error("duplicate-node-name", {.node = node.name, .fixable = is_copy}, "Node ",
                   quoted(node.name), " is not unique", is_copy ? ": it is there twice" : "");
  }
}

}  // namespace cryo
