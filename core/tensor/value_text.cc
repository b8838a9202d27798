#include "tensor/value_text.h"

#include <vector>

#include "tensor/number_text.h"

namespace cryo {
namespace {

constexpr size_t kMaxValueDepth = 32;

// Reads one value after the other; lists call themselves for their items.
class ValueParser {
 public:
  ValueParser(DType dtype, std::string_view text) : dtype_(dtype), rest_(text) {}

  std::optional<WrittenTensor> run() {
    if (!item(0)) return std::nullopt;
    skip_blanks();
    if (!rest_.empty()) return std::nullopt;
    return std::move(value_);
  }

 private:
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool item(size_t depth) {
    if (depth < kMaxValueDepth && take('[')) return list(depth);
    if (rank_known_ && depth != value_.shape.dims.size()) return false;
    rank_known_ = true;
    return number();
  }

  bool number() {
    skip_blanks();
    std::string_view text = rest_.substr(0, rest_.find_first_of(",]"));
    rest_.remove_prefix(text.size());
    while (text.ends_with(' ')) text.remove_suffix(1);
    return append_number(dtype_, std::string(text), value_.content);
  }

  // Parses a list, after its bracket. All lists of one depth have one length.
  bool list(size_t depth) {
    std::vector<int64_t>& dims = value_.shape.dims;
    const bool first = depth == dims.size();
    if (first && rank_known_) return false;
    if (first) dims.push_back(kUnknownDim);
    int64_t count = 0;
    bool closed = take(']');
    if (closed && depth + 1 == dims.size()) rank_known_ = true;
    while (!closed) {
      if (!item(depth + 1)) return false;
      ++count;
      closed = take(']');
      if (!closed && !take(',')) return false;
    }
    if (dims[depth] == kUnknownDim) dims[depth] = count;
    return dims[depth] == count;
  }

  DType dtype_;
  std::string_view rest_;
  WrittenTensor value_;
  bool rank_known_ = false;  // a number, or an empty list, was read
};

}  // namespace

std::optional<WrittenTensor> parse_value(DType dtype, std::string_view text) {
  if (text.starts_with('[')) return ValueParser(dtype, text).run();
  WrittenTensor scalar;
  const bool read = append_number(dtype, std::string(text), scalar.content);
  return read ? std::optional<WrittenTensor>(std::move(scalar)) : std::nullopt;
}

}  // namespace cryo
