#include "passes/redact/redaction.h"

#include <utility>

#include "base/text.h"
#include "passes/redact/unknown_message.h"
#include "tensor/views/repeated_source.h"
#include "wire/fields.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// A value for as long as something is walked.
template <typename T>
class Within {
 public:
  Within(T& place, T value) : place_(place), before_(std::exchange(place, std::move(value))) {}
  ~Within() { place_ = std::move(before_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  T& place_;
  T before_;
};

bool is_attr_entry(const MessageSchema& schema) { return schema.name.ends_with(".AttrEntry"); }

bool is_free(const FieldSchema& field) {
  return field.type == FieldType::kString || field.type == FieldType::kBytes;
}

bool is_float(const FieldSchema& field) {
  return field.type == FieldType::kFloat || field.type == FieldType::kDouble;
}

void add_arguments(std::string_view bytes, const MessageSchema& schema,
                   std::vector<std::string>& names) {
  if (schema.name == "tensorflow.GraphDef") return;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const FieldSchema* known = schema.find(field.number);
    if (known == nullptr || !fits_wire(*known, field.type)) continue;
    if (known->message != nullptr) {
      add_arguments(field.bytes, *known->message, names);
    } else if (is_free(*known) && field_rule(schema, *known) == FieldRule::kArgument) {
      names.emplace_back(field.bytes);
    }
  }
}

}  // namespace

std::vector<std::string> arguments_in(std::string_view message, std::string_view schema) {
  std::vector<std::string> names;
  add_arguments(message, message_schema(schema), names);
  return names;
}

Redaction::Redaction(const OpRegistry& ops, const OpRegistry& release, NeutralNames& names,
                     Payloads& payloads)
    : ops_(ops), words_(release), names_(names), payloads_(payloads), tensors_(names, payloads) {}

FieldRule Redaction::rule_of(const MessageSchema& schema, const FieldSchema& field) {
  const auto known = rules_.find(&field);
  return known != rules_.end() ? known->second
                               : rules_.emplace(&field, field_rule(schema, field)).first->second;
}

std::string Redaction::message(std::string_view bytes, std::string_view schema) {
  return nested(bytes, message_schema(schema));
}

// Returns a message of one of the kinds whose fields depend on each other, or of any other kind.
std::string Redaction::nested(std::string_view bytes, const MessageSchema& schema) {
  if (schema.name == "tensorflow.TensorShapeProto") return message(bytes, schema);
  if (schema.name == "tensorflow.NodeDef") return node(bytes);
  if (schema.name == "tensorflow.TensorProto") return tensor(bytes);
  if (schema.name == "tensorflow.GraphDef") return graph(bytes);
  if (schema.name == "tensorflow.FunctionDef") return function(bytes);
  if (schema.name == "google.protobuf.Any") return any(bytes);
  if (is_attr_entry(schema)) return attr_entry(bytes, schema, {});
  if (schema.name != "tensorflow.OpList") return message(bytes, schema);
  const Within<bool> definitions(in_op_list_, true);
  return message(bytes, schema);
}

std::string Redaction::message(std::string_view bytes, const MessageSchema& schema) {
  std::string made;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    if (is_handle(each)) {
      made += handle(each, schema);
      continue;
    }
    const FieldSchema* known = schema.find(each.number);
    if (known != nullptr && fits_wire(*known, each.type)) made += field(each, schema, *known);
  }
  return made;
}

std::string Redaction::field(const WireField& field, const MessageSchema& schema,
                             const FieldSchema& known) {
  const FieldRule rule = rule_of(schema, known);
  std::string made;
  if (rule == FieldRule::kRemove && !in_op_list_) {
    // Entries of lists stay as many.
    const bool entry = known.repeated && known.message == nullptr;
    if (!entry) return made;
    put_bytes_field(made, field.number, redacted_bytes(field.bytes, names_));
    return made;
  }
  if (rule == FieldRule::kZero) return zero_field(field);
  if (known.message != nullptr) {
    put_bytes_field(made, field.number, nested(field.bytes, *known.message));
  } else if (is_free(known)) {
    put_bytes_field(made, field.number, text(field.bytes, rule));
  } else if (is_float(known) && field.bytes.size() / sizeof(float) > kMaxKept) {
    return zero_field(field);
  } else {
    return std::string(field.record);
  }
  return made;
}

// Returns a bulky field: no text or bytes of its size is a name.
std::string Redaction::handle(const WireField& field, const MessageSchema& schema) {
  std::string made;
  const Payload* payload = payloads_.find(field.value);
  const FieldSchema* known = payload == nullptr ? nullptr : schema.find(payload->field);
  if (known == nullptr) return made;
  if (is_free(*known)) {
    if (known->repeated || rule_of(schema, *known) != FieldRule::kRemove) {
      put_bytes_field(made, known->number, "");
    }
    return made;
  }
  if (!is_float(*known)) return std::string(field.record);
  const Splice zeros(repeated(fresh(std::string(1, '\0')), payload->body().size()));
  put_varint_field(made, kPayloadField, payloads_.add(make_payload(known->number, zeros)));
  return made;
}

std::string Redaction::text(std::string_view text, FieldRule rule) {
  if (in_op_list_) return rule == FieldRule::kRemove ? std::string() : std::string(text);
  switch (rule) {
    case FieldRule::kKeep:
    case FieldRule::kZero:
      return std::string(text);
    case FieldRule::kName:
    case FieldRule::kArgument:
      return names_.name(text);
    case FieldRule::kFunction:
      return function_name(text);
    case FieldRule::kAttrText:
      return attr_text(text);
    case FieldRule::kDevice:
      return neutral_device(text, names_);
    case FieldRule::kSource:
      return source(text);
    case FieldRule::kRemove:
      break;
  }
  return {};
}

std::string Redaction::graph(std::string_view bytes) {
  const Within<std::unordered_set<std::string_view>> library(functions_, function_names(bytes));
  const Within<GraphScope> nodes(scope_, GraphScope(bytes, fields::GraphDef::kNode));
  const Within<bool> main(in_body_, false);
  return message(bytes, message_schema("tensorflow.GraphDef"));
}

std::string Redaction::function(std::string_view bytes) {
  const Within<GraphScope> nodes(scope_, GraphScope(bytes, fields::FunctionDef::kNodeDef));
  const Within<bool> body(in_body_, true);
  const Within<AttrPlace> own(place_, {});
  return message(bytes, message_schema("tensorflow.FunctionDef"));
}

// The type of what an Any holds is kept if it is one of TensorFlow's.
std::string Redaction::any(std::string_view bytes) {
  const MessageSchema& schema = message_schema("google.protobuf.Any");
  std::string made;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    const FieldSchema* known = schema.find(each.number);
    if (known == nullptr || !fits_wire(*known, each.type)) continue;
    const bool type = known->type == FieldType::kString;
    const bool stays = type && find_message_schema(base_name(each.bytes)) != nullptr;
    const std::string text = type ? names_.name(each.bytes) : redacted_bytes(each.bytes, names_);
    put_bytes_field(made, each.number, stays ? std::string(each.bytes) : text);
  }
  return made;
}

std::string Redaction::tensor(std::string_view bytes) {
  return tensors_.proto(bytes, place_.role, [this](std::string_view within, std::string_view of) {
    return message(within, of);
  });
}

}  // namespace cryo
