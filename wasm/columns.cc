#include "columns.h"

#include <string>

namespace cryo {

using emscripten::typed_memory_view;
using emscripten::val;

namespace {

template <typename T>
val typed_array(const char* type, const std::vector<T>& column) {
  return val::global(type).new_(typed_memory_view(column.size(), column.data()));
}

val texts(const std::vector<std::string>& list) {
  val array = val::array();
  for (const std::string& text : list) array.call<void>("push", text);
  return array;
}

}  // namespace

val to_columns(const NodeColumns& columns) {
  val object = val::object();
  object.set("names", val::global("Uint8Array")
                          .new_(typed_memory_view(
                              columns.names.size(),
                              reinterpret_cast<const unsigned char*>(columns.names.data()))));
  object.set("nameEnds", typed_array("Uint32Array", columns.name_ends));
  object.set("ops", typed_array("Uint32Array", columns.ops));
  object.set("opNames", texts(columns.op_names));
  object.set("devices", typed_array("Uint32Array", columns.devices));
  object.set("deviceNames", texts(columns.device_names));
  object.set("inputEnds", typed_array("Uint32Array", columns.input_ends));
  object.set("inputs", typed_array("Int32Array", columns.inputs));
  object.set("ports", typed_array("Int32Array", columns.ports));
  object.set("missing", texts(columns.missing));
  object.set("bytes", typed_array("Float64Array", columns.bytes));
  return object;
}

}  // namespace cryo
