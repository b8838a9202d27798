#include "wire/text/text_literal.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "wire/block_source.h"
#include "wire/text/text_escape.h"

namespace cryo {
namespace {

// The values of literals, decoded from their text. A block begins inside of a literal; its state is
// the quote.
class LiteralSource final : public BlockSource {
 public:
  LiteralSource(const Slice& text, std::vector<Block> blocks, uint64_t size)
      : BlockSource(Splice(text), std::move(blocks), size) {}

 protected:
  bool compute(std::string_view in, char quote, std::string& out) const override;
};

// The place of the quote that opens the next literal, or the end.
size_t skip_gap(std::string_view in) {
  bool comment = false;
  for (size_t at = 0; at < in.size(); ++at) {
    if (in[at] == '\n') comment = false;
    if (!comment && (in[at] == '"' || in[at] == '\'')) return at;
    if (in[at] == '#') comment = true;
  }
  return in.size();
}

bool LiteralSource::compute(std::string_view in, char quote, std::string& out) const {
  std::string_view problem;
  while (!in.empty() && problem.empty()) {
    if (quote == '\0') {
      in.remove_prefix(skip_gap(in));
      if (in.empty()) break;
      quote = in[0];
    } else {
      in.remove_prefix(unescape(in, in.size(), quote, out, problem));
      if (in.empty()) break;
      quote = '\0';
    }
    in.remove_prefix(1);
  }
  return problem.empty();
}

class LiteralReader {
 public:
  LiteralReader(TextTokens& tokens, uint64_t keep)
      : tokens_(tokens), window_(tokens.window()), keep_(keep), begin_(window_.position()) {}

  bool run(TextValue& value);

 private:
  bool literal(char quote);
  void let_go(char quote);
  Slice bulk() const;

  TextTokens& tokens_;
  ForwardReader& window_;
  uint64_t keep_;
  uint64_t begin_;     // of the first literal's inside
  uint64_t end_ = 0;   // of the last one's
  uint64_t size_ = 0;  // decoded and dropped
  size_t literals_ = 0;
  std::string bytes_;  // decoded and kept
  std::vector<BlockSource::Block> blocks_;
};

bool LiteralReader::run(TextValue& value) {
  const char quote = tokens_.text()[0];
  while (tokens_.kind() == TokenKind::kString) {
    if (!literal(tokens_.text()[0])) return false;
    tokens_.next();
  }
  if (!tokens_.ok()) return false;
  if (blocks_.empty()) {
    value = {std::move(bytes_), {}};
  } else {
    blocks_[0].state = quote;
    value = {"", Splice(bulk())};
  }
  return true;
}

// Decodes a literal, from after its opening quote to after the closing one.
bool LiteralReader::literal(char quote) {
  ++literals_;
  std::string_view problem;
  while (true) {
    const std::string_view ahead = window_.peek(kLongestEscape);
    if (ahead.empty() || !window_.ok()) {
      return tokens_.fail_at(window_.position(), "Unexpected end of string.");
    }
    const bool last = ahead.size() == window_.left();
    const size_t end = last ? ahead.size() : ahead.size() - (kLongestEscape - 1);
    const size_t step = std::min<size_t>(end, BlockSource::kBlock);
    const size_t taken = unescape(ahead, step, quote, bytes_, problem);
    window_.skip(taken);
    if (!problem.empty()) return tokens_.fail_at(window_.position(), problem);
    let_go(quote);
    if (taken >= step) continue;
    end_ = window_.position();
    window_.skip(1);
    return true;
  }
}

// Drops the decoded bytes of a value that is longer than `keep_`, and keeps only block offsets.
void LiteralReader::let_go(char quote) {
  if (blocks_.empty() && bytes_.size() <= keep_) return;
  if (blocks_.empty()) blocks_.push_back({0, 0, quote});
  size_ += bytes_.size();
  bytes_.clear();
  const uint64_t from = window_.position() - begin_;
  if (from - blocks_.back().from >= BlockSource::kBlock) blocks_.push_back({from, size_, quote});
}

Slice LiteralReader::bulk() const {
  const Slice& all = window_.slice();
  const Slice text = {all.source, all.offset + begin_, end_ - begin_};
  if (literals_ == 1 && size_ == text.size) return text;
  return whole(std::make_shared<LiteralSource>(text, blocks_, size_));
}

}  // namespace

bool take_literals(TextTokens& tokens, uint64_t keep, TextValue& value) {
  return LiteralReader(tokens, keep).run(value);
}

}  // namespace cryo
