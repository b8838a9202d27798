#include "commands/text/report_text.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "commands/text/compat_text.h"
#include "commands/text/diagnostics_text.h"
#include "commands/text/escaped.h"
#include "commands/text/explain_text.h"
#include "commands/text/look.h"
#include "commands/text/report_text_pairs.h"
#include "commands/text/text_rows.h"

namespace cryo {
namespace {

std::string variables_text(const Json& report) {
  const Json& variables = report["variables"];
  if (variables["count"] == 0) return "";
  std::string text =
      row("variables",
          cat(scalar(variables["count"]), ", ", scalar(variables["parameters"]), " parameters, ",
              bytes_text(variables["bytes"]), "; ", scalar(variables["trainable"]), " trainable"));
  for (const auto& [of, what] :
       {std::pair("slots", "slots of optimizers"), std::pair("averages", "moving averages")}) {
    if (variables[of]["count"] == 0) continue;
    text += row("", cat("of these ", scalar(variables[of]["count"]), " ", what, ", ",
                        bytes_text(variables[of]["bytes"])));
  }
  const size_t missing = variables["missing"].size();
  if (missing > 0) text += row("", cat(missing, " without a value"));
  return text;
}

std::string weights_text(const Json& report) {
  const std::string weights = scalar(report["weights"]);
  if (weights == "checkpoint") return "in the checkpoint";
  if (weights == "constants") return "in the graph, as constants";
  if (weights == "variables")
    return "none here: the graph has variables, and no checkpoint was found";
  return "none";
}

std::string signatures_text(const Json& signatures) {
  std::string text;
  for (const auto& signature : signatures.items()) {
    text += row(text.empty() ? "signatures" : "",
                cat(signature.key(), "  ", scalar(signature.value()["method"])));
    for (const char* side : {"inputs", "outputs"}) {
      for (const auto& argument : signature.value()[side].items()) {
        text += row("", cat(side == std::string_view("inputs") ? "  in   " : "  out  ",
                            argument.key(), " = ", tensor_text(argument.value())));
      }
    }
  }
  return text;
}

// The members of an object of numbers, the largest first.
std::vector<std::pair<uint64_t, std::string>> largest_first(const Json& numbers) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& each : numbers.items()) sorted.emplace_back(number(each.value()), each.key());
  sort(sorted, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return sorted;
}

// "Conv2D 2, Const 31, ...": the most frequent first.
std::string ops_text(const Json& ops, bool verbose) {
  std::vector<std::string> parts;
  for (const auto& [count, op] : largest_first(ops)) parts.push_back(cat(op, " ", count));
  return join(parts, ", ", verbose ? 0 : 8);
}

// "conv1 3.3 kB, conv2 18.6 kB, ...": the heaviest first.
std::string scopes_text(const Json& scopes, bool verbose) {
  std::vector<std::string> parts;
  for (const auto& [bytes, scope] : largest_first(scopes)) {
    parts.push_back(cat(scope.empty() ? "no scope" : scope, " ", human_bytes(bytes)));
  }
  return join(parts, ", ", verbose ? 0 : 8);
}

// " (TensorFlow 1.3 to 1.5; loads from TensorFlow 1.3 on)"
std::string releases_text(const Json& report) {
  std::vector<std::string> parts;
  if (report.contains("madeBy")) parts.push_back(scalar(report["madeBy"]));
  if (report.contains("loadsFrom")) {
    parts.push_back(cat("loads from ", scalar(report["loadsFrom"]), " on"));
  }
  return parts.empty() ? "" : cat(" (", join(parts, "; "), ")");
}

std::string inspect_text(const Json& report, bool verbose) {
  std::string text = row("model", scalar(report["model"]));
  const std::string version = scalar(report["tensorflowVersion"]);
  text += row("kind", cat(scalar(report["kind"]), version.empty() ? "" : ", TensorFlow ", version));
  if (report.contains("kindWhy")) text += row("", cat("read as ", scalar(report["kindWhy"])));
  text += rows("files", report["files"], verbose, [](const Json& file) {
    return cat(scalar(file["path"]), "  ", bytes_text(file["bytes"]));
  });
  if (report["nodes"] != 0) {
    text += row("graph", cat(plural(number(report["nodes"]), "node"), ", ",
                             plural(number(report["functions"]), "function"), ", producer ",
                             scalar(report["producer"]), releases_text(report)));
    text += row("ops", ops_text(report["ops"], verbose));
  }
  text += row("weights", weights_text(report));
  text += variables_text(report);
  text += rows("lacks", report["lacks"], verbose, scalar);
  if (report["constants"]["count"] != 0) {
    text += row("constants", cat(scalar(report["constants"]["count"]), ", ",
                                 bytes_text(report["constants"]["bytes"])));
  }
  if (report["bytesByScope"].size() > 1)
    text += row("scopes", scopes_text(report["bytesByScope"], verbose));
  text += signatures_text(report["signatures"]);
  text += rows("inputs", report["inputs"], verbose, [](const Json& input) {
    return cat(tensor_text(input), input.contains("optional") ? "  (has a default)" : "");
  });
  text += rows(report["outputsCertain"] == true ? "outputs" : "outputs?", report["outputs"],
               verbose, [](const Json& output) {
                 return cat(tensor_text(output), "  (", scalar(output["why"]), ")");
               });
  if (report.contains("unknownOps"))
    text += rows("unknown ops", report["unknownOps"], verbose, scalar);
  return text;
}

std::string cell(const std::string& key, const Json& value) {
  if (key == "shape") return shape_text(value);
  if (key == "bytes") return value.is_null() ? "missing" : bytes_text(value);
  if (!value.is_array()) return scalar(value);
  std::vector<std::string> parts;
  for (const Json& each : value) parts.push_back(scalar(each));
  return join(parts, " ");
}

std::string list_text(const Json& report, const Look& look) {
  const std::string what = scalar(report["what"]);
  if (!report.contains(what)) return "";
  if (what == "signatures") return signatures_text(report[what]);
  const Json& items = report[what];
  std::string text;
  write_table(
      items.size(),
      [&](size_t at) {
        std::vector<std::string> cells;
        for (const auto& member : items[at].items()) {
          cells.push_back(cell(member.key(), member.value()));
        }
        return cells;
      },
      look,
      [&](std::string_view line) {
        text += line;
        return true;
      });
  return text;
}

std::string repaired_text(const Json& repaired, bool verbose) {
  if (repaired.empty()) return row("repaired", "nothing");
  return rows("repaired", repaired, verbose, [](const Json& each) {
    return cat(place_text(each["where"]), ": ", scalar(each["what"]));
  });
}

std::string written_text(const Json& report) {
  if (!report.contains("outputs")) return "";
  return rows("written", report["outputs"], true, [](const Json& file) {
    return cat(scalar(file["path"]), "  ", bytes_text(file["bytes"]));
  });
}

// Returns the suggested next command.
std::string advice_text(const Json& diagnostics) {
  if (diagnostics.empty()) return "";
  const auto fixable = static_cast<uint64_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Json& each) { return each["fixable"] == true; }));
  std::string text = row("", "cryograph validate --explain CODE tells what a [code] means");
  if (fixable > 0) {
    text += row("", cat("cryograph validate PATH --fix -o OUT repairs ", fixable, " of ",
                        plural(diagnostics.size(), "finding")));
  }
  return text;
}

