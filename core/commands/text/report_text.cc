#include "commands/text/report_text.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

std::string variables_text(const JsonValue& report) {
  const JsonValue variables = report.find("variables");
  if (number(variables.find("count")) == 0) return "";
  std::string text = row(
      "variables", cat(scalar(variables.find("count")), ", ", scalar(variables.find("parameters")),
                       " parameters, ", bytes_text(variables.find("bytes")), "; ",
                       scalar(variables.find("trainable")), " trainable"));
  for (const auto& [of, what] :
       {std::pair("slots", "slots of optimizers"), std::pair("averages", "moving averages")}) {
    if (number(variables.find(of).find("count")) == 0) continue;
    text += row("", cat("of these ", scalar(variables.find(of).find("count")), " ", what, ", ",
                        bytes_text(variables.find(of).find("bytes"))));
  }
  const size_t missing = variables.find("missing").size();
  if (missing > 0) text += row("", cat(missing, " without a value"));
  return text;
}

std::string weights_text(const JsonValue& report) {
  const std::string weights = scalar(report.find("weights"));
  if (weights == "checkpoint") return "in the checkpoint";
  if (weights == "constants") return "in the graph, as constants";
  if (weights == "variables")
    return "none here: the graph has variables, and no checkpoint was found";
  return "none";
}

std::string signatures_text(const JsonValue& signatures) {
  std::string text;
  for (JsonItems signature(signatures); signature.next();) {
    text += row(text.empty() ? "signatures" : "",
                cat(shown_text(signature.key()), "  ", scalar(signature.value().find("method"))));
    for (const char* side : {"inputs", "outputs"}) {
      for (JsonItems argument(signature.value().find(side)); argument.next();) {
        text += row("", cat(side == std::string_view("inputs") ? "  in   " : "  out  ",
                            shown_text(argument.key()), " = ", tensor_text(argument.value())));
      }
    }
  }
  return text;
}

// The members of an object of numbers, the largest first.
std::vector<std::pair<uint64_t, std::string>> largest_first(const JsonValue& numbers) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (JsonItems each(numbers); each.next();) {
    sorted.emplace_back(number(each.value()), shown_text(each.key()));
  }
  sort(sorted, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return sorted;
}

// "Conv2D 2, Const 31, ...": the most frequent first.
std::string ops_text(const JsonValue& ops, bool verbose) {
  std::vector<std::string> parts;
  for (const auto& [count, op] : largest_first(ops)) parts.push_back(cat(op, " ", count));
  return join(parts, ", ", verbose ? 0 : 8);
}

// "conv1 3.3 kB, conv2 18.6 kB, ...": the heaviest first.
std::string scopes_text(const JsonValue& scopes, bool verbose) {
  std::vector<std::string> parts;
  for (const auto& [bytes, scope] : largest_first(scopes)) {
    parts.push_back(cat(scope.empty() ? "no scope" : scope, " ", human_bytes(bytes)));
  }
  return join(parts, ", ", verbose ? 0 : 8);
}

// " (TensorFlow 1.3 to 1.5; loads from TensorFlow 1.3 on)"
std::string releases_text(const JsonValue& report) {
  std::vector<std::string> parts;
  if (report.contains("madeBy")) parts.push_back(scalar(report.find("madeBy")));
  if (report.contains("loadsFrom")) {
    parts.push_back(cat("loads from ", scalar(report.find("loadsFrom")), " on"));
  }
  return parts.empty() ? "" : cat(" (", join(parts, "; "), ")");
}

std::string inspect_text(const JsonValue& report, bool verbose) {
  std::string text = row("model", scalar(report.find("model")));
  const std::string version = scalar(report.find("tensorflowVersion"));
  text += row("kind",
              cat(scalar(report.find("kind")), version.empty() ? "" : ", TensorFlow ", version));
  if (report.contains("kindWhy")) text += row("", cat("read as ", scalar(report.find("kindWhy"))));
  text += rows("files", report.find("files"), verbose, [](const JsonValue& file) {
    return cat(scalar(file.find("path")), "  ", bytes_text(file.find("bytes")));
  });
  if (number(report.find("nodes")) != 0) {
    text += row("graph", cat(plural(number(report.find("nodes")), "node"), ", ",
                             plural(number(report.find("functions")), "function"), ", producer ",
                             scalar(report.find("producer")), releases_text(report)));
    text += row("ops", ops_text(report.find("ops"), verbose));
  }
  text += row("weights", weights_text(report));
  text += variables_text(report);
  text += rows("lacks", report.find("lacks"), verbose, scalar);
  if (number(report.find("constants").find("count")) != 0) {
    text += row("constants", cat(scalar(report.find("constants").find("count")), ", ",
                                 bytes_text(report.find("constants").find("bytes"))));
  }
  if (report.find("bytesByScope").size() > 1)
    text += row("scopes", scopes_text(report.find("bytesByScope"), verbose));
  text += signatures_text(report.find("signatures"));
  text += rows("inputs", report.find("inputs"), verbose, [](const JsonValue& input) {
    return cat(tensor_text(input), input.contains("optional") ? "  (has a default)" : "");
  });
  text += rows(report.find("outputsCertain").is_true() ? "outputs" : "outputs?",
               report.find("outputs"), verbose, [](const JsonValue& output) {
                 return cat(tensor_text(output), "  (", scalar(output.find("why")), ")");
               });
  if (report.contains("unknownOps"))
    text += rows("unknown ops", report.find("unknownOps"), verbose, scalar);
  return text;
}

