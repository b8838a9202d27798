#include "commands/text/outcome_text.h"

#include <gtest/gtest.h>

#include <span>

#include "base/text.h"
#include "graphs.h"
#include "reports.h"

namespace cryo {
namespace {

Outcome listed(const Model& model, std::string_view what) {
  const auto options = parse_options(to_string(Json{{"what", what}}));
  return run_verb("list", model, *options, nullptr, {});
}

std::string text_of(const Outcome& outcome) {
  std::string text;
  const JsonTree tree = report_tree(outcome.report);
  write_text(outcome, tree.root(), {}, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

const char* const kNames[] = {"x",
                              "scope/x_1",
                              "quo\"te",
                              "back\\slash",
                              "line\n",
                              "\x7f",
                              "é",
                              "",
                              "##[x]",
                              "::error::no",
                              "a rather long name of a node"};

Model of_nodes(std::span<const char* const> names) {
  std::vector<std::string> nodes;
  for (const char* name : names) {
    nodes.push_back(node(name, "Op", {cat("^", name), cat(name, ":1")}));
  }
  return model_of(nodes);
}

Model of_every_name() { return of_nodes(kNames); }

TEST(OutcomeText, OfNodesIsTheJsonThatTheLibraryWouldWrite) {
  const std::string json = to_string(listed(of_every_name(), "nodes"));
  const Json report = Json::parse(json);
  EXPECT_EQ(to_string(report), json);
  ASSERT_EQ(report["nodes"].size(), std::size(kNames));
  const Json& quoted = report["nodes"][2];
  EXPECT_EQ(quoted["name"], "quo\"te");
  EXPECT_EQ(quoted["inputs"], Json({"^quo\"te", "quo\"te:1"}));
}

TEST(OutcomeText, OfNodesIsTheTableOfTheirReport) {
  const Outcome outcome = listed(of_every_name(), "nodes");
  Json report = report_of(outcome.report);
  for (const char* name : kNames) {
    report["nodes"].push_back({{"name", name},
                               {"op", "Op"},
                               {"inputs", {cat("^", name), cat(name, ":1")}},
                               {"device", ""}});
  }
  EXPECT_EQ(text_of(outcome), report_text(report));
}

// The table shows which bytes they are; the report, which is JSON, has U+FFFD for them.
TEST(OutcomeText, OfNodesShowsBytesThatAreNotUtf8) {
  const char* const name[] = {"\xFF\xC3"};
  const Outcome outcome = listed(of_nodes(name), "nodes");
  EXPECT_NE(text_of(outcome).find("\\xff\\xc3  Op"), std::string::npos);
  EXPECT_NE(to_string(outcome).find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(OutcomeText, OfOtherReportsIsTheSameInPieces) {
  for (const char* what : {"weights", "ops", "inputs"}) {
    const Outcome outcome = listed(model_of({placeholder("x"), constant("c", {1.0F}, {1})}), what);
    EXPECT_EQ(to_string(outcome), json_of(outcome.report));
    EXPECT_EQ(text_of(outcome), report_text(report_of(outcome)));
  }
}

TEST(OutcomeText, EndsWhereNoMoreIsTaken) {
  const Outcome outcome = listed(of_every_name(), "nodes");
  for (int most = 0; most < 20; ++most) {
    int taken = 0;
    const Put put = [&](std::string_view) { return taken++ < most; };
    EXPECT_FALSE(write_json(outcome, put));
    EXPECT_EQ(taken, most + 1);
  }
}

}  // namespace
}  // namespace cryo
