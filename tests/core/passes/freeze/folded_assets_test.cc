#include "passes/freeze/folded_assets.h"

#include "graphs.h"

namespace cryo {
namespace {

constexpr int kString = 7, kInt64 = 9;

// A table that is filled from a file of this content.
struct Table {
  explicit Table(const std::string& content, Attrs attrs, int key = kString, int value = kInt64) {
    attrs.emplace_back("delimiter", string_value("\t"));
    model = model_of(
        {node("path", "Const"),
         node("table", "HashTableV2", {},
              {{"key_dtype", type_value(key)}, {"value_dtype", type_value(value)}}),
         node("handed", "Identity", {"path"}),
         node("fill", "InitializeTableFromTextFileV2", {"table", "handed", "^table"}, attrs)});
    tensorflow::MetaGraphDef meta;
    auto& asset = *meta.add_asset_file_def();
    asset.mutable_tensor_info()->set_name("path:0");
    asset.set_filename("words.txt");
    set_meta(model, std::move(meta));
    auto parts = std::make_shared<SavedModelParts>();
    parts->others.push_back({"assets/words.txt", std::make_shared<MemorySource>(content)});
    model.saved_model = parts;
    result = fold_assets(model, diagnostics);
  }

  tensorflow::TensorProto tensor(const char* name) const {
    tensorflow::TensorProto proto;
    if (!result) return proto;
    const auto bytes = tensor_attr(find(result->graph, name), "value").value_or("");
    proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    return proto;
  }
  Lines strings(const char* name) const {
    const auto proto = tensor(name);
    return {proto.string_val().begin(), proto.string_val().end()};
  }
  std::vector<int64_t> numbers(const char* name) const {
    const std::string content = tensor(name).tensor_content();
    std::vector<int64_t> values(content.size() / 8);
    if (!values.empty()) std::memcpy(values.data(), content.data(), content.size());
    return values;
  }

  Model model = {};
  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

Attrs columns(int64_t key, int64_t value) {
  return {{"key_index", int_value(key)}, {"value_index", int_value(value)}};
}

TEST(FoldedAssets, LinesAndTheirNumbersBecomeConstants) {
  const Table table("red\ngr\r een\r\n\nblue", columns(-2, -1));
  ASSERT_EQ(failure_of(table.result), "ok");
  EXPECT_EQ(described(table.result->graph).back(),
            "fill = InitializeTableV2(table, fill/keys, fill/values, ^table)");
  EXPECT_EQ(table.strings("fill/keys"), (Lines{"red", "gr een", "", "blue"}));
  EXPECT_EQ(table.numbers("fill/values"), (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(table.tensor("fill/values").tensor_shape().dim(0).size(), 4);
  EXPECT_EQ(codes(table.diagnostics), Lines{"asset-folded"});
}

TEST(FoldedAssets, ColumnsOffsetAndNumberOfLinesAreFollowed) {
  Attrs attrs = columns(1, 0);
  attrs.emplace_back("vocab_size", int_value(2));
  const Table table("7\tred\t\n -8 \tgreen\nrest", attrs);
  ASSERT_EQ(failure_of(table.result), "ok");
  EXPECT_EQ(table.strings("fill/keys"), (Lines{"red", "green"}));
  EXPECT_EQ(table.numbers("fill/values"), (std::vector<int64_t>{7, -8}));
  Attrs offset = columns(-2, -1);
  offset.emplace_back("offset", int_value(10));
  EXPECT_EQ(Table("a\nb\n", offset).numbers("fill/values"), (std::vector<int64_t>{10, 11}));
}

TEST(FoldedAssets, TellsTheLineThatDoesNotFit) {
  EXPECT_EQ(failure_of(Table("a\t1\nb\n", columns(0, 1)).result),
            "bad-asset: 'assets/words.txt': line 2 ('b') does not hold a key and a value of types "
            "string and int64");
  EXPECT_EQ(failure_of(Table("a\tx\n", columns(0, 1)).result),
            "bad-asset: 'assets/words.txt': line 1 ('a\\x09x') does not hold a key and a value of "
            "types string and int64");
  Attrs more = columns(-2, -1);
  more.emplace_back("vocab_size", int_value(5));
  EXPECT_EQ(failure_of(Table("a\n", more).result),
            "bad-asset: 'assets/words.txt': it has 1 lines of 5");
}

TEST(FoldedAssets, AFileThatIsNotThereIsMissed) {
  Table table("", columns(-2, -1));
  table.model.saved_model = nullptr;
  EXPECT_EQ(failure_of(fold_assets(table.model, table.diagnostics)),
            "bad-asset: 'assets/words.txt': the SavedModel does not have the file");
}

}  // namespace
}  // namespace cryo
