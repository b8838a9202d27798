#include "bytes/coding.h"
#include "checkpoint/object_graph.h"
#include "code_pairs.h"
#include "model/string_tensor.h"
#include "proto/meta_graph.pb.h"
#include "proto/object_graph.pb.h"
#include "validate/graph/findings.h"

namespace cryo {
namespace {

using tensorflow::MetaGraphDef;

// y = x * w, a table that is asked, and what saves w.
std::vector<std::string> nodes() {
  return {placeholder("x", {2}),
          placeholder("rate"),
          variable("w", {2}),
          node("y", "Mul", {"x", "w"}, kFloats),
          node("z", "Mul", {"y", "rate"}, kFloats),
          node("init", "NoOp")};
}

template <typename Change>
Model with(Change change, const std::vector<std::string>& of = nodes()) {
  Model model = model_of(of);
  MetaGraphDef meta;
  change(meta);
  set_meta(model, meta);
  return model;
}

// A signature that gives `output`, of this type, for x.
Model serving(const std::string& output, int type = kFloat32,
              const std::vector<std::string>& of = nodes()) {
  const auto fill = [](auto* entry, const std::string& name, int dtype) {
    entry->set_key(name);
    entry->mutable_value()->set_name(name);
    entry->mutable_value()->set_dtype(static_cast<tensorflow::DataType>(dtype));
  };
  return with(
      [&](MetaGraphDef& meta) {
        auto* entry = meta.add_signature_def();
        entry->set_key("serve");
        fill(entry->mutable_value()->add_inputs(), "x:0", kFloat32);
        fill(entry->mutable_value()->add_outputs(), output, type);
      },
      of);
}

void add_signatures(CodePairs& pairs) {
  pairs.push_back(CodePair{"signature-tensor", serving("gone:0"), serving("y:0")});
  pairs.push_back(CodePair{"signature-type", serving("y:0", 2), serving("y:0")});
  pairs.push_back(CodePair{"placeholder-not-fed", serving("z:0"), serving("y:0")});
  std::vector<std::string> asked = nodes();
  asked.push_back(node("table", "HashTableV2"));
  asked.push_back(node("found", "LookupTableFindV2", {"table", "x", "w"}));
  std::vector<std::string> filled = asked;
  filled.push_back(node("fill", "InitializeTableV2", {"table", "x", "w"}));
  pairs.push_back(CodePair{"table-not-filled", serving("found:0", kFloat32, asked),
                           serving("found:0", kFloat32, filled)});
}

void add_collections(CodePairs& pairs) {
  const auto listing = [](const std::string& name) {
    return with([&](MetaGraphDef& meta) {
      auto* collection = meta.add_collection_def();
      collection->set_key("train_op");
      collection->mutable_value()->mutable_node_list()->add_value(name);
    });
  };
  pairs.push_back(CodePair{"collection-node", listing("gone"), listing("init")});
  const auto of_variable = [](const std::string& initializer) {
    return with([&](MetaGraphDef& meta) {
      tensorflow::VariableDef def;
      def.set_variable_name("w:0");
      def.set_initializer_name(initializer);
      auto* collection = meta.add_collection_def();
      collection->set_key("variables");
      collection->mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
    });
  };
  pairs.push_back(CodePair{"collection-variable", of_variable("w/Assign"), of_variable("init")});
  const auto saving = [](const std::string& restore) {
    return with(
        [&](MetaGraphDef& meta) { meta.mutable_saver_def()->set_restore_op_name(restore); });
  };
  pairs.push_back(CodePair{"saver-node", saving("save/restore_all"), saving("init")});
}

std::string strings(std::string_view name, const Lines& values) {
  return node(name, "Const", {},
              {{"dtype", type_value(7)}, {"value", tensor_value(string_vector(values))}});
}

// A saver's op over lists of names.
Model saver(const std::string& op, const Lines& keys, const Lines& tensors, const Attrs& attrs) {
  std::vector<std::string> all = nodes();
  all.push_back(strings("prefix", {"p"}));
  all.push_back(strings("keys", keys));
  all.push_back(strings("slices", Lines(keys.size(), "")));
  Lines inputs = {"prefix", "keys", "slices"};
  inputs.insert(inputs.end(), tensors.begin(), tensors.end());
  all.push_back(node("save", op, inputs, attrs));
  return as_model(all);
}

void add_savers(CodePairs& pairs) {
  const auto save = [](const Lines& keys) {
    return saver("SaveV2", keys, {"w", "w"}, {{"dtypes", type_list_value({1, 1})}});
  };
  pairs.push_back(CodePair{"save-key-twice", save({"w", "w"}), save({"w", "v"})});
}

// A SavedModel with an asset that is fed to `tensor`, and the file or not.
Model with_asset(const std::string& tensor, bool there) {
  Model model = with([&](MetaGraphDef& meta) {
    auto* asset = meta.add_asset_file_def();
    asset->set_filename("vocab.txt");
    asset->mutable_tensor_info()->set_name(tensor);
  });
  SavedModelParts parts;
  if (there) parts.others.push_back({"assets/vocab.txt", nullptr});
  model.saved_model = std::make_shared<const SavedModelParts>(std::move(parts));
  return model;
}

// One that holds another MetaGraphDef, of a tag.
Model beside(const std::string& tag) {
  Model model = with([](MetaGraphDef& meta) { meta.mutable_meta_info_def()->add_tags("serve"); });
  MetaGraphDef other;
  other.mutable_meta_info_def()->add_tags(tag);
  SavedModelParts parts;
  put_bytes_field(parts.after, 2, other.SerializeAsString());
  model.saved_model = std::make_shared<const SavedModelParts>(std::move(parts));
  return model;
}

void add_saved_models(CodePairs& pairs) {
  pairs.push_back(CodePair{"asset-tensor", with_asset("gone:0", true), with_asset("x:0", true)});
  pairs.push_back(CodePair{"asset-missing", with_asset("x:0", false), with_asset("x:0", true)});
  Model saved =
      with([](MetaGraphDef& meta) { meta.mutable_saver_def()->set_restore_op_name("init"); });
  saved.kind = Kind::kSavedModel;
  Model whole = saved;
  whole.checkpoint = checkpoint_of({{"w", {1, 2}}});
  pairs.push_back(CodePair{"variables-missing", saved, whole});
  pairs.push_back(CodePair{"duplicate-tags", beside("serve"), beside("train")});
}

// A checkpoint of TensorFlow 2, whose object graph says that a variable has this key.
Model with_object(const std::string& key) {
  tensorflow::TrackableObjectGraph graph;
  auto* value = graph.add_nodes()->add_attributes();
  value->set_name("VARIABLE_VALUE");
  value->set_full_name("w");
  value->set_checkpoint_key(key);
  const std::string text = graph.SerializeAsString();
  std::string content;
  put_varint(content, text.size());
  CheckpointEntry entry{std::string(kObjectGraphKey), DType::kString};
  entry.content = Splice(fresh(cat(content, "CRC.", text)));
  Checkpoint checkpoint = *checkpoint_of({{"w", {1, 2}}});
  checkpoint.entries.insert(checkpoint.entries.begin(), entry);
  return model_of(nodes(), std::make_shared<const Checkpoint>(std::move(checkpoint)));
}

}  // namespace

void add_model_pairs(CodePairs& pairs) {
  add_signatures(pairs);
  add_collections(pairs);
  add_savers(pairs);
  add_saved_models(pairs);
  pairs.push_back(CodePair{"object-without-value", with_object("v"), with_object("w")});
  const auto unknown = [](size_t count) {
    std::vector<std::string> all;
    for (size_t i = 0; i < count; ++i) all.push_back(node(cat("n", i), "NoSuchOp"));
    return as_model(all);
  };
  pairs.push_back(CodePair{"more-findings", unknown(kMaxFindings + 1), unknown(1)});
}

}  // namespace cryo
