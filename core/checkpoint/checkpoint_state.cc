#include "checkpoint/checkpoint_state.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {
namespace {

constexpr std::string_view kLatest = "model_checkpoint_path";
constexpr std::string_view kAll = "all_model_checkpoint_paths";
constexpr std::string_view kSpace = " \t\r\n\v\f,;";

bool is_octal(char digit) { return digit >= '0' && digit <= '7'; }

// Reads protobuf's text format as far as this message has it: `name: "string"` and `name: number`,
// comments, and several string literals in a row, which are one.
class StateReader {
 public:
  explicit StateReader(std::string_view text) : text_(text) {}

  bool read(CheckpointState& state) {
    for (skip_space(); at_ < text_.size(); skip_space()) {
      const std::string_view name = take_word();
      skip_space();
      if (name.empty() || !take(':')) return false;
      skip_space();
      std::string value;
      const bool quoted = peek() == '"' || peek() == '\'';
      if (quoted ? !take_strings(value) : take_word().empty()) return false;
      if (name == kLatest) state.latest = value;
      if (name == kAll) state.all.push_back(value);
    }
    return true;
  }

  size_t position() const { return at_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (kSpace.find(text_[at_]) != std::string_view::npos)
        ++at_;
      else
        return;
    }
  }

  // A field's name or a number.
  std::string_view take_word() {
    const size_t end = text_.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.+-", at_);
    const std::string_view word = text_.substr(at_, end - at_);
    at_ += word.size();
    return word;
  }

  bool take_strings(std::string& value) {
    do {
      if (!take_string(value)) return false;
      skip_space();
    } while (peek() == '"' || peek() == '\'');
    return true;
  }

  bool take_string(std::string& value) {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != '\n') {
      const char byte = text_[at_++];
      if (byte == quote) return true;
      if (byte != '\\')
        value += byte;
      else if (!take_escape(value))
        return false;
    }
    return false;
  }

  bool take_escape(std::string& value) {
    static constexpr std::string_view kNames = "abfnrtv\\?'\"";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\?'\"";
    if (is_octal(peek())) return take_number(value, 3, 8);
    if (take('x') || take('X')) return take_number(value, 2, 16);
    const size_t place = at_ < text_.size() ? kNames.find(peek()) : std::string_view::npos;
    if (place == std::string_view::npos) return false;
    value += kMeanings[place];
    ++at_;
    return true;
  }

  // Up to `most` digits of a byte.
  bool take_number(std::string& value, int most, int base) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    int byte = 0;
    int digits = 0;
    for (; digits < most && at_ < text_.size(); ++digits, ++at_) {
      const char lower =
          text_[at_] >= 'A' && text_[at_] <= 'F' ? static_cast<char>(text_[at_] + 32) : text_[at_];
      const size_t digit = kDigits.find(lower);
      if (digit >= static_cast<size_t>(base)) break;
      byte = byte * base + static_cast<int>(digit);
    }
    value += static_cast<char>(byte);
    return digits > 0 && byte < 256;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Appends a string as libprotobuf's text format writes it: bytes other than printable ASCII in
// octal.
void put_string(std::string& out, std::string_view name, std::string_view value) {
  static constexpr std::string_view kSpecial = "\n\r\t\"'\\";
  static constexpr std::string_view kNames = "nrt\"'\\";
  out += cat(name, ": \"");
  for (const char byte : value) {
    const size_t special = kSpecial.find(byte);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kNames[special];
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += byte;
    } else {
      out += '\\';
      for (const int shift : {6, 3, 0}) {
        out += static_cast<char>('0' + ((static_cast<unsigned char>(byte) >> shift) & 7));
      }
    }
  }
  out += "\"\n";
}

}  // namespace

Result<CheckpointState> read_checkpoint_state(std::string_view text, const std::string& file) {
  CheckpointState state;
  StateReader reader(text);
  if (reader.read(state)) return state;
  return failure("bad-checkpoint-state",
                 "expected lines like model_checkpoint_path: \"model.ckpt\"",
                 {.file = file, .offset = reader.position()},
                 "correct the file, or give the checkpoint's .index itself");
}

std::string write_checkpoint_state(const CheckpointState& state) {
  std::string text;
  if (!state.latest.empty()) put_string(text, kLatest, state.latest);
  for (const std::string& path : state.all) put_string(text, kAll, path);
  return text;
}

}  // namespace cryo
