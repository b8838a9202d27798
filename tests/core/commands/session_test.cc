#include "commands/session.h"

#include <gtest/gtest.h>

#include "files.h"
#include "graphs.h"
#include "reports.h"

namespace cryo {
namespace {

std::vector<SourcePtr> reference_files() {
  std::vector<SourcePtr> files;
  for (const char* part : {".meta", ".index", ".data-00000-of-00001"}) {
    files.push_back(std::make_shared<MemorySource>(file_bytes(fixture(cat("ref/model.ckpt", part))),
                                                   cat("m.ckpt", part)));
  }
  return files;
}

OpenModel opened() {
  Diagnostics found;
  Result<OpenModel> model = open_model(reference_files(), {.path = "m.ckpt.meta"}, found);
  EXPECT_TRUE(model.ok()) << failure_of(model);
  return std::move(*model);
}

// A format that holds no graph takes the weights of a model that is open.
TEST(Session, WritesWhatTheFormatHolds) {
  const OpenModel model = opened();
  for (const char* as : {"pb", "npz", "savedmodel"}) {
    Options options;
    options.write = {as, "out"};
    Diagnostics found;
    const Result<OutputSet> set = files_of(model, options, found);
    ASSERT_TRUE(set.ok()) << as << failure_of(set);
    EXPECT_EQ(set->model->has_graph, std::string_view(as) != "npz");
    EXPECT_FALSE(set->files.empty());
  }
}

// A verb that makes a graph does not silently write its weights alone.
TEST(Session, RefusesAGraphInAFormatOfArrays) {
  Options options;
  options.write.out = "out.npz";
  const OpenModel model = opened();
  EXPECT_EQ(run_on(model, "convert", options, {}, {}).status, kDone);
  for (const char* verb : {"freeze", "prune", "validate"}) {
    options.fix = verb == std::string_view("validate");
    const Outcome refused = run_on(model, verb, options, {}, {});
    EXPECT_EQ(refused.status, kCannot) << verb;
    EXPECT_EQ(refused.report.diagnostics.all().back().code, "has-graph") << verb;
    EXPECT_FALSE(refused.model) << verb;
  }
}

TEST(Session, RemembersWhatAVerbMadeAModelFor) {
  const OpenModel model = opened();
  Options options;
  options.freeze.selection.outputs = {"y"};
  options.snippet = true;
  options.write.as = "pb";
  Outcome outcome = run_on(model, "freeze", options, {}, {});
  ASSERT_TRUE(outcome.model);
  const OpenModel made = taken_model(outcome, model, options);
  EXPECT_EQ(made.outputs, Lines{"y"});
  Diagnostics found;
  const Result<OutputSet> set = files_of(made, options, found);
  ASSERT_TRUE(set.ok()) << failure_of(set);
  add_written(outcome.report, *set, {});
  add_requested_snippet(outcome.report, *set, made.outputs, options, {});
  const Json report = report_of(outcome.report);
  EXPECT_EQ(report["outputs"].size(), 1U);
  EXPECT_EQ(report["checked"]["tensors"], 0);
  EXPECT_NE(report["snippet"]["lines"].dump().find("y:0"), std::string::npos);
}

TEST(Session, AddsTheFindingsOfOpeningAllModels) {
  const OpenModel model = opened();
  OpenModel other = opened();
  other.opening.warn("of-the-other", "found");
  const Outcome outcome = run_on(model, "diff", {}, {&other}, {});
  EXPECT_EQ(outcome.status, kDone);
  EXPECT_EQ(outcome.report.diagnostics.all().back().code, "of-the-other");
}

// A file that is named is there; the only model of a folder may be one of the others.
TEST(Session, WarnsOfFilesThatWereNotGathered) {
  const auto codes = [](const std::vector<SourcePtr>& files, const OpenOptions& options) {
    Diagnostics found;
    const bool opened = open_model(files, options, found).ok();
    Lines codes = {opened ? "opened" : "failed"};
    for (const Diagnostic& each : found.all()) codes.push_back(each.code);
    return codes;
  };
  OpenOptions options;
  options.capped = "big/";
  EXPECT_EQ(codes({}, options), (Lines{"failed", "too-many-files"}));
  EXPECT_EQ(codes(reference_files(), options), (Lines{"opened", "too-many-files"}));
  options.path = "m.ckpt.meta";
  EXPECT_EQ(codes(reference_files(), options), Lines{"opened"});
}

}  // namespace
}  // namespace cryo
