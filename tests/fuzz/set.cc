// Values as a person writes them (--set NAME=VALUE): a tensor has as many bytes as its type and
// shape want, and a number is that of the C library.

#include <cstdlib>
#include <cstring>

#include "input.h"
#include "targets.h"
#include "tensor/number_text.h"
#include "tensor/value_text.h"

namespace cryo::fuzz {
namespace {

template <typename Number>
void compare(const std::string& content, Number expected) {
  Number found = 0;
  std::memcpy(&found, content.data(), sizeof(found));
  assert(std::memcmp(&found, &expected, sizeof(found)) == 0);
}

}  // namespace

void fuzz_set(std::string_view input) {
  if (input.empty()) return;
  const auto dtype = static_cast<DType>(input.front());
  if (find_dtype(dtype) == nullptr || !has_number_text(dtype)) return;
  const std::string text(input.substr(1));
  const auto value = parse_value(dtype, text);
  if (!value) return;
  const auto count = element_count(value->shape);
  assert(count.ok() && value->content.size() == *count * find_dtype(dtype)->size);
  if (!value->shape.dims.empty()) return;
  if (dtype == DType::kDouble) compare(value->content, std::strtod(text.c_str(), nullptr));
  if (dtype == DType::kFloat) compare(value->content, std::strtof(text.c_str(), nullptr));
  const bool digits = text.find_first_not_of("-0123456789") == std::string::npos;
  if (dtype == DType::kInt64 && digits) {
    compare(value->content, int64_t{std::strtoll(text.c_str(), nullptr, 10)});
  }
}

}  // namespace cryo::fuzz
