#include "passes/edit/connections.h"

#include <algorithm>
#include <set>

#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/model_ops.h"
#include "passes/common/ports.h"
#include "validate/inferred_shapes.h"

namespace cryo {
namespace {

bool can_be_equal(const Shape& a, const Shape& b) {
  if (a.unknown_rank || b.unknown_rank) return true;
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](int64_t one, int64_t other) {
                      return one == other || one == kUnknownDim || other == kUnknownDim;
                    });
}

Failure bad_connection(std::string_view text, std::string_view why) {
  return failure("bad-option", cat(OPTION("--connect", "") " ", text, ": ", why), {},
                 "write " SETTING("--connect", "TENSOR=PLACEHOLDER")
                     ": a tensor of one model, and the placeholder of the other one that takes it");
}

// Both ends of a connection, in one direction; kNoNode where the model has no such node.
struct ConnectionEnds {
  bool into_first = true;
  std::string tensor = {};
  uint32_t source = kNoNode;
  uint32_t placeholder = kNoNode;
  bool found() const { return source != kNoNode && placeholder != kNoNode; }
};

const Model& model_of(const JoinedPair& models, bool first) {
  return first ? models.first : models.second;
}

// Returns the tensor's name in the joined graph; that of the second model may lack the scope.
std::string name_in(const JoinedPair& models, bool first, std::string_view text) {
  const bool known =
      model_of(models, first).graph.index().names().find(parse_tensor_name(text).node) != kNoNode;
  if (first || known || models.scope.empty()) return std::string(text);
  return cat(models.scope, "/", text);
}

uint32_t find_in(const JoinedPair& models, bool first, std::string_view text) {
  const TensorName name = parse_tensor_name(text);
  return name.control ? kNoNode : model_of(models, first).graph.index().names().find(name.node);
}

ConnectionEnds ends_of(const JoinedPair& models, bool into_first, std::string_view from,
                       std::string_view to) {
  ConnectionEnds ends{into_first, name_in(models, !into_first, from)};
  ends.source = find_in(models, !into_first, ends.tensor);
  ends.placeholder = find_in(models, into_first, name_in(models, into_first, to));
  return ends;
}

bool takes_tensor(const JoinedPair& models, const ConnectionEnds& ends) {
  if (!ends.found()) return false;
  return is_placeholder(model_of(models, ends.into_first).graph.nodes()[ends.placeholder].op);
}

Failure unknown_name(const JoinedPair& models, std::string_view text, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Model* each : {&models.first, &models.second}) {
    for (const Node& node : each->graph.nodes()) names.push_back(node.name);
  }
  return failure("not-in-graph",
                 cat(OPTION("--connect", "") " ", text, ": neither model has a node ", quoted(name),
                     did_you_mean(name, names)),
                 {}, LIST("nodes", "nodes") ", of each model");
}

// Explains why neither direction is one.
Failure refuse(const JoinedPair& models, std::string_view text, std::string_view from,
               std::string_view to, const ConnectionEnds& one, const ConnectionEnds& other) {
  if (one.source == kNoNode && other.source == kNoNode) return unknown_name(models, text, from);
  if (one.placeholder == kNoNode && other.placeholder == kNoNode)
    return unknown_name(models, text, to);
  if (!one.found() && !other.found()) {
    return bad_connection(
        text, cat("both are of ", quoted(model_of(models, one.source == kNoNode).name)));
  }
  const ConnectionEnds& found = one.found() ? one : other;
  const Node& node = model_of(models, found.into_first).graph.nodes()[found.placeholder];
  return failure("not-a-placeholder",
                 cat(OPTION("--connect", "") " ", text, ": expected a placeholder; '", node.name,
                     "' is a ", node.op),
                 {.node = node.name}, LIST("placeholders", "inputs") ", of each model");
}

