#include "commands/report.h"

#include <gtest/gtest.h>

#include "base/reference.h"
#include "files.h"
#include "formats/open.h"
#include "functions.h"
#include "reports.h"

namespace cryo {
namespace {

struct Opened {
  Model model = {};
  Diagnostics diagnostics = {};
};

Opened opened_of(const std::vector<SourcePtr>& files, const std::string& path) {
  Opened opened;
  auto model = open(files, {path}, opened.diagnostics);
  EXPECT_TRUE(model.ok()) << failure_of(model);
  if (model) opened.model = std::move(*model);
  return opened;
}

Opened opened(const std::string& name, const std::string& path) {
  std::vector<SourcePtr> files;
  for (const auto& file : std::filesystem::directory_iterator(fixture(name))) {
    files.push_back(
        std::make_shared<MemorySource>(file_bytes(file.path()), file.path().filename().string()));
  }
  std::sort(files.begin(), files.end(),
            [](const SourcePtr& a, const SourcePtr& b) { return a->name() < b->name(); });
  return opened_of(files, path);
}

Outcome run(std::string_view verb, const Opened& opened, const std::string& json = "{}") {
  return run_verb(verb, opened.model, *parse_options(json), nullptr, opened.diagnostics);
}
Outcome run(std::string_view verb, const Model& model, const std::string& json = "{}") {
  return run(verb, Opened{model}, json);
}

TEST(Report, HasAFindingOfOpeningAndOfWritingOnce) {
  Diagnostics found;
  found.add(*failure("bad-slices", "a slice is missing", {.tensor = "w"}));
  Report report{"convert", "m", found};
  found.warn("other", "another");
  add_diagnostics(report, found);
  EXPECT_EQ(report.diagnostics.all().size(), 2U);
}

TEST(Report, WritesShapesAndUnknownOnes) {
  EXPECT_EQ(json_of(Shape{false, {2, -1}}), "[2,-1]");
  EXPECT_EQ(json_of(Shape{false, {}}), "[]");
  EXPECT_EQ(json_of(Shape{true, {}}), "null");
}

TEST(Report, IsUtf8WhateverTheNamesAre) {
  const Outcome outcome = run("list", model_of({node("n\xFF\xC3", "Op")}), R"({"what": "nodes"})");
  EXPECT_NE(to_string(outcome).find("n\xEF\xBF\xBD\xEF\xBF\xBD"), std::string::npos);
}

TEST(Report, OfNodesIsOfAFunctionsBodyWhereOneIsNamed) {
  const Opened model = opened("functional", "model.ckpt");
  const Json functions = report_of(run("list", model, R"({"what": "functions"})"))["functions"];
  ASSERT_FALSE(functions.empty());
  const std::string name = functions[0]["name"];
  const Json options = {{"what", "nodes"}, {"function", name}};
  const Json nodes = Json::parse(to_string(run("list", model, to_string(options))))["nodes"];
  EXPECT_EQ(nodes[0]["op"], "_Arg");
  EXPECT_GT(nodes.size(), functions[0]["nodes"].get<size_t>());
  EXPECT_EQ(run("list", model, R"({"what": "nodes", "function": "none"})").status, kCannot);
}

TEST(Report, OfADiagnosticLeavesOutWhatDoesNotApply) {
  EXPECT_EQ(
      json_of(*failure("code", "message", {.offset = 5}, "fix")),
      R"({"severity":"error","code":"code","where":{"offset":5},"message":"message","fix":"fix","fixable":false})");
}

TEST(Report, OfADiagnosticHasItsReferencesAsParts) {
  const Json row =
      Json::parse(json_of(*failure("code", "no " OPTION("--inputs", ""), {},
                                   "write " SETTING("-o", "a b") ", or " LIST("names", "nodes"))));
  EXPECT_EQ(row["message"], "no --inputs");
  EXPECT_EQ(row["fix"], "write -o 'a b', or see the names: cryograph list PATH nodes");
  EXPECT_EQ(to_string(row["parts"]),
            R"({"message":["no ",{"action":"option","option":"inputs","value":""}],)"
            R"("fix":["write ",{"action":"set","option":"out","value":"a b"},", or ",)"
            R"({"action":"list","names":"names","list":"nodes"}]})");
}

TEST(Report, OfInspectCountsWhatTrainingKeepsApart) {
  const Outcome outcome = run("inspect", opened("ref", "model.ckpt"));
  const Json variables = report_of(outcome)["variables"];
  EXPECT_EQ(variables["slots"]["count"], 2);
  EXPECT_EQ(variables["averages"]["count"], 0);
  EXPECT_NE(report_text(report_of(outcome)).find("of these 2 slots of optimizers"),
            std::string::npos);
  const Outcome weights = run("list", opened("ref", "model.ckpt"), R"({"what": "weights"})");
  const Json listed = report_of(weights)["weights"];
  for (const Json& each : listed) {
    const bool slot = each["name"].get<std::string>().ends_with("/Momentum");
    EXPECT_EQ(each.contains("role"), slot) << to_string(each);
    EXPECT_EQ(each.contains("why"), slot);
  }
}

TEST(Report, OfInspectSaysWhatIsMissingToRun) {
  const auto lacks = [](const Opened& model) {
    const Json list = report_of(run("inspect", model))["lacks"];
    return list.empty() ? std::string() : list[0].get<std::string>();
  };
  EXPECT_EQ(lacks(opened("ref", "model.ckpt")), "");
  EXPECT_TRUE(lacks(opened("meta_only", "")).starts_with("the values of its "));
  Opened weights = opened("ref", "model.ckpt");
  weights.model.has_graph = false;
  weights.model.graph = Graph();
  EXPECT_TRUE(lacks(weights).starts_with("a graph: these are weights alone"));
}

TEST(Report, OfAssetsHasTheirFiles) {
  std::vector<SourcePtr> files;
  const auto root = fixture("saved_models/tables");
  for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
    if (!file.is_regular_file()) continue;
    files.push_back(std::make_shared<MemorySource>(
        file_bytes(file.path()), std::filesystem::relative(file.path(), root).string()));
  }
  const Outcome outcome = run("list", opened_of(files, ""), R"({"what": "assets"})");
  ASSERT_EQ(report_of(outcome)["assets"].size(), 1U);
  const Json asset = report_of(outcome)["assets"][0];
  EXPECT_EQ(asset["name"], "vocabulary.txt");
  EXPECT_EQ(asset["path"], "assets/vocabulary.txt");
  EXPECT_EQ(asset["bytes"], 12);
  EXPECT_NE(asset["tensor"], "");
}

TEST(TextReport, OfInspect) {
  EXPECT_EQ(report_text(report_of(run("inspect", opened("mixed", "model.ckpt")))),
            R"(model       model.ckpt.meta
kind        meta-graph, TensorFlow 2.21.0
files       model.ckpt.meta  5.1 kB
            model.ckpt.index  146 bytes
            model.ckpt.data-00000-of-00001  60 bytes
graph       29 nodes, 0 functions, producer 2474 (TensorFlow 2.21)
ops         Const 7, Identity 3, Assign 2, AssignVariableOp 2, NoOp 2, PlaceholderWithDefault 2, ReadVariableOp 2, BiasAdd 1 and 8 more
weights     in the checkpoint
variables   2, 15 parameters, 60 bytes; 2 trainable
constants   7, 147 bytes
scopes      no scope 144 bytes, save 63 bytes
inputs      x  float32 [?,4]
outputs?    y  float32 [?,3]  (not used by any inference node; computed from 7 nodes)
)");
}

TEST(TextReport, OfAPass) {
  EXPECT_EQ(
      report_text(report_of(run("freeze", opened("mixed", "model.ckpt"), R"({"outputs": "y"})"))),
      R"(model       model.ckpt.meta
up to       y
nodes       29 -> 7
variables   2 -> 0
constants   7 -> 2
converted   w  float32 [4,3]
            b  float32 [3]
)");
}

TEST(TextReport, OfAList) {
  EXPECT_EQ(
      report_text(report_of(run("list", opened("mixed", "model.ckpt"), R"({"what": "weights"})"))),
      R"(w                                float32  [4,3]  48 bytes  checkpoint  w                                true
b                                float32  [3]    12 bytes  checkpoint  b                                true
Const                            float32  [4,3]  48 bytes  constant    Const                            false
Const_1                          float32  [3]    12 bytes  constant    Const_1                          false
save/filename/input              string   []     10 bytes  constant    save/filename/input              false
save/SaveV2/tensor_names         string   [2]    8 bytes   constant    save/SaveV2/tensor_names         false
save/SaveV2/shape_and_slices     string   [2]    6 bytes   constant    save/SaveV2/shape_and_slices     false
save/RestoreV2/tensor_names      string   [2]    8 bytes   constant    save/RestoreV2/tensor_names      false
save/RestoreV2/shape_and_slices  string   [2]    6 bytes   constant    save/RestoreV2/shape_and_slices  false
)");
}

TEST(TextReport, OfVerify) {
  const Json report = Json::parse(R"({"verb": "verify", "model": "a.pb", "other": "b.pb",
      "diagnostics": [], "verdict": "different", "equal": false, "runner": "TensorFlow.js 4.22.0, cpu",
      "seed": 7, "tolerance": 0, "inputs": [
        {"name": "x", "dtype": "float32", "shape": [1, 2], "from": "random"},
        {"name": "i", "dtype": "int32", "shape": [4], "from": "random", "range": [0, 9], "why": "indices into t"},
        {"name": "p", "dtype": "bool", "shape": [], "from": "fixed", "value": false, "why": "a single bool"}],
      "outputs": [{"name": "y", "dtype": "float32", "shape": [2], "verdict": "different", "why": "", "difference":
        {"elements": 2, "count": 1, "firstIndex": 1, "firstPosition": [1], "largestAbsolute": 0.5,
         "largestRelative": 0.25, "nans": 0, "within": false}},
        {"name": "v", "dtype": "float32", "shape": [2], "verdict": "equal", "why": "", "difference":
        {"elements": 2, "count": 1, "firstIndex": 0, "firstPosition": [0], "largestAbsolute": 0.5,
         "largestRelative": 0.25, "nans": 0, "within": true}},
        {"name": "z", "dtype": null, "shape": null, "verdict": "undecided", "node": "f", "op": "Foo",
         "why": "TensorFlow.js has no op Foo", "difference": null}],
      "instead": [{"name": "s", "dtype": "string", "shape": [], "verdict": "equal", "why": "bit for bit",
         "difference": null, "insteadOf": "z"}],
      "firstDifference": {"node": "w", "op": "Const", "name": "w", "dtype": "float32", "shape": [2],
        "verdict": "different", "difference": {"otherDtype": "int32", "otherShape": [3], "within": false}},
      "missingOps": ["Foo"]})");
  EXPECT_EQ(report_text(report), R"(different
A           a.pb
B           b.pb
run by      TensorFlow.js 4.22.0, cpu
on          x  float32 [1,2]  random, seed 7
            i  int32 [4]  random 0 to 9 (indices into t), seed 7
            p  bool []  false (a single bool)
outputs     y  float32 [2]  different: 1 of 2 elements, the first at [1]; largest difference 0.5, relative 0.25
            v  float32 [2]  equal: within the tolerance: 1 of 2 elements, the first at [0]; largest difference 0.5, relative 0.25
            z  undecided: TensorFlow.js has no op Foo  (node f)
            1 tensor on the way there is equal
differs at  w (Const)
            w  float32 [2]  different: there it is int32 [3]
missing ops Foo
)");
}

