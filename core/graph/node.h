#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/cursor.h"
#include "wire/map_entry.h"

namespace cryo {

// A tensor or a control edge as a node's input names it: "conv/Relu", "Split:1", "^init".
struct TensorName {
  std::string_view node;
  uint32_t port = 0;
  bool control = false;
};

// Reads a name as TensorFlow does (ParseTensorName): a last ":digits" is the port, and wraps at 32
// bits; anything else is part of the node's name.
TensorName parse_tensor_name(std::string_view text);

// Returns the port in a tensor's name, as spelled: ":1", ":00", or nothing.
inline std::string_view port_text(std::string_view text) {
  const TensorName name = parse_tensor_name(text);
  return text.substr(name.node.size() + (name.control ? 1 : 0));
}

// "Split:1", and "Relu" for port 0.
std::string to_text(const TensorName& name);

// The data and control inputs of a node, in order, read from its bytes on iteration.
class NodeInputs {
 public:
  class Iterator {
   public:
    explicit Iterator(std::string_view bytes) : cursor_(bytes) { ++*this; }
    Iterator() : cursor_({}), done_(true) {}
    std::string_view operator*() const { return cursor_.field().bytes; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return done_ == other.done_; }

   private:
    WireCursor cursor_;
    bool done_ = false;
  };
  explicit NodeInputs(std::string_view bytes) : bytes_(bytes) {}
  Iterator begin() const { return Iterator(bytes_); }
  Iterator end() const { return Iterator(); }

 private:
  std::string_view bytes_;
};

// A NodeDef in a graph's storage: views; only the fields that every pass reads are parsed.
//
//     0A name | 12 op | 1A input  1A input  1A ^input | 22 device | 2A {key value}  2A {key value}
//                       inputs_begin ...... inputs_end
struct Node {
  std::string_view bytes = {};  // the NodeDef message, bulk elided
  std::string_view name = {};
  std::string_view op = {};
  uint32_t inputs_begin = 0;  // the part of `bytes` in which the input fields lie
  uint32_t inputs_end = 0;
  uint32_t input_count = 0;

  NodeInputs inputs() const {
    return NodeInputs(bytes.substr(inputs_begin, inputs_end - inputs_begin));
  }
};

// REQUIRES: `bytes` outlives the node.
Result<Node> scan_node(std::string_view bytes);

// The AttrValue message of an attribute; the last of a name counts.
std::optional<std::string_view> find_attr(const Node& node, std::string_view key);

// Return an attribute's value of one kind; nullopt if the attribute is absent or of another kind.
std::optional<int> type_attr(const Node& node, std::string_view key);  // a DataType
std::optional<int64_t> int_attr(const Node& node, std::string_view key);
std::optional<float> float_attr(const Node& node, std::string_view key);
std::optional<bool> bool_attr(const Node& node, std::string_view key);
std::optional<std::string_view> string_attr(const Node& node, std::string_view key);
// A TensorProto; a TensorShapeProto.
std::optional<std::string_view> tensor_attr(const Node& node, std::string_view key);
std::optional<std::string_view> shape_attr(const Node& node, std::string_view key);

std::string_view device_of(const Node& node);

// Returns the number of inputs that are no control inputs.
size_t count_data_inputs(const Node& node);

// Returns each "loc:@name" of the attribute `_class`: the nodes that this one is colocated with.
std::vector<std::string_view> colocations(const Node& node);

// Each attribute's key and AttrValue, in the file's order.
using Attr = MapEntryView;
std::vector<Attr> attrs_of(const Node& node);

// Every library function that the node names: as its op or in an attribute of kind func or
// list(func), nested ones included.
std::vector<std::string_view> functions_named_by(const Node& node);

}  // namespace cryo
