#include "commands/report.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"

namespace cryo {
namespace {

// The options' names, each with its key. WebAssembly's core has no command table.
constexpr std::pair<std::string_view, std::string_view> kOptionKeys[] = {
#include "surface_keys.inc"
};

// Returns what an option is called where its command-line name would be out of place.
std::string_view key_of(std::string_view option) {
  for (const auto& [name, key] : kOptionKeys) {
    if (name == option) return key;
  }
  return option;
}

using TextParts = std::vector<TextPart>;

bool has_references(const TextParts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const TextPart& part) { return part.row != nullptr; });
}

void write_part(JsonWriter& json, const TextPart& part) {
  if (part.row == nullptr) return json.value(part.text);
  json.begin_object();
  json.member("action", part.row->action);
  const std::vector<std::string_view> names = split(part.row->arguments, ',');
  for (size_t i = 0; i < part.arguments.size(); ++i) {
    const std::string_view argument = part.arguments[i];
    json.member(names[i], names[i] == "option" ? key_of(argument) : argument);
  }
  json.end_object();
}

}  // namespace

void write_texts(JsonWriter& json,
                 const std::vector<std::pair<std::string_view, std::string_view>>& texts) {
  bool has_parts = false;
  for (size_t i = 0; i < texts.size(); ++i) {
    json.member(texts[i].first, in_command_words(texts[i].second));
    if (has_parts || !has_references(text_parts(texts[i].second))) continue;
    has_parts = true;
    json.key("parts");
    json.begin_object();
    for (size_t of = i; of < texts.size(); ++of) {
      const TextParts parts = text_parts(texts[of].second);
      if (!has_references(parts)) continue;
      json.list(texts[of].first, parts, [&](const TextPart& part) { write_part(json, part); });
    }
    json.end_object();
  }
}

void write_json(JsonWriter& json, const Location& where) {
  const auto put = [&](const char* key, const auto& value, bool applies) {
    if (applies) json.member(key, value);
  };
  json.begin_object();
  put("file", where.file, !where.file.empty());
  put("offset", where.offset, where.offset.has_value());
  put("function", where.function, !where.function.empty());
  put("node", where.node, !where.node.empty());
  put("input", where.input, where.input.has_value());
  put("attr", where.attr, !where.attr.empty());
  put("tensor", where.tensor, !where.tensor.empty());
  json.end_object();
}

void write_json(JsonWriter& json, const Diagnostic& diagnostic) {
  json.begin_object();
  json.members("severity", severity_name(diagnostic.severity), "code", diagnostic.code, "where",
               diagnostic.where);
  write_texts(json, {{"message", diagnostic.message}, {"fix", diagnostic.fix}});
  json.member("fixable", diagnostic.fixable);
  json.end_object();
}

void write_json(JsonWriter& json, const Diagnostics& diagnostics) { json.value(diagnostics.all()); }

void add_head(JsonWriter& json, const Report& report) {
  json.members("verb", report.verb, "model", report.model, "diagnostics", report.diagnostics);
}

void write_json(JsonWriter& json, const Report& report) {
  json.begin_object();
  add_head(json, report);
  if (!report.members.empty()) json.raw(report.members.text());
  json.end_object();
}

void add_diagnostics(Report& report, const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.all()) report.diagnostics.add(each);
}

void add_checked(Report& report, const CheckCount& count) {
  report.members.key("checked");
  report.members.object("tensors", count.tensors, "bytes", count.bytes);
}

void add_outputs(Report& report, const std::vector<OutputFile>& files) {
  report.members.list("outputs", files, [&](const OutputFile& file) {
    report.members.object("path", file.path, "bytes", file.content.size());
  });
}

}  // namespace cryo