TEST(TextReport, OfVerifyThatIsUndecidedSaysWhatToDo) {
  Json report =
      Json::parse(R"({"verb": "verify", "model": "a.pb", "other": "b.pb", "diagnostics": [],
      "verdict": "undecided", "equal": null, "runner": "r", "seed": 0, "tolerance": 0, "inputs": [],
      "outputs": [], "instead": [], "firstDifference": null, "missingOps": []})");
  const std::string head = "undecided\nA           a.pb\nB           b.pb\nrun by      r\n";
  EXPECT_EQ(
      report_text(report),
      head + "next        --script OUT.py writes a script that compares them in TensorFlow\n");
  report["script"] = Json::parse(R"([{"path": "c.py", "bytes": 1}])");
  EXPECT_EQ(report_text(report),
            head + "script      c.py  compares them in TensorFlow: python3 c.py\n");
}

TEST(TextReport, OfDiagnostics) {
  const Outcome outcome = run("inspect", opened("missing_shard", "model.ckpt"));
  EXPECT_EQ(diagnostics_text(report_of(outcome)),
            R"(warning: has 1 of 2 shards; missing model.ckpt.data-00001-of-00002 [missing-shard]
  at model.ckpt.index
  fix: put the missing data files next to the index
)");
  EXPECT_NE(report_text(report_of(outcome)).find("without a value"), std::string::npos);
}