std::string cell(std::string_view key, const JsonValue& value) {
  if (key == "shape") return shape_text(value);
  if (key == "bytes") return value.is_null() ? "missing" : bytes_text(value);
  if (!value.is_array()) return scalar(value);
  std::vector<std::string> parts;
  for (JsonItems each(value); each.next();) parts.push_back(scalar(each.value()));
  return join(parts, " ");
}

std::string list_text(const JsonValue& report, const Look& look) {
  const std::string_view what = report.find("what").text();
  if (!report.contains(what)) return "";
  if (what == "signatures") return signatures_text(report.find(what));
  std::vector<JsonValue> lines;
  for (JsonItems items(report.find(what)); items.next();) lines.push_back(items.value());
  std::string text;
  write_table(
      lines.size(),
      [&](size_t at) {
        std::vector<std::string> cells;
        for (JsonItems member(lines[at]); member.next();) {
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

std::string repaired_text(const JsonValue& repaired, bool verbose) {
  if (repaired.size() == 0) return row("repaired", "nothing");
  return rows("repaired", repaired, verbose, [](const JsonValue& each) {
    return cat(place_text(each.find("where")), ": ", scalar(each.find("what")));
  });
}

std::string written_text(const JsonValue& report) {
  if (!report.contains("outputs")) return "";
  return rows("written", report.find("outputs"), true, [](const JsonValue& file) {
    return cat(scalar(file.find("path")), "  ", bytes_text(file.find("bytes")));
  });
}

// Returns the suggested next command.
std::string advice_text(const JsonValue& diagnostics) {
  if (diagnostics.size() == 0) return "";
  uint64_t fixable = 0;
  for (JsonItems each(diagnostics); each.next();) {
    if (each.value().find("fixable").is_true()) ++fixable;
  }
  std::string text = row("", "cryograph validate --explain CODE tells what a [code] means");
  if (fixable > 0) {
    text += row("", cat("cryograph validate PATH --fix -o OUT repairs ", fixable, " of ",
                        plural(diagnostics.size(), "finding")));
  }
  return text;
}

std::string validate_text(const JsonValue& report, bool verbose) {
  const bool valid = report.find("valid").is_true();
  const std::string whose = report.contains("release")
                                ? cat("TensorFlow ", scalar(report.find("release")))
                                : "TensorFlow";
  std::string text = report.contains("weightsAlone")
                         ? (valid ? "valid: TensorFlow would open it"
                                  : "not valid: TensorFlow cannot read all of it")
                         : (valid ? cat("valid: ", whose, " would import it")
                                  : cat("not valid: ", whose, " would refuse it"));
  if (valid) {
    text += !report.find("sound").is_true()       ? ", but not all is well"
            : number(report.find("warnings")) > 0 ? ", with warnings"
                                                  : ", and nothing else is wrong";
  }
  text = cat(marked(!valid                            ? Mark::kBad
                    : !report.find("sound").is_true() ? Mark::kDoubtful
                                                      : Mark::kGood,
                    text),
             "\n");
  if (report.contains("repaired")) text += repaired_text(report.find("repaired"), verbose);
  text += row(report.contains("repaired") ? "left" : "",
              cat(plural(number(report.find("errors")), "error"), ", ",
                  plural(number(report.find("warnings")), "warning")));
  return cat(text, advice_text(report.find("diagnostics")), written_text(report));
}

std::string change(const JsonValue& report, const char* of) {
  const std::string before = scalar(report.find("before").find(of));
  const std::string after = scalar(report.find("after").find(of));
  return before == after ? before : cat(before, " -> ", after);
}

// "w, for conv -> relu -> ...": why a node is kept, the first steps of the way to an output.
std::string needed_text(const JsonValue& needed) {
  constexpr int kSteps = 4;
  std::unordered_map<std::string_view, JsonValue> next_of;
  for (JsonItems each(needed); each.next();) next_of.emplace(each.key(), each.value());
  std::string text;
  for (JsonItems each(needed); each.next();) {
    std::string way;
    int steps = 0;
    for (JsonValue next = each.value(); !next.is_null(); next = next_of[next.text()]) {
      way += cat(way.empty() ? ", for " : " -> ", steps < kSteps ? scalar(next) : "...");
      if (steps++ == kSteps) break;
    }
    text += row(text.empty() ? "kept" : "",
                cat(shown_text(each.key()), way.empty() ? ", an end" : way));
  }
  return text;
}

std::string draw_text(const JsonValue& report) {
  std::string text = row("model", scalar(report.find("model")));
  const std::string function = scalar(report.find("view").find("function"));
  if (!function.empty()) text += row("function", function);
  text += row("nodes", scalar(report.find("view").find("nodes")));
  text += row("boxes", cat(scalar(report.find("boxes")), ", ",
                           plural(number(report.find("edges")), "edge")));
  return text + written_text(report);
}

std::string lost_part_text(const JsonValue& each) {
  const std::string offset =
      each.contains("offset") ? cat(", offset ", scalar(each.find("offset"))) : std::string();
  const std::string file =
      each.contains("file") ? cat("  ", scalar(each.find("file")), offset) : std::string();
  const uint64_t bytes = number(each.find("bytes"));
  const std::string size =
      cat(scalar(each.find("what")), bytes == 0 ? "" : cat(" of ", plural(bytes, "byte")));
  const std::string type =
      each.contains("dtype") ? cat(scalar(each.find("dtype")), " ", shape_text(each.find("shape")))
                             : size;
  const std::string name = each.contains("name") ? cat(scalar(each.find("name")), "  ") : "";
  return cat(name, type, file, ": ", scalar(each.find("why")));
}

std::string pass_text(const JsonValue& report, bool verbose) {
  std::string text = row("model", scalar(report.find("model")));
  if (report.contains("graphOutputs"))
    text += rows("up to", report.find("graphOutputs"), verbose, scalar);
  for (const char* of : {"nodes", "variables", "constants"}) text += row(of, change(report, of));
  if (report.contains("matched")) text += transfer_text(report, verbose);
  text += rows("converted", report.find("converted"), verbose, [](const JsonValue& each) {
    std::string why =
        each.contains("why") ? cat("  (", scalar(each.find("why")), ")") : std::string();
    if (each.contains("confidence"))
      why.insert(why.size() - 1, cat("; ", scalar(each.find("confidence"))));
    return cat(scalar(each.find("name")), "  ", scalar(each.find("dtype")), " ",
               shape_text(each.find("shape")), why);
  });
  if (report.contains("lost")) text += rows("lost", report.find("lost"), verbose, lost_part_text);
  if (report.contains("incomplete")) {
    text += rows("incomplete", report.find("incomplete"), verbose, [&](const JsonValue& each) {
      std::vector<std::string> needs;
      for (JsonItems item(each.find("needs")); item.next();) needs.push_back(scalar(item.value()));
      return cat(scalar(each.find("node")), "  needs ",
                 join(needs, ", ", verbose ? 0 : kMaxListed));
    });
  }
  if (report.contains("neededBy")) text += needed_text(report.find("neededBy"));
  if (verbose) text += rows("removed", report.find("removed"), true, scalar);
  return text + written_text(report);
}

// Returns the lines of a program, to be copied.
std::string snippet_text(const JsonValue& report) {
  if (!report.contains("snippet")) return "";
  std::string text = "\n";
  for (JsonItems line(report.find("snippet").find("lines")); line.next();) {
    text += cat(scalar(line.value()), "\n");
  }
  return text;
}

std::string text_of(const JsonValue& report, bool verbose) {
  if (report.contains("url")) return cat(scalar(report.find("url")), "\n");
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

std::string report_text(const JsonValue& report, const Look& look) {
  if (report.contains("what")) return rendered(list_text(report, look), {.color = look.color}, 0);
  return cat(rendered(text_of(report, look.verbose), look, kValueColumn), snippet_text(report));
}

std::string heading_text(std::string_view path, const Look& look) {
  return rendered(cat(marked(Mark::kHeading, shown_text(path)), "\n"), look, 0);
}

}  // namespace cryo
