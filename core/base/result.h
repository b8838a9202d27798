#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"

namespace cryo {

// An empty value, for a Result that only reports success.
struct Unit {};

// An error that is being returned: in a box, because a Diagnostic is large and a Result is returned
// everywhere.
struct Discard {
  void operator()(Diagnostic* error) const;
};
using Failure = std::unique_ptr<Diagnostic, Discard>;

// An error in one expression: return failure("bad-magic", "expected ...; found ...", {.file =
// name}, "pass the prefix").
Failure failure(std::string_view code, std::string_view message, const LocationRef& at = {},
                std::string_view fix = {});
Failure failure(Diagnostic error);

// A T, or the one Diagnostic that explains why there is none. Reading the wrong one is a bug, so it
// asserts.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Failure error) : error_(std::move(error)) {}
  Result(Diagnostic error) : error_(cryo::failure(std::move(error))) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  T& operator*() {
    assert(ok());
    return *value_;
  }
  const T& operator*() const {
    assert(ok());
    return *value_;
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  const Diagnostic& error() const {
    assert(!ok());
    return *error_;
  }

  // The error, to be returned as that of another Result; leaves none here.
  Failure failure() && {
    assert(!ok());
    return std::move(error_);
  }

 private:
  std::optional<T> value_;
  Failure error_;  // null if there is a value
};

using Status = Result<Unit>;

// Names the value of a Result, or returns its error from the enclosing function:
//   TRY(header, read_header(source));
#define CRYO_CONCAT_(a, b) a##b
#define CRYO_CONCAT(a, b) CRYO_CONCAT_(a, b)
#define TRY(name, expression)                                                                \
  auto CRYO_CONCAT(try_, __LINE__) = (expression);                                           \
  if (!CRYO_CONCAT(try_, __LINE__)) return std::move(CRYO_CONCAT(try_, __LINE__)).failure(); \
  auto& name = *CRYO_CONCAT(try_, __LINE__)

// The same if the value does not matter: CHECK_OK(source.read(0, buffer));
#define CHECK_OK(expression)                                                           \
  do {                                                                                 \
    if (auto check_ok = (expression); !check_ok) return std::move(check_ok).failure(); \
  } while (false)

}  // namespace cryo
