#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/function.h"
#include "graph/functions/function_callers.h"
#include "tensor/dtype.h"

namespace cryo {

// Makes a FunctionDef from an old one. Each part is a list of messages as they are encoded: what is
// not changed stays verbatim. The parts keep their order, which differs between writers (C++ sorts
// by field number, Python may do the opposite); new parts and unknown fields come last.
class FunctionEditor {
 public:
  explicit FunctionEditor(const Function& function);

  std::string name;
  std::vector<std::string> inputs;   // OpDef.ArgDefs
  std::vector<std::string> outputs;  // OpDef.ArgDefs
  std::vector<std::string> nodes;    // NodeDefs

  // Entries of maps (wire/map_entry.h).
  std::vector<std::string> returns;          // {output: "node:out_arg:0"}
  std::vector<std::string> attrs;            // {key: AttrValue}
  std::vector<std::string> control_returns;  // {output: node}
  std::vector<std::string> arg_attrs;        // {argument's place: ArgAttrs}
  std::vector<std::string> resource_ids;     // {argument's place: id}

  // Removes arguments, and what is stored for them; those after them move up. A While's body
  // returns its arguments, and loses the returns of the same places:
  //
  //     body(i, h, unused) -> i, h, unused     -->     body(i, h) -> i, h
  void remove_arguments(const std::vector<bool>& removed, bool is_loop_body);

  // Adds an argument after the others; its shape is unknown.
  void add_argument(std::string_view argument, DType dtype);

  // Adds an output after the others.
  void add_output(std::string_view output, DType dtype, std::string_view source);

  // Replaces the sources of returns: old to new.
  void rewire_returns(const std::map<std::string, std::string>& sources);

  // The FunctionDef message.
  std::string finish() const;

 private:
  void read_signature(std::string_view signature);
  void add_to_order(uint32_t number);

  std::vector<uint32_t> order_;  // the field numbers of the parts
  std::string signature_rest_;   // fields other than name and arguments
  std::string rest_;             // fields that are no part above
};

// A change of the arguments of functions, and so of the inputs of all calls of them.
struct ArgumentChange {
  std::vector<bool> removed = {};  // by the argument's place
  std::vector<DType> added = {};   // after the others
};

// Returns the place that an argument has after the removal of others.
uint64_t place_after(const std::vector<bool>& removed, uint64_t place);

// Returns the NodeDef of a call whose functions were changed so. `caller`: null if the node's op is
// the function. `inputs`: all that it has now.
std::string changed_call(const Node& node, const FunctionCaller* caller,
                         std::vector<std::string> inputs, const ArgumentChange& change);

}  // namespace cryo
