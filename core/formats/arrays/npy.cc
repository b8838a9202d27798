#include "formats/arrays/npy.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"

namespace cryo {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kAlignment = 64;
constexpr size_t kDigits = 21;  // room for the first dimension to grow in place

constexpr std::array<NpyType, 29> kNpyTypes = {{
    {DType::kBool, "|b1", false},
    {DType::kInt8, "|i1", false},
    {DType::kInt16, "<i2", false},
    {DType::kInt32, "<i4", false},
    {DType::kInt64, "<i8", false},
    {DType::kUint8, "|u1", false},
    {DType::kUint16, "<u2", false},
    {DType::kUint32, "<u4", false},
    {DType::kUint64, "<u8", false},
    {DType::kHalf, "<f2", false},
    {DType::kFloat, "<f4", false},
    {DType::kDouble, "<f8", false},
    {DType::kComplex64, "<c8", false},
    {DType::kComplex128, "<c16", false},
    {DType::kBfloat16, "<u2", true},
    {DType::kFloat8E5m2, "|u1", true},
    {DType::kFloat8E4m3fn, "|u1", true},
    {DType::kFloat8E4m3fnuz, "|u1", true},
    {DType::kFloat8E4m3b11fnuz, "|u1", true},
    {DType::kFloat8E5m2fnuz, "|u1", true},
    {DType::kQint8, "|i1", true},
    {DType::kQuint8, "|u1", true},
    {DType::kQint16, "<i2", true},
    {DType::kQuint16, "<u2", true},
    {DType::kQint32, "<i4", true},
    {DType::kInt4, "|i1", true},
    {DType::kUint4, "|u1", true},
    {DType::kInt2, "|i1", true},
    {DType::kUint2, "|u1", true},
}};

Failure bad_npy(std::string_view message) {
  return failure("bad-npy", message, {}, "the file is damaged or was not written by NumPy");
}

// A parser of the Python literals that NumPy writes: {'descr': '<f4', 'shape': (3,), }.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    skip_blanks();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  // Parses 'text' or "text"; NumPy escapes nothing in the strings that matter here.
  bool take_text(std::string& out) {
    skip_blanks();
    if (!text_.starts_with('\'') && !text_.starts_with('"')) return false;
    const size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }

  // 12, or 12L as Python 2 wrote it.
  bool take_number(int64_t& out) {
    skip_blanks();
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 10 - 1;
    size_t digits = 0;
    for (out = 0; digits < text_.size(); ++digits) {
      const char digit = text_[digits];
      if (digit < '0' || digit > '9') break;
      if (out > kMax) return false;
      out = out * 10 + (digit - '0');
    }
    text_.remove_prefix(digits);
    if (text_.starts_with('L')) text_.remove_prefix(1);
    return digits > 0;
  }

  // (3, 4), (3,) or ().
  bool take_shape(Shape& shape) {
    if (!take('(')) return false;
    while (!take(')')) {
      int64_t dim = 0;
      if (shape.dims.size() == kMaxDims || !take_number(dim)) return false;
      shape.dims.push_back(dim);
      if (!take(',')) return take(')');
    }
    return true;
  }

  // [('a', '<i4'), ...], whatever is in it.
  bool skip_brackets() {
    size_t depth = 0;
    std::string ignored;
    do {
      if (take('[') || take('(')) {
        ++depth;
      } else if (take(']') || take(')')) {
        --depth;
      } else if (text_.empty()) {
        return false;
      } else if (!take_text(ignored)) {
        text_.remove_prefix(1);
      }
    } while (depth > 0);
    return true;
  }

  bool at_bracket() {
    skip_blanks();
    return text_.starts_with('[');
  }

  bool at_end() {
    skip_blanks();
    return text_.empty();
  }

 private:
  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size()));
  }

  std::string_view text_;
};

bool take_value(Literal& in, std::string_view key, NpyHeader& header) {
  if (key == "descr") return in.at_bracket() ? in.skip_brackets() : in.take_text(header.descr);
  if (key == "shape") return in.take_shape(header.shape);
  if (key != "fortran_order") return false;
  header.fortran_order = in.take("True");
  return header.fortran_order || in.take("False");
}

// All three keys, each once, in any order.
bool take_header(Literal& in, NpyHeader& header) {
  std::vector<std::string> keys;
  if (!in.take('{')) return false;
  while (!in.take('}')) {
    std::string key;
    if (!in.take_text(key) || !in.take(':') || !take_value(in, key, header)) return false;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) return false;
    keys.push_back(std::move(key));
    if (in.take(',')) continue;
    if (!in.take('}')) return false;
    break;
  }
  return keys.size() == 3 && in.at_end();
}

}  // namespace

bool looks_like_npy(std::string_view head) { return head.starts_with(kMagic); }

Result<uint64_t> npy_header_size(std::string_view preamble) {
  if (!looks_like_npy(preamble) || preamble.size() < kNpyPreamble) {
    return bad_npy("expected a .npy file, which begins with 93 \"NUMPY\"; found other bytes");
  }
  const char version = preamble[kMagic.size()];
  if (version < 1 || version > 3) {
    return bad_npy(cat("expected a .npy file of version 1, 2 or 3; found ", int{version}));
  }
  const uint64_t length = get_fixed32(preamble.data() + 8);
  const uint64_t size = version == 1 ? 10 + (length & 0xFFFF) : 12 + length;
  if (size > kMaxNpyHeader || size < kNpyPreamble) {
    return bad_npy(cat("expected a header of at most ", kMaxNpyHeader, " bytes; found ", size));
  }
  return size;
}

Result<NpyHeader> read_npy_header(std::string_view header) {
  NpyHeader out;
  out.size = header.size();
  Literal in(header.substr(header[kMagic.size()] == 1 ? 10 : 12));
  if (!take_header(in, out)) {
    return bad_npy(cat("expected {'descr': ..., 'fortran_order': ..., 'shape': ...}; found ",
                       printable(header.substr(kNpyPreamble), 100)));
  }
  return out;
}

std::string write_npy_header(std::string_view descr, const Shape& shape) {
  std::string text = cat("{'descr': '", descr, "', 'fortran_order': False, 'shape': (");
  for (size_t i = 0; i < shape.dims.size(); ++i) text += cat(i > 0 ? ", " : "", shape.dims[i]);
  text += shape.dims.size() == 1 ? ",), }" : "), }";
  if (!shape.dims.empty()) text.append(kDigits - cat(shape.dims[0]).size(), ' ');
  const size_t before = kMagic.size() + 4;
  text.append(kAlignment - (before + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string out = cat(kMagic, '\x01', '\0');
  out += static_cast<char>(text.size());
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

const NpyType* find_npy_type(DType dtype) {
  for (const NpyType& type : kNpyTypes) {
    if (type.dtype == dtype) return &type;
  }
  return nullptr;
}

const NpyType* find_npy_type(std::string_view descr) {
  if (descr.size() < 2 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    return nullptr;
  }
  for (const NpyType& type : kNpyTypes) {
    if (!type.raw && type.descr.substr(1) == descr.substr(1)) return &type;
  }
  return nullptr;
}

}  // namespace cryo