TEST(Inspect, MarksAnInputThatNeedNotBeFed) {
  const Model model =
      model_of({placeholder("x"), node("c", "Const", {}, {{"dtype", type_value(kFloat32)}}),
                node("keep", "PlaceholderWithDefault", {"c"}, {{"dtype", type_value(kFloat32)}})});
  const Json report = report_of(run("inspect", model));
  ASSERT_EQ(report["inputs"].size(), 2U);
  EXPECT_FALSE(report["inputs"][0].contains("optional"));
  EXPECT_EQ(report["inputs"][1]["optional"], true);
  EXPECT_NE(report_text(report).find("keep  float32 of unknown shape  (has a default)"),
            std::string::npos)
      << report_text(report);
}

TEST(Inspect, GivesTheShapesThatInferenceKnows) {
  const Model model =
      model_of({placeholder("x", {-1, 2}), constant("w", {1, 2, 3, 4, 5, 6}, {2, 3}),
                node("y", "MatMul", {"x", "w"}, kFloats)});
  const Outcome outcome = run_verb("inspect", model, Options(), &ops(), {});
  EXPECT_EQ(report_of(outcome)["outputs"][0]["shape"], Json({-1, 3}));
}

TEST(Inspect, ListsUnknownOpsOfFunctionsToo) {
  Parts parts{{placeholder("x"), node("n", "Foreign", {"x"})},
              {body("F", {}, {}, {node("m", "Inner")})}};
  Model model = model_of({});
  model.graph = graph_of(parts);
  const Outcome outcome = run_verb("inspect", model, Options(), &ops(), {});
  EXPECT_EQ(report_of(outcome)["unknownOps"], Json({"Foreign", "Inner"}));
}

