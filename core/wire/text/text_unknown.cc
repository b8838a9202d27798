#include "wire/text/text_unknown.h"

#include <algorithm>

#include "base/text.h"
#include "wire/cursor.h"
#include "wire/text/text_literal.h"

namespace cryo {
namespace {

constexpr size_t kMaxReported = 20;
// The recognition of files gives them the same weight (formats/recognize.cc).
constexpr uint64_t kKnownForOne = 4;

bool skip_behind_name(TextTokens& tokens, int depth);

bool skip_message(TextTokens& tokens, int depth) {
  if (depth > kMaxDepth) return tokens.fail("Message is too deep.");
  const char close = tokens.at('<') ? '>' : '}';
  if (!tokens.take('<') && !tokens.take('{')) return tokens.expected("\"{\"");
  while (!tokens.take(close)) {
    if (tokens.take('[')) {
      while (!tokens.take(']')) {
        const bool name = tokens.kind() == TokenKind::kIdentifier;
        if (!name && !tokens.at('.') && !tokens.at('/')) return tokens.expected("identifier");
        tokens.next();
      }
    } else if (tokens.kind() == TokenKind::kIdentifier || tokens.kind() == TokenKind::kInteger) {
      tokens.next();
    } else {
      return tokens.expected("identifier");
    }
    if (!skip_behind_name(tokens, depth + 1)) return false;
  }
  return tokens.ok();
}

bool skip_scalar(TextTokens& tokens) {
  if (tokens.kind() == TokenKind::kString) {
    TextValue value;
    return take_literals(tokens, 0, value);
  }
  tokens.take('-');
  const TokenKind kind = tokens.kind();
  if (kind != TokenKind::kIdentifier && kind != TokenKind::kInteger && kind != TokenKind::kFloat) {
    return tokens.expected("a value");
  }
  tokens.next();
  return tokens.ok();
}

bool skip_value(TextTokens& tokens, int depth) {
  return tokens.at('{') || tokens.at('<') ? skip_message(tokens, depth) : skip_scalar(tokens);
}

bool skip_list(TextTokens& tokens, int depth) {
  if (tokens.take(']')) return true;
  while (skip_value(tokens, depth)) {
    if (tokens.take(']')) return true;
    if (!tokens.take(',')) return tokens.expected("\",\"");
  }
  return false;
}

bool skip_behind_name(TextTokens& tokens, int depth) {
  const bool colon = tokens.take(':');
  const bool skipped = !colon             ? skip_message(tokens, depth)
                       : tokens.take('[') ? skip_list(tokens, depth)
                                          : skip_value(tokens, depth);
  if (skipped && !tokens.take(';')) tokens.take(',');
  return skipped && tokens.ok();
}

}  // namespace

bool UnknownFields::skip(TextTokens& tokens, const std::string& what) {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.what == what; });
  ++count_;
  if (found != fields_.end()) ++found->times;
  if (found == fields_.end() && fields_.size() < kMaxReported) {
    fields_.push_back({what, tokens.offset(), 1});
  }
  return skip_behind_name(tokens, 0);
}

Status UnknownFields::report(const TextTokens& tokens, uint64_t known,
                             Diagnostics& diagnostics) const {
  if (fields_.empty()) return Unit{};
  if (count_ > known / kKnownForOne) {
    return tokens.failure_at(fields_.front().offset, fields_.front().what);
  }
  for (const Field& field : fields_) {
    Diagnostic reported = *tokens.failure_at(field.offset, field.what);
    reported.severity = Severity::kWarning;
    reported.code = "unknown-field";
    reported.message += cat(" Removed", field.times > 1 ? cat(", ", field.times, " times.") : ".");
    reported.fix = "keep the file: what it says there is not in what is written";
    diagnostics.add(std::move(reported));
  }
  return Unit{};
}

}  // namespace cryo
