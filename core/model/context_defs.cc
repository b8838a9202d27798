#include "model/context_defs.h"

#include "wire/cursor.h"

namespace cryo {
namespace {

// Field numbers.
namespace cond_def {
constexpr uint32_t kName = 1, kPred = 2, kPivot = 3, kBranch = 4, kValues = 5, kNested = 6;
}  // namespace cond_def
namespace while_def {
constexpr uint32_t kName = 1, kParallel = 2, kBackProp = 3, kSwap = 4, kPivot = 5,
                   kPivotForPred = 6, kPivotForBody = 7, kExit = 8, kValues = 9, kEnter = 10,
                   kMaximum = 11, kNested = 12;
}  // namespace while_def
constexpr uint32_t kCond = 1, kWhile = 2;           // ControlFlowContextDef
constexpr uint32_t kSeen = 1, kExternal = 2;        // ValuesDef
constexpr uint32_t kEntryKey = 1, kEntryValue = 2;  // a map's entry

uint32_t nested_field(bool loop) { return loop ? while_def::kNested : cond_def::kNested; }

// The pivot of what runs in it; a loop's condition is another.
uint32_t pivot_field(bool loop) { return loop ? while_def::kPivotForBody : cond_def::kPivot; }

void read(std::string_view context, bool loop, int depth, AllLoopSettings& settings) {
  std::string_view name;
  LoopSettings found{0};
  for (WireCursor cursor(context); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == nested_field(loop) && depth < kMaxDepth) {
      for (WireCursor nested(field.bytes); nested.next();) {
        read(nested.field().bytes, nested.field().number == kWhile, depth + 1, settings);
      }
    }
    if (!loop) continue;
    if (field.number == while_def::kName) name = field.bytes;
    if (field.number == while_def::kBackProp) found.back_prop = field.value;
    if (field.number == while_def::kSwap) found.swap_memory = field.value;
    if (field.number == while_def::kMaximum) found.maximum = field.bytes;
  }
  if (loop) settings.emplace(name, found);
}

class Trimmer {
 public:
  explicit Trimmer(const NodeNames& names) : names_(names) {}

  std::string context(std::string_view bytes, bool loop, int depth) const {
    std::string kept;
    for (WireCursor cursor(bytes); cursor.next();) {
      const WireField& field = cursor.field();
      if (field.number == (loop ? while_def::kValues : cond_def::kValues)) {
        put_bytes_field(kept, field.number, values(field.bytes));
      } else if (field.number == nested_field(loop) && depth < kMaxDepth) {
        put_bytes_field(kept, field.number, nested(field.bytes, depth));
      } else if (!names_node(field, loop) || is_there(field.bytes)) {
        kept += field.record;
      }
    }
    return kept;
  }

 private:
  bool is_there(std::string_view name) const {
    return names_.find(parse_tensor_name(name).node) != kNoNode;
  }

  static bool names_node(const WireField& field, bool loop) {
    if (field.type != WireType::kBytes) return false;
    return loop ? field.number >= while_def::kPivot && field.number <= while_def::kMaximum
                : field.number == cond_def::kPred || field.number == cond_def::kPivot;
  }

  std::string values(std::string_view bytes) const {
    std::string kept;
    for (WireCursor cursor(bytes); cursor.next();) {
      const WireField& field = cursor.field();
      const std::string_view name =
          field.number == kExternal ? last_bytes(field.bytes, kEntryValue) : field.bytes;
      if (is_there(name)) kept += field.record;
    }
    return kept;
  }

  std::string nested(std::string_view bytes, int depth) const {
    std::string kept;
    for (WireCursor cursor(bytes); cursor.next();) {
      const WireField& field = cursor.field();
      put_bytes_field(kept, field.number, context(field.bytes, field.number == kWhile, depth + 1));
    }
    return kept;
  }

  const NodeNames& names_;
};

std::string values_def(const ContextValues& values) {
  std::string def;
  for (const std::string& name : values.seen) put_bytes_field(def, kSeen, name);
  for (const auto& each : values.external) {
    std::string entry;
    put_bytes_field(entry, kEntryKey, each.first);
    put_bytes_field(entry, kEntryValue, each.second);
    put_bytes_field(def, kExternal, entry);
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

bool is_whole_context(std::string_view context, std::string_view collection,
                      const NodeNames& names) {
  const bool loop = collection == kWhileCollection;
  return !last_bytes(context, pivot_field(loop)).empty() &&
         Trimmer(names).context(context, loop, 0) == context;
}

std::string trimmed_context(std::string_view context, std::string_view collection,
                            const NodeNames& names) {
  if (is_whole_context(context, collection, names)) return std::string(context);
  const bool loop = collection == kWhileCollection;
  const std::string trimmed = Trimmer(names).context(context, loop, 0);
  if (last_bytes(trimmed, loop ? while_def::kPivot : cond_def::kPred).empty()) return {};
  std::string kept;
  for (WireCursor cursor(trimmed); cursor.next();) {
    if (cursor.field().number != pivot_field(loop)) kept += cursor.field().record;
  }
  return kept;
}

std::string to_bytes(const CondContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested) {
  std::string def;
  put_bytes_field(def, cond_def::kName, context.name);
  put_bytes_field(def, cond_def::kPred, context.pred);
  put_bytes_field(def, cond_def::kPivot, context.pivot);
  put_varint_field(def, cond_def::kBranch, context.branch);
  put_bytes_field(def, cond_def::kValues, values_def(values));
  put_all(def, cond_def::kNested, nested);
  return def;
}

std::string to_bytes(const WhileContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested) {
  std::string def;
  put_bytes_field(def, while_def::kName, context.name);
  put_varint_field(def, while_def::kParallel, context.parallel_iterations);
  put_varint_field(def, while_def::kBackProp, context.settings.back_prop);
  put_varint_field(def, while_def::kSwap, context.settings.swap_memory);
  put_bytes_field(def, while_def::kPivot, context.pivot);
  put_bytes_field(def, while_def::kPivotForPred, context.pivot_for_pred);
  put_bytes_field(def, while_def::kPivotForBody, context.pivot_for_body);
  put_all(def, while_def::kExit, context.exits);
  put_bytes_field(def, while_def::kValues, values_def(values));
  put_all(def, while_def::kEnter, context.enters);
  if (!context.settings.maximum.empty()) {
    put_bytes_field(def, while_def::kMaximum, context.settings.maximum);
  }
  put_all(def, while_def::kNested, nested);
  return def;
}

std::string nested_context(std::string_view context, std::string_view collection) {
  std::string def;
  put_bytes_field(def, collection == kWhileCollection ? kWhile : kCond, context);
  return def;
}

}  // namespace cryo
