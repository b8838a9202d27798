#pragma once

#include <memory>
#include <utility>

namespace cryo {

// A value that its copies share until one of them is changed. Copying it costs a reference.
//
//     Shared<Map> a = map;  Shared<Map> b = a;  b.edit()["x"] = 1;      a has no "x"
template <typename T>
class Shared {
 public:
  Shared() = default;
  Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return value_ ? *value_ : none(); }
  const T* operator->() const { return &**this; }

  // The value, for changing it: copied first if another one shares it.
  T& edit() {
    if (!value_) value_ = std::make_shared<T>();
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  static const T& none() {
    static const T nothing;
    return nothing;
  }

  std::shared_ptr<T> value_;
};

}  // namespace cryo
