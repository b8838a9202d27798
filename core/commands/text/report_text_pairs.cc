#include "commands/text/report_text_pairs.h"

#include <algorithm>

#include "commands/text/text_rows.h"

namespace cryo {
namespace {

// "conv/w  float32 [3,3]  <- net/conv/w  (same name below net/)"
std::string match_text(const Json& match) {
  const std::string from = match.contains("from") ? cat("  <- ", scalar(match["from"])) : "";
  return cat(tensor_text(match), from, "  (", scalar(match["why"]), ")");
}

// "Add  in body_1": in a function's body.
std::string place_text(const Json& place) {
  const std::string name = scalar(place["name"]);
  return place.contains("function") ? cat(name, "  in ", scalar(place["function"])) : name;
}

std::string pair_text(const Json& pair) { return cat(scalar(pair[0]), " -> ", scalar(pair[1])); }

// "conv/w  op Const -> VariableV2; attributes dtype, value"
std::string node_change_text(const Json& change) {
  std::vector<std::string> parts;
  if (change.contains("op")) parts.push_back(cat("op ", pair_text(change["op"])));
  if (change.contains("inputs")) parts.push_back(cat("inputs ", pair_text(change["inputs"])));
  if (change.contains("attrs")) {
    std::vector<std::string> names;
    for (const Json& name : change["attrs"]) names.push_back(scalar(name));
    parts.push_back(cat(names.size() == 1 ? "attribute " : "attributes ", join(names, ", ")));
  }
  if (change.contains("device")) parts.emplace_back("device");
  return cat(place_text(change), "  ", join(parts, "; "));
}

// 1.2052979916334152e-05 -> "1.205297e-05": so many digits as a person reads.
std::string short_number(const Json& value) {
  constexpr size_t kMax = 8;
  const std::string text = scalar(value);
  const size_t end = std::min(text.find('e'), text.size());
  return end <= kMax || text.find('.') > kMax ? text : cat(text.substr(0, kMax), text.substr(end));
}

std::string other_name_text(const Json& tensor) {
  return tensor.contains("other") ? cat("  = ", scalar(tensor["other"]), " there") : std::string();
}

// "conv/w  float32 [3,3]  2 of 9 elements, the first at [0,1]; .."
std::string weight_change_text(const Json& weight) {
  return cat(tensor_text(weight), other_name_text(weight), "  ",
             difference_text(weight, weight["dtype"]));
}

std::string equal_text(const Json& weight) {
  const std::string other = weight.contains("other") ? cat("  = ", scalar(weight["other"]),
                                                           " there  (", scalar(weight["why"]), ")")
                                                     : std::string();
  return cat(tensor_text(weight), other);
}

// Returns "added 2, changed 1"; empty if nothing changed.
std::string changes_text(const Json& changes) {
  std::vector<std::string> parts;
  for (const char* kind : {"added", "removed", "changed"}) {
    if (!changes[kind].empty()) parts.push_back(cat(changes[kind].size(), " ", kind));
  }
  return join(parts, ", ");
}

std::string structure_text(const Json& structure, bool verbose) {
  if (structure.is_null()) return row("structure", "not compared");
  if (structure["equal"] == true) return row("structure", "equal");
  std::string text;
  const std::string nodes = changes_text(structure);
  if (!nodes.empty()) text += row("nodes", nodes);
  text += rows("  added", structure["added"], verbose, place_text);
  text += rows("  removed", structure["removed"], verbose, place_text);
  text += rows("  changed", structure["changed"], verbose, node_change_text);
  for (const char* of : {"functions", "signatures"}) {
    const std::string changes = changes_text(structure[of]);
    if (changes.empty()) continue;
    text += row(of, changes);
    for (const char* kind : {"added", "removed", "changed"}) {
      text += rows(cat("  ", kind), structure[of][kind], verbose, scalar);
    }
  }
  return text;
}

std::string weights_text(const Json& weights, bool verbose) {
  const Json& equal = weights["equal"];
  std::string text = row(
      "weights", cat(equal.size(), " equal, ", weights["differing"].size(), " differing, ",
                     weights["missing"].size(), " missing, ", weights["extra"].size(), " extra"));
  if (verbose) text += rows("  equal", equal, verbose, equal_text);
  text += rows("  differing", weights["differing"], verbose, weight_change_text);
  text += rows("  missing", weights["missing"], verbose, scalar);
  text += rows("  extra", weights["extra"], verbose, scalar);
  return text;
}

// "y  float32 [2,3]  equal: bit for bit"
std::string compared_text(const Json& tensor) {
  const std::string verdict = scalar(tensor["verdict"]);
  const bool ran = !tensor["dtype"].is_null();
  const bool stopped = !ran && tensor.contains("node");
  const std::string node = stopped ? cat("  (node ", scalar(tensor["node"]), ")") : std::string();
  const std::string name = ran ? tensor_text(tensor) : scalar(tensor["name"]);
  const Json& difference = tensor["difference"];
  std::string why;
  if (difference.is_null()) {
    why = scalar(tensor["why"]);
  } else {
    why = cat(verdict == "equal" ? "within the tolerance: " : "",
              difference_text(difference, tensor["dtype"]));
  }
  return cat(name, other_name_text(tensor), "  ", verdict, ": ", why, node);
}

// "mask  bool [1,8]  random, seed 0"
std::string fed_text(const Json& input, const Json& report) {
  const std::string from = scalar(input["from"]);
  std::string text = cat(tensor_text(input), "  ");
  text += from == "fixed" ? scalar(input["value"]) : from;
  if (input.contains("range")) {
    text += cat(" ", scalar(input["range"][0]), " to ", scalar(input["range"][1]));
  }
  if (input.contains("why")) text += cat(" (", scalar(input["why"]), ")");
  return from == "random" ? cat(text, ", seed ", scalar(report["seed"])) : text;
}

// The tensors that were compared in place of outputs that could not be run.
std::string instead_text(const Json& instead, bool verbose) {
  if (instead.empty()) return {};
  const auto is_equal = [](const Json& each) { return each["verdict"] == "equal"; };
  const bool all = std::all_of(instead.begin(), instead.end(), is_equal);
  if (all && !verbose) {
    return row("", cat(plural(instead.size(), "tensor"), " on the way there ",
                       instead.size() == 1 ? "is" : "are", " equal"));
  }
  return rows("before", instead, verbose, [](const Json& each) {
    return cat(compared_text(each), "  (before ", scalar(each["insteadOf"]), ")");
  });
}

Mark verdict_mark(std::string_view verdict) {
  if (verdict == "equal") return Mark::kGood;
  return verdict == "different" ? Mark::kBad : Mark::kDoubtful;
}

}  // namespace

std::string diff_text(const Json& report, bool verbose) {
  return cat(
      report["equal"] == true ? marked(Mark::kGood, "equal") : marked(Mark::kBad, "different"),
      "\n", row("A", scalar(report["model"])), row("B", scalar(report["other"])),
      structure_text(report["structure"], verbose), weights_text(report["weights"], verbose));
}

std::string difference_text(const Json& difference, const Json& dtype) {
  if (difference.contains("otherDtype")) {
    return cat("there it is ", scalar(difference["otherDtype"]), " ",
               shape_text(difference["otherShape"]));
  }
  std::string text =
      cat(scalar(difference["count"]), " of ", plural(number(difference["elements"]), "element"),
          ", the first at ", shape_text(difference["firstPosition"]));
  if (dtype != "string") {
    text += cat("; largest difference ", short_number(difference["largestAbsolute"]), ", relative ",
                short_number(difference["largestRelative"]));
    if (difference["nans"] != 0) text += cat("; ", scalar(difference["nans"]), " with NaN");
  }
  return text;
}

std::string verify_text(const Json& report, bool verbose) {
  const std::string verdict = scalar(report["verdict"]);
  std::string text =
      cat(marked(verdict_mark(verdict), verdict), "\n", row("A", scalar(report["model"])),
          row("B", scalar(report["other"])), row("run by", scalar(report["runner"])));
  text += rows("on", report["inputs"], verbose,
               [&](const Json& input) { return fed_text(input, report); });
  text += rows("outputs", report["outputs"], verbose, compared_text);
  text += instead_text(report["instead"], verbose);
  const Json& first = report["firstDifference"];
  if (!first.is_null()) {
    const std::string there =
        first.contains("otherOp") ? cat(", there ", scalar(first["otherOp"])) : std::string();
    text += row("differs at", cat(scalar(first["node"]), " (", scalar(first["op"]), there, ")"));
    text += row("", compared_text(first));
  }
  text += rows("missing ops", report["missingOps"], verbose, scalar);
  if (report.contains("script")) {
    const std::string path = scalar(report["script"][0]["path"]);
    return cat(text, row("script", cat(path, "  compares them in TensorFlow: python3 ", path)));
  }
  if (verdict != "undecided") return text;
  return cat(text, row("next", "--script OUT.py writes a script that compares them in TensorFlow"));
}

std::string transfer_text(const Json& report, bool verbose) {
  std::vector<std::string> counts;
  size_t all = 0;
  for (const char* kind : {"matched", "excluded", "mismatched", "unmatched"}) {
    counts.push_back(cat(report[kind].size(), " ", kind));
    all += report[kind].size();
  }
  std::string text = row("from", scalar(report["from"]));
  text += row("into", cat(plural(all, "variable"), ": ", join(counts, ", ")));
  for (const char* kind : {"matched", "excluded", "mismatched", "unmatched"}) {
    text += rows(kind, report[kind], verbose, match_text);
  }
  text += rows("initial", report["initial"], verbose, [](const Json& each) {
    return cat(tensor_text(each), "  <- ", scalar(each["from"][0]), "  (initial value)");
  });
  text += rows("unused", report["unused"], verbose, scalar);
  return text;
}

std::string lost_text(const Json& report, bool verbose) {
  return cat(rows("mismatched", report["mismatched"], verbose, match_text),
             rows("unmatched", report["unmatched"], verbose, match_text));
}

}  // namespace cryo