std::string validate_text(const Json& report, bool verbose) {
  const bool valid = report["valid"] == true;
  const std::string whose =
      report.contains("release") ? cat("TensorFlow ", scalar(report["release"])) : "TensorFlow";
  std::string text = report.contains("weightsAlone")
                         ? (valid ? "valid: TensorFlow would open it"
                                  : "not valid: TensorFlow cannot read all of it")
                         : (valid ? cat("valid: ", whose, " would import it")
                                  : cat("not valid: ", whose, " would refuse it"));
  if (valid) {
    text += report["sound"] != true          ? ", but not all is well"
            : number(report["warnings"]) > 0 ? ", with warnings"
                                             : ", and nothing else is wrong";
  }
  text = cat(marked(!valid                    ? Mark::kBad
                    : report["sound"] != true ? Mark::kDoubtful
                                              : Mark::kGood,
                    text),
             "\n");
  if (report.contains("repaired")) text += repaired_text(report["repaired"], verbose);
  text += row(report.contains("repaired") ? "left" : "",
              cat(plural(number(report["errors"]), "error"), ", ",
                  plural(number(report["warnings"]), "warning")));
  return cat(text, advice_text(report["diagnostics"]), written_text(report));
}

std::string change(const Json& report, const char* of) {
  const std::string before = scalar(report["before"][of]);
  const std::string after = scalar(report["after"][of]);
  return before == after ? before : cat(before, " -> ", after);
}

