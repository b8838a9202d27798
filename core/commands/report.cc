#include "commands/report.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/reference.h"
#include "base/text.h"

namespace cryo {

std::string to_string(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json where_json(const Location& at) {
  Json where = Json::object();
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) where[key] = value;
  };
  put("file", at.file);
  if (at.offset) where["offset"] = to_json(*at.offset);
  put("function", at.function);
  put("node", at.node);
  if (at.input) where["input"] = *at.input;
  put("attr", at.attr);
  put("tensor", at.tensor);
  return where;
}

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

Json part_json(const TextPart& part) {
  if (part.row == nullptr) return part.text;
  Json json = {{"action", part.row->action}};
  const std::vector<std::string_view> names = split(part.row->arguments, ',');
  for (size_t i = 0; i < part.arguments.size(); ++i) {
    const std::string_view argument = part.arguments[i];
    json[names[i]] = names[i] == "option" ? key_of(argument) : argument;
  }
  return json;
}

}  // namespace

void put_text(Json& to, const char* key, std::string_view text) {
  to[key] = in_command_words(text);
  const std::vector<TextPart> parts = text_parts(text);
  const auto is_plain = [](const TextPart& part) { return part.row == nullptr; };
  if (std::all_of(parts.begin(), parts.end(), is_plain)) return;
  Json& list = to["parts"][key];
  for (const TextPart& part : parts) list.push_back(part_json(part));
}

Json to_json(const Diagnostic& diagnostic) {
  Json json = {{"severity", severity_name(diagnostic.severity)},
               {"code", diagnostic.code},
               {"where", where_json(diagnostic.where)}};
  put_text(json, "message", diagnostic.message);
  put_text(json, "fix", diagnostic.fix);
  json["fixable"] = diagnostic.fixable;
  return json;
}

Json to_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& each : diagnostics.all()) list.push_back(to_json(each));
  return list;
}

Json to_json(const std::vector<Repaired>& repaired) {
  Json list = Json::array();
  for (const Repaired& each : repaired) {
    list.push_back({{"code", each.code}, {"where", where_json(each.where)}, {"what", each.what}});
  }
  return list;
}

Json to_json(const Shape& shape) {
  if (shape.unknown_rank) return nullptr;
  return Json(shape.dims);
}

Json to_json(uint64_t number) {
  constexpr uint64_t kExact = uint64_t{1} << 53;
  if (number > kExact) return std::to_string(number);
  return number;
}

Json new_report(std::string_view verb, const std::string& model, const Diagnostics& diagnostics) {
  // The library's ordered objects are vectors of pairs that cannot be moved: as one grows, all that
  // it holds, such as long lists, is copied.
  constexpr size_t kMaxMembers = 32;
  Json report = Json::object();
  report.get_ref<Json::object_t&>().reserve(kMaxMembers);
  report["verb"] = verb;
  report["model"] = model;
  report["diagnostics"] = to_json(diagnostics);
  return report;
}

// Writing may find what the verb found. There are few of these.
void add_diagnostics(Json& report, const Diagnostics& diagnostics) {
  Json& list = report["diagnostics"];
  for (const Diagnostic& each : diagnostics.all()) {
    Json row = to_json(each);
    const auto is_same = [&](const Json& listed) {
      constexpr const char* kIdentity[] = {"severity", "code", "message", "where"};
      return std::all_of(std::begin(kIdentity), std::end(kIdentity),
                         [&](const char* key) { return listed[key] == row[key]; });
    };
    if (std::none_of(list.begin(), list.end(), is_same)) list.push_back(std::move(row));
  }
}

std::vector<std::string> graph_outputs(const Json& report) {
  return report.value("graphOutputs", std::vector<std::string>());
}

void add_checked(Json& report, const CheckCount& count) {
  report["checked"] = {{"tensors", count.tensors}, {"bytes", to_json(count.bytes)}};
}

void add_outputs(Json& report, const std::vector<OutputFile>& files) {
  Json outputs = Json::array();
  for (const OutputFile& file : files) {
    outputs.push_back({{"path", file.path}, {"bytes", to_json(file.content.size())}});
  }
  report["outputs"] = std::move(outputs);
}

}  // namespace cryo
