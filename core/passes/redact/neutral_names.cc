#include "passes/redact/neutral_names.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/node.h"
#include "graph/roles.h"

namespace cryo {
namespace {

// Without underscores in front. Sources: tensorflow/python/framework/ops.py (GraphKeys),
// python/saved_model (constants.py, tag_constants.py, signature_constants.py, load.py),
// python/trackable (base.py, data_structures.py), python/util (inspect.FullArgSpec).
constexpr std::string_view kWords[] = {
    // Signatures and tags.
    "serving_default", "serve", "train", "eval", "gpu", "tpu", "tensorflow", "serving", "predict",
    "classify", "regress", "saved_model_init_op", "saved_model_train_op",
    // Collections.
    "variables", "trainable_variables", "local_variables", "model_variables", "global_step",
    "moving_average_variables", "metric_variables", "regularization_losses", "losses", "summaries",
    "queue_runners", "table_initializer", "asset_filepaths", "savers", "saveable_objects",
    "update_ops", "train_op", "init_op", "local_init_op", "ready_op", "ready_for_local_init_op",
    "summary_op", "cond_context", "while_context", "legacy_init_op", "saved_model_main_op",
    "saved_model_assets", "resources", "local_resources", "streaming_model_ports",
    "trainable_resource_variables", "concatenated_variables", "eval_step", "distributed",
    // Objects and their keys in a checkpoint.
    "CHECKPOINTABLE_OBJECT_GRAPH", "ATTRIBUTES", "VARIABLE_VALUE", "OBJECT_CONFIG_JSON",
    "OPTIMIZER_SLOT", "signatures", "signature_map", "generic_user_object", "initializer",
    "create_resource", "initialize", "destroy_resource", "asset_path", "call__", "optimizer",
    "trackable_dict_wrapper", "trackable_list_wrapper", "trackable_tuple_wrapper",
    "trackable_mutable_mapping", "tf_keras_layer", "tf_keras_network", "tf_keras_model",
    "tf_keras_sequential", "tf_keras_metric", "tf_keras_input_layer", "tf_keras_rnn_layer",
    // Signatures of Python's functions.
    "FullArgSpec", "args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults",
    "annotations", "tf", "TensorSpec", "SparseTensorSpec", "RaggedTensorSpec", "IndexedSlicesSpec",
    "TensorArraySpec", "DatasetSpec", "IteratorSpec", "OptionalSpec", "VariableSpec"};

// Numbers of more digits may say something: a date, a customer.
constexpr size_t kMaxDigits = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || !is_ascii(c);
}

// Returns the length of the word at the front.
size_t word_size(std::string_view text) {
  const auto inside = [](char c) { return begins_word(c) || c == '_'; };
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), inside) - text.begin());
}

}  // namespace

bool is_kept_word(std::string_view word) { return is_one_of(word, kWords); }

void NeutralNames::put_word(std::string_view word, std::string& out) {
  const bool number = std::all_of(word.begin(), word.end(), is_digit);
  if ((number && word.size() <= kMaxDigits) || is_kept_word(word)) {
    out += word;
    return;
  }
  out += neutral(word);
  if (std::all_of(word.begin(), word.end(), is_ascii)) return;
  out += is_utf8(word) ? "\u00B7" : "\xFF";
}

std::string NeutralNames::name(std::string_view text) {
  if (text == kAnonymousName) return std::string(text);
  std::string made;
  const std::string_view port = port_text(text);
  std::string_view rest = text.substr(0, text.size() - port.size());
  while (!rest.empty()) {
    if (!begins_word(rest.front())) {
      made += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const size_t size = word_size(rest);
    put_word(rest.substr(0, size), made);
    rest.remove_prefix(size);
  }
  return made.append(port);
}

std::string NeutralNames::text(std::string_view text) {
  return text.empty() ? std::string() : neutral(text);
}

const std::string& NeutralNames::neutral(std::string_view word) {
  const auto [place, is_new] = words_.try_emplace(std::string(word));
  if (is_new) place->second = cat("n", words_.size());
  return place->second;
}

void NeutralNames::put_in_order(const std::vector<std::string>& names) {
  assert(words_.empty());
  for (const std::string& each : names) (void)name(each);
  std::set<std::string> sorted;
  for (const auto& each : words_) sorted.insert(each.first);
  const std::string most = cat(sorted.size());
  size_t count = 0;
  for (const std::string& word : sorted) {
    const std::string number = cat(++count);
    words_[word] = cat("n", std::string(most.size() - number.size(), '0'), number);
  }
}

std::string neutral_device(std::string_view device, NeutralNames& names) {
  constexpr std::string_view kOwn[] = {
      "job", "replica", "task", "device",     "localhost", "cpu",     "CPU",    "gpu",
      "GPU", "tpu",     "TPU",  "TPU_SYSTEM", "XLA_CPU",   "XLA_GPU", "CUSTOM", "EPU"};
  std::string made;
  std::string_view rest = device;
  while (!rest.empty()) {
    const size_t size = begins_word(rest.front()) ? word_size(rest) : 1;
    const std::string_view word = rest.substr(0, size);
    const bool stays = !begins_word(word.front()) || is_one_of(word, kOwn) ||
                       std::all_of(word.begin(), word.end(), is_digit);
    made += stays ? std::string(word) : names.name(word);
    rest.remove_prefix(size);
  }
  return made;
}

}  // namespace cryo
