#include "model/context_defs.h"

#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

uint32_t nested_field(bool loop) {
  return loop ? fields::WhileContextDef::kNestedContexts : fields::CondContextDef::kNestedContexts;
}

// The pivot of what runs in it; a loop's condition is another.
uint32_t pivot_field(bool loop) {
  return loop ? fields::WhileContextDef::kPivotForBodyName : fields::CondContextDef::kPivotName;
}

void read(std::string_view context, bool loop, int depth, AllLoopSettings& settings) {
  std::string_view name;
  LoopSettings found{0};
  for (WireCursor cursor(context); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == nested_field(loop) && depth < kMaxDepth) {
      for (WireCursor nested(field.bytes); nested.next();) {
        read(nested.field().bytes,
             nested.field().number == fields::ControlFlowContextDef::kWhileCtxt, depth + 1,
             settings);
      }
    }
    if (!loop) continue;
    if (field.number == fields::WhileContextDef::kContextName) name = field.bytes;
    if (field.number == fields::WhileContextDef::kBackProp) found.back_prop = field.value;
    if (field.number == fields::WhileContextDef::kSwapMemory) found.swap_memory = field.value;
    if (field.number == fields::WhileContextDef::kMaximumIterationsName)
      found.maximum = field.bytes;
  }
  if (loop) settings.emplace(name, found);
}

std::string trim_context(const NodeNames& names, std::string_view bytes, bool loop, int depth);

bool is_in_graph(const NodeNames& names, std::string_view name) {
  return names.find(parse_tensor_name(name).node) != kNoNode;
}

bool names_node(const WireField& field, bool loop) {
  if (field.type != WireType::kBytes) return false;
  return loop ? field.number >= fields::WhileContextDef::kPivotName &&
                    field.number <= fields::WhileContextDef::kMaximumIterationsName
              : field.number == fields::CondContextDef::kPredName ||
                    field.number == fields::CondContextDef::kPivotName;
}

std::string trim_values(const NodeNames& names, std::string_view bytes) {
  std::string kept;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const std::string_view name = field.number == fields::ValuesDef::kExternalValues
                                      ? last_bytes(field.bytes, fields::MapEntry::kValue)
                                      : field.bytes;
    if (is_in_graph(names, name)) kept += field.record;
  }
  return kept;
}

std::string trim_nested(const NodeNames& names, std::string_view bytes, int depth) {
  std::string kept;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    put_bytes_field(
        kept, field.number,
        trim_context(names, field.bytes, field.number == fields::ControlFlowContextDef::kWhileCtxt,
                     depth + 1));
  }
  return kept;
}

std::string trim_context(const NodeNames& names, std::string_view bytes, bool loop, int depth) {
  std::string kept;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number ==
        (loop ? fields::WhileContextDef::kValuesDef : fields::CondContextDef::kValuesDef)) {
      put_bytes_field(kept, field.number, trim_values(names, field.bytes));
    } else if (field.number == nested_field(loop) && depth < kMaxDepth) {
      put_bytes_field(kept, field.number, trim_nested(names, field.bytes, depth));
    } else if (!names_node(field, loop) || is_in_graph(names, field.bytes)) {
      kept += field.record;
    }
  }
  return kept;
}

// Collects what import_meta_graph does not find.
class NameSearch {
 public:
  explicit NameSearch(const NodeNames& names) : names_(names) {}

  void context(std::string_view bytes, bool loop, int depth) {
    std::set<uint32_t> wanted = {fields::CondContextDef::kPredName,
                                 fields::CondContextDef::kPivotName};
    if (loop) {
      wanted = {fields::WhileContextDef::kPivotName, fields::WhileContextDef::kPivotForPredName,
                fields::WhileContextDef::kPivotForBodyName};
    }
    for (const uint32_t field : wanted) need(last_bytes(bytes, field));
    for (WireCursor cursor(bytes); cursor.next();) {
      const WireField& field = cursor.field();
      const uint32_t values =
          loop ? fields::WhileContextDef::kValuesDef : fields::CondContextDef::kValuesDef;
      if (field.number == values) {
        this->values(field.bytes);
      } else if (field.number == nested_field(loop) && depth < kMaxDepth) {
        nested(field.bytes, depth + 1);
      } else if (loop && (field.number == fields::WhileContextDef::kLoopExitNames ||
                          field.number == fields::WhileContextDef::kLoopEnterNames)) {
        need(field.bytes);
      }
    }
    const std::string_view most =
        loop ? last_bytes(bytes, fields::WhileContextDef::kMaximumIterationsName) : "";
    if (!most.empty()) need(most);
  }

  std::vector<std::string> missing = {};

 private:
  void need(std::string_view name) {
    if (names_.find(parse_tensor_name(name).node) == kNoNode) missing.emplace_back(name);
  }

  void nested(std::string_view contexts, int depth) {
    for (WireCursor cursor(contexts); cursor.next();) {
      const WireField& field = cursor.field();
      context(field.bytes, field.number == fields::ControlFlowContextDef::kWhileCtxt, depth);
    }
  }

