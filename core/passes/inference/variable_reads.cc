#include "passes/inference/variable_reads.h"

#include "base/text.h"
#include "graph/op_facts.h"
#include "graph/pass_through.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr int kMaxHandedOn = 8;

bool hands_variable_on(std::string_view op) { return has_fact(op, kReads) || is_pass_through(op); }

}  // namespace

uint32_t variable_of(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  const uint32_t source =
      skip_pass_through(nodes, edges, tensor, kMaxHandedOn, hands_variable_on).node;
  return source != kNoNode && is_variable(nodes[source].op) ? source : kNoNode;
}

const std::string& VariableReads::of(uint32_t variable) {
  std::string& read = reads_[variable];
  if (!read.empty()) return read;
  const std::vector<Node>& nodes = graph_.nodes();
  const Node& node = nodes[variable];
  const bool ref = is_ref_variable(node.op);
  const std::string usual = cat(node.name, ref ? "/read" : "/Read/ReadVariableOp");
  const uint32_t found = graph_.index().names().find(usual);
  const auto is_plain = [&](const Node& each) { return each.input_count == 1; };
  if (found != kNoNode && is_plain(nodes[found]) &&
      variable_of(nodes, graph_.index().edges(), {found, 0}) == variable) {
    return read = usual;
  }
  read = editor_.fresh_name(usual);
  NodeEditor made(read, ref ? "Identity" : "ReadVariableOp");
  made.add_input(node.name);
  made.set_attr(ref ? "T" : "dtype", type_value(type_attr(node, "dtype").value_or(0)));
  editor_.add(made.finish());
  return read;
}

}  // namespace cryo
