#include "passes/weights/casts.h"

#include <cmath>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tensor/views/converted_source.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

bool is_whole_number(DType dtype) {
  const std::string name = dtype_name(dtype);
  return name.starts_with("int") || name.starts_with("uint");
}

std::string number_text(double number) {
  std::string text;
  print_float(static_cast<float>(number), text);
  return text;
}

ElementConversion conversion_of(DType from, DType to) { return {from, 1, 0, to, to}; }

}  // namespace

Result<Casts::Rule> Casts::parse_rule(const std::string& text) {
  const auto refuse = [&](std::string_view why) {
    return failure("bad-option", cat(OPTION("--cast", "") " ", text, ": ", why), {},
                   "write it FROM=TO: " SETTING("--cast", "float64=float32"));
  };
  const size_t at = text.find('=');
  if (at == std::string::npos) return refuse("expected FROM=TO");
  const DTypeInfo* from = find_dtype(std::string_view(text).substr(0, at));
  const DTypeInfo* to = find_dtype(std::string_view(text).substr(at + 1));
  if (from == nullptr || to == nullptr) return refuse("one of the types is unknown");
  if (from == to || !is_convertible(conversion_of(from->dtype, to->dtype))) {
    return refuse("these types cannot be converted");
  }
  return Rule{from->dtype, to->dtype, text};
}

Result<Casts> Casts::parse(const std::vector<std::string>& texts) {
  Casts casts;
  for (const std::string& text : texts) {
    TRY(rule, parse_rule(text));
    if (casts.applies(rule.from)) {
      return failure("bad-option", cat(OPTION("--cast", "") " ", text, ": ", dtype_name(rule.from),
                                       " has a rule already"));
    }
    casts.rules_.push_back(std::move(rule));
  }
  return casts;
}

size_t Casts::find(DType from) const {
  size_t at = 0;
  while (at < rules_.size() && rules_[at].from != from) ++at;
  return at;
}

bool Casts::applies(DType from, DType to) const {
  return applies(from) && rules_[find(from)].to == to;
}

CheckpointEntry Casts::cast(const CheckpointEntry& entry) const {
  const Rule& rule = rules_[find(entry.dtype)];
  CheckpointEntry made{entry.key, rule.to, entry.shape};
  made.content.append(converted(entry.content, conversion_of(rule.from, rule.to)));
  made.bytes = made.content.size();
  made.fault = entry.fault;
  return made;
}

Status Casts::measure(const CheckpointEntry& entry, std::string_view name) {
  CHECK_OK(verify(entry));
  Rule& rule = rules_[find(entry.dtype)];
  TRY(effect, conversion_effect(entry.content, conversion_of(rule.from, rule.to)));
  if (!effect.exact && (is_whole_number(rule.from) || is_whole_number(rule.to))) {
    return failure("inexact-cast",
                   cat(OPTION("--cast", "") " ", rule.text, " changes numbers of ", quoted(name)),
                   {.tensor = name}, "exclude it: " OPTION("--exclude", "GLOB"));
  }
  if (rule.count++ == 0 || effect.largest > rule.largest) {
    rule.largest = effect.largest;
    rule.changed = name;
  }
  return Unit{};
}

Status Casts::finish(Diagnostics& diagnostics) const {
  for (const Rule& rule : rules_) {
    if (rule.count == 0) {
      return failure("cast-unused",
                     cat(OPTION("--cast", "") " ", rule.text, " applies to no weight"), {},
                     LIST("types", "weights"));
    }
    std::string text = cat(plural(rule.count, "weight"), " cast from ", dtype_name(rule.from),
                           " to ", dtype_name(rule.to), "; ");
    if (rule.largest == 0) {
      diagnostics.note("weights-cast", cat(text, "no number changed"));
    } else if (std::isinf(rule.largest)) {
      diagnostics.warn("weights-cast", cat(text, "numbers of ", quoted(rule.changed),
                                           " are too large for it and became infinite"));
    } else {
      diagnostics.note("weights-cast",
                       cat(text, "the largest change is ", number_text(rule.largest), ", in ",
                           quoted(rule.changed)));
    }
  }
  return Unit{};
}

}  // namespace cryo