  // A value that stands for one from around the context is looked up by that one's name alone.
  void values(std::string_view bytes) {
    std::set<std::string_view> external;
    for (WireCursor cursor(bytes); cursor.next();) {
      if (cursor.field().number != fields::ValuesDef::kExternalValues) continue;
      external.insert(last_bytes(cursor.field().bytes, fields::MapEntry::kKey));
      need(last_bytes(cursor.field().bytes, fields::MapEntry::kValue));
    }
    for (WireCursor cursor(bytes); cursor.next();) {
      const WireField& field = cursor.field();
      if (field.number == fields::ValuesDef::kValues && !external.contains(field.bytes)) {
        need(field.bytes);
      }
    }
  }

  const NodeNames& names_;
};

std::string values_def(const ContextValues& values) {
  std::string def;
  for (const std::string& name : values.seen)
    put_bytes_field(def, fields::ValuesDef::kValues, name);
  for (const auto& each : values.external) {
    std::string entry;
    put_bytes_field(entry, fields::MapEntry::kKey, each.first);
    put_bytes_field(entry, fields::MapEntry::kValue, each.second);
    put_bytes_field(def, fields::ValuesDef::kExternalValues, entry);
  }
  return def;
}

void put_all(std::string& def, uint32_t field, const std::vector<std::string>& values) {
  for (const std::string& value : values) put_bytes_field(def, field, value);
}

}  // namespace

bool is_context_collection(std::string_view key) {
  return key == kWhileCollection || key == kCondCollection;
}

AllLoopSettings loop_settings(const tensorflow::MetaGraphDef& meta) {
  AllLoopSettings settings;
  for (const auto& entry : meta.collection_def()) {
    if (!is_context_collection(entry.key())) continue;
    for (const std::string& context : entry.value().bytes_list().value()) {
      read(context, entry.key() == kWhileCollection, 0, settings);
    }
  }
  return settings;
}

std::vector<std::string> names_not_found(std::string_view context, std::string_view collection,
                                         const NodeNames& names) {
  NameSearch search(names);
  search.context(context, collection == kWhileCollection, 0);
  return std::move(search.missing);
}

bool is_whole_context(std::string_view context, std::string_view collection,
                      const NodeNames& names) {
  const bool loop = collection == kWhileCollection;
  return !last_bytes(context, pivot_field(loop)).empty() &&
         trim_context(names, context, loop, 0) == context;
}

std::string trimmed_context(std::string_view context, std::string_view collection,
                            const NodeNames& names) {
  if (is_whole_context(context, collection, names)) return std::string(context);
  const bool loop = collection == kWhileCollection;
  const std::string trimmed = trim_context(names, context, loop, 0);
  if (last_bytes(trimmed,
                 loop ? fields::WhileContextDef::kPivotName : fields::CondContextDef::kPredName)
          .empty())
    return {};
  std::string kept;
  for (WireCursor cursor(trimmed); cursor.next();) {
    if (cursor.field().number != pivot_field(loop)) kept += cursor.field().record;
  }
  return kept;
}

std::string to_bytes(const CondContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested) {
  std::string def;
  put_bytes_field(def, fields::CondContextDef::kContextName, context.name);
  put_bytes_field(def, fields::CondContextDef::kPredName, context.pred);
  put_bytes_field(def, fields::CondContextDef::kPivotName, context.pivot);
  put_varint_field(def, fields::CondContextDef::kBranch, context.branch);
  put_bytes_field(def, fields::CondContextDef::kValuesDef, values_def(values));
  put_all(def, fields::CondContextDef::kNestedContexts, nested);
  return def;
}

std::string to_bytes(const WhileContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested) {
  std::string def;
  put_bytes_field(def, fields::WhileContextDef::kContextName, context.name);
  put_varint_field(def, fields::WhileContextDef::kParallelIterations, context.parallel_iterations);
  put_varint_field(def, fields::WhileContextDef::kBackProp, context.settings.back_prop);
  put_varint_field(def, fields::WhileContextDef::kSwapMemory, context.settings.swap_memory);
  put_bytes_field(def, fields::WhileContextDef::kPivotName, context.pivot);
  put_bytes_field(def, fields::WhileContextDef::kPivotForPredName, context.pivot_for_pred);
  put_bytes_field(def, fields::WhileContextDef::kPivotForBodyName, context.pivot_for_body);
  put_all(def, fields::WhileContextDef::kLoopExitNames, context.exits);
  put_bytes_field(def, fields::WhileContextDef::kValuesDef, values_def(values));
  put_all(def, fields::WhileContextDef::kLoopEnterNames, context.enters);
  if (!context.settings.maximum.empty()) {
    put_bytes_field(def, fields::WhileContextDef::kMaximumIterationsName, context.settings.maximum);
  }
  put_all(def, fields::WhileContextDef::kNestedContexts, nested);
  return def;
}

std::string nested_context(std::string_view context, std::string_view collection) {
  std::string def;
  put_bytes_field(def,
                  collection == kWhileCollection ? fields::ControlFlowContextDef::kWhileCtxt
                                                 : fields::ControlFlowContextDef::kCondCtxt,
                  context);
  return def;
}

}  // namespace cryo
