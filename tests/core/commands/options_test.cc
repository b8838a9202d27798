#include "commands/options.h"

#include <gtest/gtest.h>

#include <set>

#include "commands/command_table.h"
#include "commands/make_model.h"
#include "formats/format.h"
#include "graphs.h"
#include "reports.h"

namespace cryo {
namespace {

TEST(Options, AreReadFromJson) {
  const auto options = parse_options(
      R"({"outputs": ["a,b", "c"], "inputs": "x,,y", "as": "pb", "out": "o.pb", "checkpoint": "p", "force": true, "style": "ref", "shardSize": "65536"})");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->freeze.selection.outputs, (Lines{"a", "b", "c"}));
  EXPECT_EQ(options->freeze.selection.inputs, (Lines{"x", "y"}));
  EXPECT_EQ(options->unfreeze.style, "ref");
  EXPECT_EQ(options->write.as, "pb");
  EXPECT_EQ(options->write.out, "o.pb");
  EXPECT_EQ(options->open.checkpoint, "p");
  EXPECT_EQ(options->write.shard_size, 65536U);
  EXPECT_TRUE(options->force);
  EXPECT_FALSE(options->quiet);
  EXPECT_TRUE(parse_options("{}").ok());
}

TEST(Options, OfGlobsMayBeRegularExpressionsWithCommas) {
  const auto options =
      parse_options(R"({"exclude": "a*,/b{1,2}/,c", "rename": ["/a{1,2}/=b,c=d", "/x,"]})");
  ASSERT_TRUE(options.ok());
  Lines texts;
  for (const Glob& glob : options->unfreeze.weights.exclude) texts.push_back(glob.text());
  EXPECT_EQ(texts, (Lines{"a*", "/b{1,2}/", "c"}));
  EXPECT_TRUE(options->unfreeze.weights.exclude.any_names("abb"));
  EXPECT_EQ(options->unfreeze.rename, (Lines{"/a{1,2}/=b", "c=d", "/x"}));
  EXPECT_EQ(failure_of(parse_options(R"({"keepVariables": "/a[/"})")),
            "bad-option: the regular expression /a[/ expected ] at character 3");
}

TEST(Options, NamesMayHaveCommasAndValuesLists) {
  const auto options = parse_options(
      R"({"variables": "a\\,b,c", "set": ["size=[2,6],on=true", "deep=[[1,2],[3,4]]"]})");
  ASSERT_TRUE(options.ok());
  ASSERT_EQ(options->freeze.variables.variables.size(), 2U);
  EXPECT_EQ(options->freeze.variables.variables[0].text(), "a,b");
  EXPECT_EQ(options->freeze.variables.variables[1].text(), "c");
  EXPECT_EQ(options->freeze.set, (Lines{"size=[2,6]", "on=true", "deep=[[1,2],[3,4]]"}));
}

TEST(Options, SetTakesAnObjectToo) {
  const auto options =
      parse_options(R"({"set": {"is_training": false, "size": [2, 6], "mode": "a,b", "k": 0.5}})");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->freeze.set, (Lines{"is_training=false", "size=[2,6]", "mode=a,b", "k=0.5"}));
  EXPECT_EQ(failure_of(parse_options(R"({"set": {"a": null}})")),
            "bad-option: the option 'set' takes an object {NAME: VALUE}, or a list of "
            "\"NAME=VALUE\"");
}

TEST(Options, AreSetForEachVerbThatHasThem) {
  const auto options =
      parse_options(R"({"outputs": "y", "dropChecks": true, "exclude": "w", "salvage": true})");
  ASSERT_TRUE(options.ok());
  for (const Selection& each :
       {options->prune.selection, options->freeze.selection, options->draw.selection}) {
    EXPECT_EQ(each.outputs, Lines{"y"});
  }
  EXPECT_TRUE(options->prune.cleanup.drop_checks && options->freeze.cleanup.drop_checks);
  for (const WeightSelection& each : {options->unfreeze.weights, options->transfer.weights,
                                      options->weights.weights, options->diff.weights}) {
    EXPECT_TRUE(each.exclude.any_names("w"));
  }
  EXPECT_TRUE(options->open.salvage && options->convert.salvage && options->weights.salvage);
}

TEST(Options, NoOutputAtAllIsAnError) {
  EXPECT_EQ(failure_of(parse_options(R"({"outputs": []})")), "no-outputs: no output is chosen");
  EXPECT_EQ(failure_of(parse_options(R"({"outputs": ""})")), "no-outputs: no output is chosen");
}

TEST(Options, OfNoMeaningAreRefused) {
  for (const char* json :
       {"", "[]", "nonsense", "{\"nope\": 1}", "{\"outputs\": 1}", "{\"outputs\": [1]}",
        "{\"as\": []}", "{\"force\": \"yes\"}", "{\"out\": null}", "{\"shardSize\": -1}",
        "{\"shardSize\": \"7x\"}", "{\"mean\": \"\"}", "{\"scale\": \"1/255\"}",
        "{\"tolerance\": \"inf\"}"}) {
    const auto options = parse_options(json);
    ASSERT_FALSE(options.ok()) << json;
    EXPECT_EQ(options.error().code, "bad-option");
  }
  EXPECT_EQ(failure_of(parse_options("{\"outputs\": 1}")),
            "bad-option: the option 'outputs' takes a list of names");
}

TEST(CommandTable, HasOptionsThatParseOptionsKnows) {
  // The hosts' own.
  const std::set<std::string_view> others = {"help", "version", "format", "terminalColor", "other"};
  for (const OptionRow& option : option_table()) {
    if (others.contains(option.key)) continue;
    const bool number = option.value.size() == 1 || option.value == "BYTES";
    const std::string value = option.value.empty() ? "true" : number ? "\"7\"" : "\"x\"";
    EXPECT_TRUE(parse_options(cat("{\"", option.key, "\": ", value, "}")).ok()) << option.key;
  }
}

TEST(CommandTable, HasEachNameOnceAndVerbsThatThereAre) {
  std::set<std::pair<std::string_view, std::string_view>> names;  // two options are called --color
  for (const OptionRow& option : option_table()) {
    EXPECT_TRUE(names.emplace(option.name, option.key).second) << option.name;
    for (const std::string_view verb : split(option.verbs, ',')) {
      EXPECT_TRUE(verb.empty() || find_verb(verb) != nullptr) << verb;
    }
  }
  EXPECT_EQ(find_verb("nope"), nullptr);
}

TEST(CommandTable, EveryVerbThatWritesMakesAModelOrDrawsAndTakesAnOutput) {
  for (const VerbRow& verb : verb_table()) {
    const bool makes_a_model = find_model_verb(verb.name) != nullptr;
    EXPECT_EQ(verb.writes, makes_a_model || verb.name == "draw") << verb.name;
    const bool may_write = verb.writes || verb.name == "validate";  // with --fix
    for (const OptionRow& option : option_table()) {
      EXPECT_TRUE(option.name != "-o" || takes(verb, option) == may_write) << verb.name;
    }
  }
  for (const ModelVerb& verb : model_verbs()) EXPECT_NE(find_verb(verb.name), nullptr);
}

TEST(CommandTable, IsTheHelp) {
  const std::string help = help_text(nullptr);
  for (const VerbRow& verb : verb_table()) {
    EXPECT_NE(help.find(verb.summary), std::string::npos);
    const std::string of_verb = help_text(&verb);
    EXPECT_NE(of_verb.find(verb.examples.substr(0, verb.examples.find('\n'))), std::string::npos);
    for (const OptionRow& option : option_table()) {
      const std::string_view separator = option.short_name.empty() ? "" : ", ";
      const std::string row = cat("\n  ", option.short_name, separator, option.name);
      const bool is_named = of_verb.find(cat(row, " ")) != std::string::npos ||
                            of_verb.find(cat(row, "\n")) != std::string::npos;
      // Two options are called --color: their helps tell them apart.
      const bool is_listed = is_named && of_verb.find(option.help) != std::string::npos;
      EXPECT_EQ(is_listed, takes(verb, option)) << verb.name << " " << option.name;
    }
  }
}

TEST(CommandTable, HelpFitsTheTerminal) {
  for (const size_t width : {size_t{50}, kHelpWidth, size_t{100}}) {
    const std::string all = help_text(nullptr, width);
    for (const std::string_view line : split(all, '\n')) EXPECT_LE(line.size(), width) << line;
  }
  for (const VerbRow& verb : verb_table()) {
    const std::string help = help_text(&verb);
    for (const std::string_view line : split(help, '\n'))
      EXPECT_LE(line.size(), kHelpWidth) << line;
  }
}

TEST(CommandTable, NamesEveryFormatThatIsWritten) {
  std::set<std::string_view> named;
  for (const FormatRow& row : format_table()) named.insert(row.name);
  std::set<std::string_view> written;
  for (const Format& format : formats()) {
    if (format.write != nullptr) written.insert(format.name);
  }
  EXPECT_EQ(named, written);
}

Outcome run_with(std::string_view verb, const Model& model, const std::string& json = "{}") {
  return run_verb(verb, model, *parse_options(json), nullptr, Diagnostics());
}

TEST(Verbs, EndWithTheirStatus) {
  const Model model = model_of({placeholder("x"), node("y", "Op", {"x"})});
  EXPECT_EQ(run_with("inspect", model).status, kDone);
  EXPECT_EQ(run_with("list", model, R"({"what": "nodes"})").status, kDone);
  EXPECT_EQ(run_with("list", model, R"({"what": "nonsense"})").status, kBadCommandLine);
  EXPECT_EQ(run_with("prune", model).status, kDone);
  EXPECT_EQ(run_with("prune", model, R"({"outputs": "nope"})").status, kCannot);
  EXPECT_EQ(run_with("unfreeze", model, R"({"style": "other", "constants": "**"})").status,
            kCannot);
  EXPECT_EQ(run_with("nonsense", model).status, kBadCommandLine);
  EXPECT_EQ(run_with("freeze", Model()).status, kCannot);
}

Model with_two_signatures() {
  Model model = model_of({placeholder("x"), node("a", "Op", {"x"}), node("b", "Op", {"x"})},
                         checkpoint_of({{"w", {1}}}));
  tensorflow::MetaGraphDef meta;
  for (const char* name : {"a", "b"}) {
    auto& signature = *meta.add_signature_def();
    signature.set_key(cat("sign_", name));
    auto& output = *signature.mutable_value()->add_outputs();
    output.set_key(name);
    output.mutable_value()->set_name(cat(name, ":0"));
  }
  set_meta(model, meta);
  return model;
}

TEST(Verbs, TakeSignaturesByTheirKeys) {
  const Model model = with_two_signatures();
  const std::string one = R"({"signature": "sign_b"})";
  const Json inspected = report_of(run_with("inspect", model, one));
  EXPECT_EQ(inspected["signatures"].size(), 1U);
  ASSERT_EQ(inspected["outputs"].size(), 1U);
  EXPECT_EQ(inspected["outputs"][0]["name"], "b");
  const Outcome listed =
      run_with("list", model, R"({"what": "signatures", "signature": "sign_b"})");
  EXPECT_EQ(report_of(listed)["signatures"].size(), 1U);
  const Outcome converted = run_with("convert", model, one);
  ASSERT_TRUE(converted.model.has_value());
  EXPECT_EQ(parse_meta(*converted.model).signature_def_size(), 1);
  for (const char* verb :
       {"inspect", "list", "validate", "prune", "freeze", "unfreeze", "weights", "convert"}) {
    const Outcome refused = run_with(verb, model, R"({"signature": "nope", "what": "nodes"})");
    EXPECT_EQ(refused.status, kCannot) << verb;
    EXPECT_EQ(refused.report.diagnostics.all().at(0).code, "no-signature") << verb;
  }
}

TEST(Verbs, ConvertToArraysIsWeights) {
  const Model model = model_of({variable("w", {1})}, checkpoint_of({{"w", {1}}}));
  const Outcome outcome = run_with("convert", model, R"({"out": "w.npz"})");
  EXPECT_EQ(outcome.status, kDone);
  EXPECT_EQ(outcome.report.verb, "convert");
  ASSERT_TRUE(outcome.model.has_value());
  EXPECT_FALSE(outcome.model->has_graph);
  EXPECT_TRUE(run_with("convert", model, R"({"out": "w.pb"})").model->has_graph);
}

TEST(Verbs, ReportEveryFailureWithItsDiagnostic) {
  const Outcome outcome =
      run_with("prune", model_of({node("logits", "Op")}), R"({"outputs": "a/logits"})");
  EXPECT_FALSE(outcome.model);
  const Json report = report_of(outcome);
  EXPECT_EQ(report["verb"], "prune");
  ASSERT_EQ(report["diagnostics"].size(), 1U);
  const Json& error = report["diagnostics"][0];
  EXPECT_EQ(error["severity"], "error");
  EXPECT_EQ(error["code"], "not-in-graph");
  EXPECT_EQ(error["message"], "a/logits is not in graph");
  EXPECT_EQ(error["fix"], "there is logits");
  EXPECT_EQ(error["where"]["node"], "a/logits");
}

}  // namespace
}  // namespace cryo