TEST(TextReport, HoldsBackMostOfALongList) {
  std::vector<std::string> nodes;
  for (int i = 0; i < 40; ++i) nodes.push_back(placeholder(cat("x", i)));
  const Json report = report_of(run("inspect", model_of(nodes)));
  EXPECT_NE(report_text(report).find("... and 28 more (--verbose)"), std::string::npos);
  EXPECT_EQ(report_text(report, {.verbose = true}).find("more (--verbose)"), std::string::npos);
}

TEST(TextReport, OfManyDiagnosticsHoldsNotesBackFirst) {
  Diagnostics many;
  for (int i = 0; i < 30; ++i) many.note("n", cat("note ", i));
  const Json report = report_of(Report{"inspect", "m", many});
  EXPECT_NE(diagnostics_text(report).find("... and 10 more (--verbose)"), std::string::npos);
  EXPECT_EQ(diagnostics_text(report, {.verbose = true}).find("more (--verbose)"),
            std::string::npos);
  EXPECT_EQ(diagnostics_text(report, {.quiet = true}), "");
}

TEST(Inspect, OfEveryKindSaysWhereTheWeightsAre) {
  EXPECT_EQ(report_of(run("inspect", opened("ref", "model.ckpt")))["weights"], "checkpoint");
  EXPECT_EQ(report_of(run("inspect", opened("ref", "frozen.pb")))["weights"], "constants");
  EXPECT_EQ(report_of(run("inspect", opened("meta_only", "model.meta")))["weights"], "variables");
  EXPECT_EQ(report_of(run("inspect", opened("types_keys", "keys")))["kind"], "checkpoint");
  EXPECT_EQ(report_of(run("inspect", model_of({placeholder("x")})))["weights"], "none");
}

