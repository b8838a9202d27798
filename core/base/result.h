#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "base/diagnostic.h"

namespace cryo {

// Nothing, as the value of a Result that only says whether something could be done.
struct Unit {};

// A T, or the one Diagnostic that says why there is none. Looking at the wrong side is our own bug,
// so it asserts.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic error) : value_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return value_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() {
    assert(ok());
    return *std::get_if<0>(&value_);
  }
  const T& operator*() const {
    assert(ok());
    return *std::get_if<0>(&value_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  Diagnostic& error() {
    assert(!ok());
    return *std::get_if<1>(&value_);
  }
  const Diagnostic& error() const {
    assert(!ok());
    return *std::get_if<1>(&value_);
  }

 private:
  std::variant<T, Diagnostic> value_;
};

using Status = Result<Unit>;

// An error in one expression: return failure("bad-magic", "expected ...; found ...", {.file =
// name}, "pass the prefix").
inline Diagnostic failure(std::string code, std::string message, Where where = {},
                          std::string fix = {}) {
  return {Severity::kError, std::move(code), std::move(message), std::move(where), std::move(fix)};
}

// Names the value of a Result, or returns its error from the enclosing function:
//   TRY(header, read_header(source));
#define CRYO_CONCAT_(a, b) a##b
#define CRYO_CONCAT(a, b) CRYO_CONCAT_(a, b)
#define TRY(name, expression)                                                              \
  auto CRYO_CONCAT(try_, __LINE__) = (expression);                                         \
  if (!CRYO_CONCAT(try_, __LINE__)) return std::move(CRYO_CONCAT(try_, __LINE__).error()); \
  auto& name = *CRYO_CONCAT(try_, __LINE__)

// The same where the value does not matter: CHECK_OK(source.read(0, buffer));
#define CHECK_OK(expression)                                                         \
  do {                                                                               \
    if (auto check_ok = (expression); !check_ok) return std::move(check_ok.error()); \
  } while (false)

}  // namespace cryo