// "w, for conv -> relu -> ...": why a node is kept, the first steps of the way to an output.
std::string needed_text(const Json& needed) {
  constexpr int kSteps = 4;
  std::string text;
  for (const auto& each : needed.items()) {
    std::string way;
    int steps = 0;
    for (const Json* next = &each.value(); !next->is_null(); next = &needed[scalar(*next)]) {
      way += cat(way.empty() ? ", for " : " -> ", steps < kSteps ? scalar(*next) : "...");
      if (steps++ == kSteps) break;
    }
    text += row(text.empty() ? "kept" : "", cat(each.key(), way.empty() ? ", an end" : way));
  }
  return text;
}

std::string draw_text(const Json& report) {
  std::string text = row("model", scalar(report["model"]));
  const std::string function = scalar(report["view"]["function"]);
  if (!function.empty()) text += row("function", function);
  text += row("nodes", scalar(report["view"]["nodes"]));
  text += row("boxes", cat(scalar(report["boxes"]), ", ", plural(number(report["edges"]), "edge")));
  return text + written_text(report);
}

std::string lost_part_text(const Json& each) {
  const std::string offset =
      each.contains("offset") ? cat(", offset ", scalar(each["offset"])) : std::string();
  const std::string file =
      each.contains("file") ? cat("  ", scalar(each["file"]), offset) : std::string();
  const uint64_t bytes = number(each["bytes"]);
  const std::string size =
      cat(scalar(each["what"]), bytes == 0 ? "" : cat(" of ", plural(bytes, "byte")));
  const std::string type =
      each.contains("dtype") ? cat(scalar(each["dtype"]), " ", shape_text(each["shape"])) : size;
  const std::string name = each.contains("name") ? cat(scalar(each["name"]), "  ") : "";
  return cat(name, type, file, ": ", scalar(each["why"]));
}

std::string pass_text(const Json& report, bool verbose) {
  std::string text = row("model", scalar(report["model"]));
  if (report.contains("graphOutputs"))
    text += rows("up to", report["graphOutputs"], verbose, scalar);
  for (const char* of : {"nodes", "variables", "constants"}) text += row(of, change(report, of));
  if (report.contains("matched")) text += transfer_text(report, verbose);
  text += rows("converted", report["converted"], verbose, [](const Json& each) {
    std::string why = each.contains("why") ? cat("  (", scalar(each["why"]), ")") : std::string();
    if (each.contains("confidence"))
      why.insert(why.size() - 1, cat("; ", scalar(each["confidence"])));
    return cat(scalar(each["name"]), "  ", scalar(each["dtype"]), " ", shape_text(each["shape"]),
               why);
  });
  if (report.contains("lost")) text += rows("lost", report["lost"], verbose, lost_part_text);
  if (report.contains("incomplete")) {
    text += rows("incomplete", report["incomplete"], verbose, [&](const Json& each) {
      const auto needs = each["needs"].get<std::vector<std::string>>();
      return cat(scalar(each["node"]), "  needs ", join(needs, ", ", verbose ? 0 : kMaxListed));
    });
  }
  if (report.contains("neededBy")) text += needed_text(report["neededBy"]);
  if (verbose) text += rows("removed", report["removed"], true, scalar);
  return text + written_text(report);
}

// Returns the lines of a program, to be copied.
std::string snippet_text(const Json& report) {
  if (!report.contains("snippet")) return "";
  std::string text = "\n";
  for (const Json& line : report["snippet"]["lines"]) text += cat(scalar(line), "\n");
  return text;
}

std::string text_of(const Json& report, bool verbose) {
  if (report.contains("url")) return cat(scalar(report["url"]), "\n");
  if (report.contains("firstDifference")) return verify_text(report, verbose);
  if (report.contains("equal")) return diff_text(report, verbose);
  if (report.contains("explanation")) return explain_text(report);
  if (report.contains("valid")) return validate_text(report, verbose);
  if (report.contains("targets")) return compat_text(report, verbose);
  if (report.contains("view")) return draw_text(report);
  if (report.contains("before")) return pass_text(report, verbose);
  if (report.contains("kind")) return inspect_text(report, verbose);
  return "";
}

}  // namespace

std::string report_text(const Json& report, const Look& look) {
  if (!is_shown(report)) return report_text(shown(report), look);
  if (report.contains("what")) return rendered(list_text(report, look), {.color = look.color}, 0);
  return cat(rendered(text_of(report, look.verbose), look, kValueColumn), snippet_text(report));
}

std::string heading_text(std::string_view path, const Look& look) {
  return rendered(cat(marked(Mark::kHeading, shown_text(path)), "\n"), look, 0);
}

}  // namespace cryo
