#include "commands/text/report_text_pairs.h"

#include <algorithm>

#include "commands/text/text_rows.h"

namespace cryo {
namespace {

// "conv/w  float32 [3,3]  <- net/conv/w  (same name below net/)"
std::string match_text(const JsonValue& match) {
  const std::string from = match.contains("from") ? cat("  <- ", scalar(match.find("from"))) : "";
  return cat(tensor_text(match), from, "  (", scalar(match.find("why")), ")");
}

// "Add  in body_1": in a function's body.
std::string node_place_text(const JsonValue& place) {
  const std::string name = scalar(place.find("name"));
  return place.contains("function") ? cat(name, "  in ", scalar(place.find("function"))) : name;
}

std::string pair_text(const JsonValue& pair) {
  return cat(scalar(pair.at(0)), " -> ", scalar(pair.at(1)));
}

// "conv/w  op Const -> VariableV2; attributes dtype, value"
std::string node_change_text(const JsonValue& change) {
  std::vector<std::string> parts;
  if (change.contains("op")) parts.push_back(cat("op ", pair_text(change.find("op"))));
  if (change.contains("inputs")) parts.push_back(cat("inputs ", pair_text(change.find("inputs"))));
  if (change.contains("attrs")) {
    std::vector<std::string> names;
    for (JsonItems name(change.find("attrs")); name.next();) names.push_back(scalar(name.value()));
    parts.push_back(cat(names.size() == 1 ? "attribute " : "attributes ", join(names, ", ")));
  }
  if (change.contains("device")) parts.emplace_back("device");
  return cat(node_place_text(change), "  ", join(parts, "; "));
}

// 1.2052979916334152e-05 -> "1.205297e-05": so many digits as a person reads.
std::string short_number(const JsonValue& value) {
  constexpr size_t kMax = 8;
  const std::string text = scalar(value);
  const size_t end = std::min(text.find('e'), text.size());
  return end <= kMax || text.find('.') > kMax ? text : cat(text.substr(0, kMax), text.substr(end));
}

std::string other_name_text(const JsonValue& tensor) {
  return tensor.contains("other") ? cat("  = ", scalar(tensor.find("other")), " there")
                                  : std::string();
}

// "conv/w  float32 [3,3]  2 of 9 elements, the first at [0,1]; .."
std::string weight_change_text(const JsonValue& weight) {
  return cat(tensor_text(weight), other_name_text(weight), "  ",
             difference_text(weight, weight.find("dtype")));
}

std::string equal_text(const JsonValue& weight) {
  const std::string other =
      weight.contains("other")
          ? cat("  = ", scalar(weight.find("other")), " there  (", scalar(weight.find("why")), ")")
          : std::string();
  return cat(tensor_text(weight), other);
}

// Returns "added 2, changed 1"; empty if nothing changed.
std::string changes_text(const JsonValue& changes) {
  std::vector<std::string> parts;
  for (const char* kind : {"added", "removed", "changed"}) {
    const size_t count = changes.find(kind).size();
    if (count > 0) parts.push_back(cat(count, " ", kind));
  }
  return join(parts, ", ");
}

std::string structure_text(const JsonValue& structure, bool verbose) {
  if (structure.is_null()) return row("structure", "not compared");
  if (structure.find("equal").is_true()) return row("structure", "equal");
  std::string text;
  const std::string nodes = changes_text(structure);
  if (!nodes.empty()) text += row("nodes", nodes);
  text += rows("  added", structure.find("added"), verbose, node_place_text);
  text += rows("  removed", structure.find("removed"), verbose, node_place_text);
  text += rows("  changed", structure.find("changed"), verbose, node_change_text);
  for (const char* of : {"functions", "signatures"}) {
    const std::string changes = changes_text(structure.find(of));
    if (changes.empty()) continue;
    text += row(of, changes);
    for (const char* kind : {"added", "removed", "changed"}) {
      text += rows(cat("  ", kind), structure.find(of).find(kind), verbose, scalar);
    }
  }
  return text;
}

std::string weights_text(const JsonValue& weights, bool verbose) {
  const JsonValue equal = weights.find("equal");
  std::string text = row("weights", cat(equal.size(), " equal, ", weights.find("differing").size(),
                                        " differing, ", weights.find("missing").size(),
                                        " missing, ", weights.find("extra").size(), " extra"));
  if (verbose) text += rows("  equal", equal, verbose, equal_text);
  text += rows("  differing", weights.find("differing"), verbose, weight_change_text);
  text += rows("  missing", weights.find("missing"), verbose, scalar);
  text += rows("  extra", weights.find("extra"), verbose, scalar);
  return text;
}

// "y  float32 [2,3]  equal: bit for bit"
std::string compared_text(const JsonValue& tensor) {
  const std::string verdict = scalar(tensor.find("verdict"));
  const bool ran = !tensor.find("dtype").is_null();
  const bool stopped = !ran && tensor.contains("node");
  const std::string node =
      stopped ? cat("  (node ", scalar(tensor.find("node")), ")") : std::string();
  const std::string name = ran ? tensor_text(tensor) : scalar(tensor.find("name"));
  const JsonValue difference = tensor.find("difference");
  std::string why;
  if (difference.is_null()) {
    why = scalar(tensor.find("why"));
  } else {
    why = cat(verdict == "equal" ? "within the tolerance: " : "",
              difference_text(difference, tensor.find("dtype")));
  }
  return cat(name, other_name_text(tensor), "  ", verdict, ": ", why, node);
}

// "mask  bool [1,8]  random, seed 0"
std::string fed_text(const JsonValue& input, const JsonValue& report) {
  const std::string from = scalar(input.find("from"));
  std::string text = cat(tensor_text(input), "  ");
  text += from == "fixed" ? scalar(input.find("value")) : from;
  if (input.contains("range")) {
    text += cat(" ", scalar(input.find("range").at(0)), " to ", scalar(input.find("range").at(1)));
  }
  if (input.contains("why")) text += cat(" (", scalar(input.find("why")), ")");
  return from == "random" ? cat(text, ", seed ", scalar(report.find("seed"))) : text;
}

// The tensors that were compared in place of outputs that could not be run.
std::string instead_text(const JsonValue& instead, bool verbose) {
  const size_t count = instead.size();
  if (count == 0) return {};
  bool all = true;
  for (JsonItems each(instead); each.next();) {
    all = all && each.value().find("verdict").text() == "equal";
  }
  if (all && !verbose) {
    return row("", cat(plural(count, "tensor"), " on the way there ", count == 1 ? "is" : "are",
                       " equal"));
  }
  return rows("before", instead, verbose, [](const JsonValue& each) {
    return cat(compared_text(each), "  (before ", scalar(each.find("insteadOf")), ")");
  });
}

Mark verdict_mark(std::string_view verdict) {
  if (verdict == "equal") return Mark::kGood;
  return verdict == "different" ? Mark::kBad : Mark::kDoubtful;
}

}  // namespace

std::string diff_text(const JsonValue& report, bool verbose) {
  return cat(report.find("equal").is_true() ? marked(Mark::kGood, "equal")
                                            : marked(Mark::kBad, "different"),
             "\n", row("A", scalar(report.find("model"))), row("B", scalar(report.find("other"))),
             structure_text(report.find("structure"), verbose),
             weights_text(report.find("weights"), verbose));
}

std::string difference_text(const JsonValue& difference, const JsonValue& dtype) {
  if (difference.contains("otherDtype")) {
    return cat("there it is ", scalar(difference.find("otherDtype")), " ",
               shape_text(difference.find("otherShape")));
  }
  std::string text = cat(scalar(difference.find("count")), " of ",
                         plural(number(difference.find("elements")), "element"), ", the first at ",
                         shape_text(difference.find("firstPosition")));
  if (dtype.text() != "string") {
    text += cat("; largest difference ", short_number(difference.find("largestAbsolute")),
                ", relative ", short_number(difference.find("largestRelative")));
    if (number(difference.find("nans")) != 0)
      text += cat("; ", scalar(difference.find("nans")), " with NaN");
  }
  return text;
}

std::string verify_text(const JsonValue& report, bool verbose) {
  const std::string verdict = scalar(report.find("verdict"));
  std::string text =
      cat(marked(verdict_mark(verdict), verdict), "\n", row("A", scalar(report.find("model"))),
          row("B", scalar(report.find("other"))), row("run by", scalar(report.find("runner"))));
  text += rows("on", report.find("inputs"), verbose,
               [&](const JsonValue& input) { return fed_text(input, report); });
  text += rows("outputs", report.find("outputs"), verbose, compared_text);
  text += instead_text(report.find("instead"), verbose);
  const JsonValue first = report.find("firstDifference");
  if (!first.is_null()) {
    const std::string there =
        first.contains("otherOp") ? cat(", there ", scalar(first.find("otherOp"))) : std::string();
    text += row("differs at",
                cat(scalar(first.find("node")), " (", scalar(first.find("op")), there, ")"));
    text += row("", compared_text(first));
  }
  text += rows("missing ops", report.find("missingOps"), verbose, scalar);
  if (report.contains("script")) {
    const std::string path = scalar(report.find("script").at(0).find("path"));
    return cat(text, row("script", cat(path, "  compares them in TensorFlow: python3 ", path)));
  }
  if (verdict != "undecided") return text;
  return cat(text, row("next", "--script OUT.py writes a script that compares them in TensorFlow"));
}

std::string transfer_text(const JsonValue& report, bool verbose) {
  std::vector<std::string> counts;
  size_t all = 0;
  for (const char* kind : {"matched", "excluded", "mismatched", "unmatched"}) {
    counts.push_back(cat(report.find(kind).size(), " ", kind));
    all += report.find(kind).size();
  }
  std::string text = row("from", scalar(report.find("from")));
  text += row("into", cat(plural(all, "variable"), ": ", join(counts, ", ")));
  for (const char* kind : {"matched", "excluded", "mismatched", "unmatched"}) {
    text += rows(kind, report.find(kind), verbose, match_text);
  }
  text += rows("initial", report.find("initial"), verbose, [](const JsonValue& each) {
    return cat(tensor_text(each), "  <- ", scalar(each.find("from").at(0)), "  (initial value)");
  });
  text += rows("unused", report.find("unused"), verbose, scalar);
  return text;
}

std::string lost_text(const JsonValue& report, bool verbose) {
  return cat(rows("mismatched", report.find("mismatched"), verbose, match_text),
             rows("unmatched", report.find("unmatched"), verbose, match_text));
}

}  // namespace cryo
