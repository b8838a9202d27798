#include "passes/edit/added_signatures.h"

#include "checked.h"
#include "only_model.h"
#include "passes/edit/edit.h"

namespace cryo {
namespace {

Model small() {
  return model_of({placeholder("net/x", {-1, 4}), placeholder("net/y", {-1, 4}),
                   node("net/sum", "AddV2", {"net/x", "net/y"}, {{"T", type_value(kFloat32)}}),
                   node("other/sum", "Neg", {"net/sum"}, {{"T", type_value(kFloat32)}})});
}

Result<Model> with(const Model& model, const std::vector<std::string>& signatures,
                   const std::vector<std::string>& rename = {}) {
  EditOptions options;
  options.added_signatures = signatures;
  options.rename = rename;
  Diagnostics diagnostics;
  return only_model(edit(model, nullptr, options, &ops(), diagnostics));
}

// "key: x = net/x:0 1[?,4] -> ..." for each.
Lines signatures(const Result<Model>& model) {
  if (!model) return {model.error().code};
  Lines lines;
  const auto listed = [](const auto& infos) {
    Lines texts;
    for (const auto& each : infos) {
      Shape shape;
      for (const auto& dim : each.value().tensor_shape().dim()) shape.dims.push_back(dim.size());
      texts.push_back(cat(each.key(), " = ", each.value().name(), " ",
                          static_cast<int>(each.value().dtype()), to_text(shape)));
    }
    return join(texts, ", ");
  };
  for (const auto& each : parse_meta(*model).signature_def()) {
    lines.push_back(cat(each.key(), ": ", listed(each.value().inputs()), " -> ",
                        listed(each.value().outputs())));
  }
  return lines;
}

TEST(AddedSignatures, TakeTheNamesOfNodesOrTheirOwn) {
  EXPECT_EQ(signatures(with(small(), {"a=net/x,net/y->net/sum:0", "b=p=net/x->q=net/sum"})),
            Lines({"a: x = net/x:0 1[?,4], y = net/y:0 1[?,4] -> sum = net/sum:0 1[?,4]",
                   "b: p = net/x:0 1[?,4] -> q = net/sum:0 1[?,4]"}));
  EXPECT_EQ(signatures(with(small(), {"c=->net/sum"})), Lines({"c:  -> sum = net/sum:0 1[?,4]"}));
}

TEST(AddedSignatures, FollowARename) {
  EXPECT_EQ(signatures(with(small(), {"a=net/x->net/sum"}, {"net/**=body/**"})),
            Lines({"a: x = body/x:0 1[?,4] -> sum = body/sum:0 1[?,4]"}));
}

TEST(AddedSignatures, KeepTheOthers) {
  const Model first = *with(small(), {"a=net/x->net/sum"});
  EXPECT_EQ(signatures(with(first, {"b=net/y->net/sum"})).size(), 2U);
  EXPECT_EQ(signatures(with(first, {"a=net/y->net/sum"})), Lines({"signature-exists"}));
  EXPECT_EQ(signatures(with(small(), {"a=->net/sum", "a=->net/x"})), Lines({"signature-exists"}));
}

TEST(AddedSignatures, RefuseBadInput) {
  const std::pair<std::string, std::string> refused[] = {
      {"", "bad-option"},
      {"a", "bad-option"},
      {"=net/x->net/sum", "bad-option"},
      {"a=net/x", "bad-option"},
      {"a=net/x->", "bad-option"},
      {"a=,->net/sum", "bad-option"},
      {"a=net/x->p=", "bad-option"},
      {"a==net/x->net/sum", "bad-option"},
      {"a->net/x=net/sum", "bad-option"},
      {"__saved_model_init_op=->net/sum", "bad-option"},
      {"a=net/x->net/sum,other/sum", "bad-option"},
      {"a=net/z->net/sum", "not-in-graph"},
      {"a=net/x->^net/sum", "not-in-graph"},
      {"a=net/x->net/sum:1", "not-in-graph"}};
  for (const auto& [text, code] : refused) {
    EXPECT_EQ(signatures(with(small(), {text})), Lines({code})) << text;
  }
}

TEST(AddedSignatures, NeedAKnownType) {
  Model model = model_of({node("u", "NoSuchOp")});
  EXPECT_EQ(signatures(with(model, {"a=->u"})), Lines({"unknown-type"}));
}

}  // namespace
}  // namespace cryo
