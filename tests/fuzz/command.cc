#include "command.h"

#include "commands/command_table.h"

namespace cryo::fuzz {
namespace {

constexpr size_t kMaxOptions = 6;
constexpr size_t kMaxWords = 5;

constexpr const char* kOuts[] = {"o.pb",
                                 "o.ckpt",
                                 "o/",
                                 "o.json",
                                 "o.npz",
                                 "o.meta",
                                 "o.npy",
                                 "o.pbtxt",
                                 "o.safetensors",
                                 "o.meta.pbtxt",
                                 "o.ckpt.zip",
                                 "o.zip",
                                 "o",
                                 "o/saved_model.pbtxt"};
constexpr const char* kFormats[] = {"pb",         "pbtxt",         "meta",       "meta-pbtxt",
                                    "checkpoint", "checkpoint-v1", "savedmodel", "savedmodel-pbtxt",
                                    "tfjs",       "npz",           "npy",        "safetensors"};
constexpr const char* kLists[] = {"nodes",      "ops",       "weights", "inputs",     "outputs",
                                  "signatures", "functions", "assets",  "collections"};
constexpr const char* kWords[] = {"=",
                                  ",",
                                  "*",
                                  "**",
                                  "/",
                                  ":0",
                                  ":1",
                                  "^",
                                  "auto",
                                  "true",
                                  "false",
                                  "1",
                                  "0.5",
                                  "[",
                                  "]",
                                  "-1",
                                  "nan",
                                  "float32",
                                  "float64",
                                  "half",
                                  "int64",
                                  "\\1",
                                  "\\",
                                  "(.*)",
                                  ".*",
                                  "ref",
                                  "resource",
                                  "value",
                                  "shape",
                                  "serve",
                                  "serving_default",
                                  "1e400",
                                  "9223372036854775808",
                                  "[2,6]"};

std::string some_word(const Model& model, FuzzedDataProvider& choices) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const bool name = !nodes.empty() && choices.ConsumeBool();
  if (name) {
    return std::string(nodes[choices.ConsumeIntegralInRange<size_t>(0, nodes.size() - 1)].name);
  }
  if (choices.ConsumeIntegralInRange(0, 7) == 0) return choices.ConsumeRandomLengthString(8);
  return choices.PickValueInArray(kWords);
}

std::string some_value(const OptionRow& option, const Model& model, FuzzedDataProvider& choices) {
  if (option.key == "out") return choices.PickValueInArray(kOuts);
  if (option.key == "as") return choices.PickValueInArray(kFormats);
  if (option.key == "path" || option.key == "other") return "m";
  std::string value;
  for (size_t left = choices.ConsumeIntegralInRange<size_t>(1, kMaxWords); left > 0; --left) {
    value += some_word(model, choices);
  }
  return value;
}

void add_option(std::vector<std::string>& command, const OptionRow& option, const Model& model,
                FuzzedDataProvider& choices) {
  command.emplace_back(option.name);
  if (!option.value.empty()) command.push_back(some_value(option, model, choices));
}

}  // namespace

std::vector<std::string> command_of(const Model& model, FuzzedDataProvider& choices) {
  const auto verbs = verb_table();
  const VerbRow& verb = verbs[choices.ConsumeIntegralInRange<size_t>(0, verbs.size() - 1)];
  std::vector<std::string> command = {std::string(verb.name)};
  if (!verb.positional.empty()) command.emplace_back("m");
  if (verb.positional == "A B") command.emplace_back("m");
  if (verb.name == "list") command.emplace_back(choices.PickValueInArray(kLists));
  std::vector<const OptionRow*> taken;
  for (const OptionRow& option : option_table()) {
    if (is_required(verb, option))
      add_option(command, option, model, choices);
    else if (takes(verb, option))
      taken.push_back(&option);
  }
  for (size_t left = choices.ConsumeIntegralInRange<size_t>(0, kMaxOptions); left > 0; --left) {
    const size_t at = choices.ConsumeIntegralInRange<size_t>(0, taken.size() - 1);
    add_option(command, *taken[at], model, choices);
  }
  return command;
}

}  // namespace cryo::fuzz
