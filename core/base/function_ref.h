#pragma once

#include <memory>
#include <utility>

namespace cryo {

// A reference to a function that is called and not kept, used to pass visitors. std::function would
// copy the function and know its type, which costs some hundred bytes of code for each lambda.
template <typename Signature>
class FunctionRef;

template <typename Returned, typename... Arguments>
class FunctionRef<Returned(Arguments...)> {
 public:
  template <typename Function>
  FunctionRef(const Function& function)
      : function_(std::addressof(function)),
        call_([](const void* of, Arguments... arguments) -> Returned {
          return (*static_cast<const Function*>(of))(std::forward<Arguments>(arguments)...);
        }) {}

  Returned operator()(Arguments... arguments) const {
    return call_(function_, std::forward<Arguments>(arguments)...);
  }

 private:
  const void* function_;
  Returned (*call_)(const void* of, Arguments... arguments);
};

}  // namespace cryo
