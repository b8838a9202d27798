// Laws of what is made for a bug report: it has the faults of the model, and neither its names nor
// its values.

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "laws.h"
#include "model/meta.h"
#include "passes/redact/neutral_names.h"
#include "road.h"
#include "source_folder.h"
#include "tensor/content.h"
#include "validate/validate.h"

namespace cryo::laws {
namespace {

using Words = std::set<std::string, std::less<>>;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The runs of letters, digits and underscores, without underscores in front.
void add_words(std::string_view text, Words& words) {
  while (!text.empty()) {
    size_t size = 0;
    while (size < text.size() && is_of_word(text[size])) ++size;
    std::string_view word = text.substr(0, size);
    word.remove_prefix(std::min(word.find_first_not_of('_'), word.size()));
    if (word.size() > 3) words.emplace(word);
    text.remove_prefix(std::max<size_t>(size, 1));
  }
}

// The words of ops and their attributes, which a redacted model has.
const Words& words_of_ops() {
  static const Words all = [] {
    Words words;
    add_words(bytes_of(cat(source_folder(), "/core/data/ops.bin")), words);
    return words;
  }();
  return all;
}

void add_meta_names(const tensorflow::MetaGraphDef& meta, Words& words) {
  for (const auto& signature : meta.signature_def()) {
    add_words(signature.key(), words);
    for (const auto& each : signature.value().inputs()) add_words(each.key(), words);
    for (const auto& each : signature.value().outputs()) add_words(each.key(), words);
  }
  for (const auto& each : meta.collection_def()) add_words(each.key(), words);
  for (const auto& each : meta.asset_file_def()) add_words(each.filename(), words);
}

void add_op_words(const Node& node, Words& words) {
  add_words(node.op, words);
  for (const Attr& attr : attrs_of(node)) add_words(attr.key, words);
}

// The words of a model's names, without those that a redacted model may have.
Words private_words(const Model& model) {
  Words words;
  Words ops;  // a model's own ops are not in the list, and stay too
  for (const Node& node : model.graph.nodes()) {
    add_words(node.name, words);
    add_op_words(node, ops);
  }
  for (const Function& function : model.graph.functions()) {
    add_words(function.name, words);
    if (const auto nodes = body_nodes(function)) {
      for (const Node& node : *nodes) {
        add_words(node.name, words);
        add_op_words(node, ops);
      }
    }
  }
  if (!model.meta.empty()) add_meta_names(parse_meta(model), words);
  if (model.checkpoint != nullptr) {
    for (const CheckpointEntry& each : model.checkpoint->entries) add_words(each.key, words);
  }
  std::erase_if(words, [&](const std::string& word) {
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    return number || words_of_ops().contains(word) || is_kept_word(word) || ops.contains(word);
  });
  return words;
}

std::map<std::string, int> codes_of(const Model& model) {
  Diagnostics diagnostics;
  validate(model, &ops(), diagnostics);
  std::map<std::string, int> codes;
  for (const Diagnostic& each : diagnostics.all()) ++codes[each.code];
  return codes;
}

bool lacks_values(const Model& model) {
  if (model.checkpoint == nullptr) return false;
  const auto& entries = model.checkpoint->entries;
  return std::any_of(entries.begin(), entries.end(),
                     [](const CheckpointEntry& each) { return each.fault != nullptr; });
}

void has_the_same_faults(Road& road, Tally& tally) {
  if (lacks_values(road.model())) return tally.skip("values are missing");
  const Result<Model>& made = road.redacted().model;
  ASSERT_TRUE(made.ok()) << to_text(made.error());
  EXPECT_EQ(codes_of(road.model()), codes_of(*made));
  ++tally.held;
}

void has_none_of_the_names(Road& road, Tally& tally) {
  const Result<Model>& made = road.redacted().model;
  ASSERT_TRUE(made.ok());
  Words left;
  if (made->checkpoint != nullptr) {
    for (const CheckpointEntry& entry : made->checkpoint->entries) add_words(entry.key, left);
  }
  add_words(made->graph.skeleton(), left);
  add_words(made->meta.bytes(), left);
  for (const std::string& word : private_words(road.model())) {
    EXPECT_FALSE(left.contains(word)) << word;
  }
  ++tally.held;
}

// A value is one element, which repeats: so the graph has no bulk, and is read without any.
void has_no_weights(Road& road, Tally& tally) {
  const Result<Model>& made = road.redacted().model;
  ASSERT_TRUE(made.ok());
  for (const Node& node : made->graph.nodes()) {
    const auto value = node.op == "Const" ? tensor_attr(node, "value") : std::nullopt;
    const auto tensor =
        value ? read_tensor(*value, *made->payloads) : Result<Tensor>(failure("none", ""));
    const bool zeros = tensor && (tensor->dtype == DType::kFloat || tensor->dtype == DType::kHalf);
    if (!zeros || tensor->count == 1) continue;
    EXPECT_LT(value->size(), 2000) << node.name;
    if (tensor->content.size() > Splice::kStep) continue;
    EXPECT_EQ(tensor->content.read_all()->find_first_not_of('\0'), std::string::npos) << node.name;
  }
  if (made->checkpoint != nullptr) {
    for (const CheckpointEntry& entry : made->checkpoint->entries) {
      if (entry.dtype == DType::kString) continue;
      const auto content = entry.content.read_all();
      EXPECT_EQ(content->find_first_not_of('\0'), std::string::npos) << entry.key;
    }
  }
  ++tally.held;
}

void redacted_twice_is_redacted_once(Road& road, Tally& tally) {
  const Result<Model>& once = road.redacted().model;
  ASSERT_TRUE(once.ok());
  Options options;
  options.edit.redact = true;
  MadeModel report;
  const auto twice = run("edit", *once, options, report);
  ASSERT_TRUE(twice.ok()) << to_text(twice.error());
  EXPECT_TRUE(written(*once, "pb") == written(*twice, "pb"));
  EXPECT_TRUE(once->meta == twice->meta);
  ++tally.held;
}

}  // namespace

std::vector<Law> redaction_laws() {
  return {{"validate(redacted(m)) finds what validate(m) does", 100, has_the_same_faults},
          {"redacted(m) has no word of a name of m", 100, has_none_of_the_names},
          {"redacted(m) has no weight", 100, has_no_weights},
          {"redacted(redacted(m)) is redacted(m)", 100, redacted_twice_is_redacted_once}};
}

}  // namespace cryo::laws