Result<Connection> read_connection(const JoinedPair& models, const std::string& text,
                                   Diagnostics& diagnostics) {
  const size_t equals = text.find('=');
  const std::string_view from = std::string_view(text).substr(0, equals);
  const std::string_view to =
      equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1);
  if (from.empty() || to.empty()) return bad_connection(text, "expected TENSOR=PLACEHOLDER");
  const ConnectionEnds theirs = ends_of(models, true, from, to);
  const ConnectionEnds ours = ends_of(models, false, from, to);
  if (!takes_tensor(models, theirs) && !takes_tensor(models, ours))
    return refuse(models, text, from, to, theirs, ours);
  const ConnectionEnds& chosen = takes_tensor(models, theirs) ? theirs : ours;
  if (takes_tensor(models, theirs) && takes_tensor(models, ours)) {
    diagnostics.note(
        "connect-both-ways",
        cat(OPTION("--connect", "") " ", text, " was read as ", theirs.tensor, "=", to,
            ", a tensor of '", models.second.name, "' to a placeholder of '", models.first.name,
            "'; both models have both names"),
        {},
        cat("for the other direction: ",
            setting("--connect",
                    cat(from, "=", name_in(models, false, cat(models.scope, "/", to))))));
  }
  Connection connection{chosen.into_first, chosen.tensor, chosen.placeholder};
  return connection;
}

// Finds the type and the shape of the tensor, and compares them with the placeholder's.
Status check_connection(const JoinedPair& models, const OpRegistry* ops, const std::string& text,
                        Connection& connection) {
  const Model& from = model_of(models, !connection.into_first);
  const NodeNames& names = from.graph.index().names();
  const std::optional<OpRegistry> known =
      ops ? std::optional(with_model_ops(from, *ops)) : std::nullopt;
  CHECK_OK(check_ports(from, names, {connection.tensor}, known ? &*known : nullptr));
  const TensorName name = parse_tensor_name(connection.tensor);
  const uint32_t source = names.find(name.node);
  const Node& node = from.graph.nodes()[source];
  const auto dtype = output_dtype(node, name.port, known ? &*known : nullptr);
  if (!dtype) {
    return failure("unknown-type",
                   cat("the type of '", connection.tensor, "' is not known: the op ", node.op,
                       " has no known definition"),
                   {.node = node.name}, "name another tensor");
  }
  connection.dtype = *dtype;
  connection.shape =
      inferred_shapes(from, ops, {{{source, name.port}, Shape()}}).at({source, name.port});
  if (connection.shape.unknown_rank) connection.shape = output_shape(node, name.port);
  const Node& target =
      model_of(models, connection.into_first).graph.nodes()[connection.placeholder];
  const auto wanted = static_cast<DType>(type_attr(target, "dtype").value_or(0));
  const Shape shape = output_shape(target, 0);
  if (wanted == connection.dtype && can_be_equal(shape, connection.shape)) return Unit{};
  return failure("connect-mismatch",
                 cat(OPTION("--connect", "") " ", text, ": '", connection.tensor, "' is ",
                     dtype_name(connection.dtype), " ", to_text(connection.shape), "; '",
                     target.name, "' takes ", dtype_name(wanted), " ", to_text(shape)),
                 {.node = target.name},
                 cat("change the placeholder in an edit before this one: ",
                     OPTION("--placeholder", "NAME=TYPE[SIZES]")));
}

}  // namespace

Result<std::vector<Connection>> read_connections(const JoinedPair& models,
                                                 const std::vector<std::string>& connect,
                                                 const OpRegistry* ops, Diagnostics& diagnostics) {
  std::vector<Connection> connections;
  std::set<std::string> placeholders;
  for (const std::string& text : connect) {
    TRY(connection, read_connection(models, text, diagnostics));
    CHECK_OK(check_connection(models, ops, text, connection));
    const Model& target = connection.into_first ? models.first : models.second;
    const std::string name(target.graph.nodes()[connection.placeholder].name);
    if (!placeholders.insert(name).second) {
      return bad_connection(text, cat(quoted(name), " is connected twice"));
    }
    connections.push_back(std::move(connection));
  }
  return connections;
}

}  // namespace cryo