TEST(Inspect, WithChecksumsFindsADamagedTensor) {
  std::vector<SourcePtr> files;
  for (const char* part : {".meta", ".index", ".data-00000-of-00001"}) {
    std::string bytes = file_bytes(fixture(cat("ref/model.ckpt", part)));
    if (part[1] == 'd') bytes[5] = static_cast<char>(bytes[5] ^ 1);
    files.push_back(std::make_shared<MemorySource>(std::move(bytes), cat("m", part)));
  }
  const Opened model = opened_of(files, "m");
  EXPECT_EQ(run("inspect", model).status, kDone);
  const Outcome checked = run("inspect", model, R"({"checksum": true})");
  EXPECT_EQ(checked.status, kCannot);
  ASSERT_EQ(report_of(checked)["diagnostics"].size(), 1U);
  EXPECT_NE(report_of(checked)["diagnostics"][0]["where"]["tensor"], "");
}

TEST(List, HasEveryKindForEveryModel) {
  for (const char* what : {"nodes", "ops", "weights", "inputs", "outputs", "signatures",
                           "functions", "assets", "collections"}) {
    const Outcome outcome =
        run("list", opened("call", "model.ckpt"), cat("{\"what\": \"", what, "\"}"));
    EXPECT_EQ(outcome.status, kDone) << what;
    EXPECT_TRUE(Json::parse(to_string(outcome)).contains(what)) << what;
    EXPECT_EQ(run("list", Model(), cat("{\"what\": \"", what, "\"}")).status, kDone) << what;
  }
}

TEST(List, HasAllInputsHoweverMany) {
  std::vector<std::string> nodes;
  for (int i = 0; i < 60; ++i) nodes.push_back(placeholder(cat("x", i)));
  EXPECT_EQ(report_of(run("list", model_of(nodes), R"({"what": "inputs"})"))["inputs"].size(), 60U);
}

TEST(Report, LikeTensorFlowTakesNoOptionThatItsToolsDoNotHave) {
  Opened model;
  model.model = model_of({node("y", "NoOp")});
  const auto status = [&](const std::string& more) {
    return run("prune", model, cat(R"({"outputs": "y", "likeTensorflow": true)", more, "}")).status;
  };
  EXPECT_EQ(status(""), kDone);
  EXPECT_EQ(status(R"(, "out": "a.pb.zip")"), kDone);
  EXPECT_EQ(status(R"(, "out": "a", "as": "pbtxt")"), kDone);
  for (const char* more : {R"(, "inputs": "x")", R"(, "as": "savedmodel")", R"(, "out": "a.ckpt")",
                           R"(, "out": "a/saved_model.pbtxt")", R"(, "out": "a.meta.pbtxt")"}) {
    EXPECT_EQ(status(more), kBadCommandLine) << more;
  }
}

}  // namespace
}  // namespace cryo
