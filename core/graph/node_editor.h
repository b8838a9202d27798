#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/node.h"
#include "tensor/dtype.h"

namespace cryo {

// Makes a NodeDef, new or from an old one. Unchanged fields are copied verbatim: attributes keep
// their order and their bytes (a lite NodeDef would reorder a tensor's mixed values), unknown
// fields survive. New attributes are inserted in alphabetical order, as TensorFlow's deterministic
// writer orders them.
class NodeEditor {
 public:
  NodeEditor(std::string_view name, std::string_view op) : name_(name), op_(op) {}
  explicit NodeEditor(const Node& node);

  NodeEditor& set_name(std::string_view name);
  NodeEditor& set_op(std::string_view op);
  NodeEditor& set_device(std::string_view device);
  NodeEditor& set_inputs(std::vector<std::string> inputs);
  NodeEditor& add_input(std::string_view input);
  std::vector<std::string>& inputs() { return inputs_; }

  // `value` is an AttrValue message, as the makers below give it.
  NodeEditor& set_attr(std::string_view key, std::string value);
  NodeEditor& erase_attr(std::string_view key);

  // Returns the current AttrValue; nullptr if there is none.
  const std::string* attr(std::string_view key) const;

  // Sets the attribute `_class` to "loc:@name" of each; removes it if there are none.
  NodeEditor& set_colocations(const std::vector<std::string_view>& partners);

  // Renames an attribute in its place, so that renaming back restores the node.
  NodeEditor& rename_attr(std::string_view from, std::string_view to);

  // The NodeDef message.
  std::string finish() const;

 private:
  std::string name_;
  std::string op_;
  std::vector<std::string> inputs_;
  std::string device_;
  struct Entry {
    std::string key = {};
    std::string value = {};  // an AttrValue
    std::string rest = {};   // unknown fields of the map's entry, verbatim
  };
  static Entry entry_of(std::string_view bytes);

  std::vector<Entry> attrs_;
  std::string rest_;  // all other fields, verbatim
};

// A Const of a TensorProto. Its device and its control inputs are the caller's.
NodeEditor constant_node(std::string_view name, DType dtype, std::string_view tensor_proto);

// AttrValue messages.
std::string type_value(int dtype);
inline std::string type_value(DType dtype) { return type_value(static_cast<int>(dtype)); }
std::string int_value(int64_t value);
std::string bool_value(bool value);
std::string string_value(std::string_view value);
std::string shape_value(std::string_view tensor_shape_proto);
std::string tensor_value(std::string_view tensor_proto);
std::string type_list_value(const std::vector<int>& dtypes);
std::string string_list_value(const std::vector<std::string>& strings);

}  // namespace cryo
