#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tensorflow {
class MetaGraphDef;
}

namespace cryo {

// A MetaGraphDef message, bulk elided, that is parsed once: when it is first requested. Copies
// share it.
class MetaDef {
 public:
  MetaDef() = default;
  MetaDef(std::string bytes) : state_(std::make_shared<State>(State{std::move(bytes), {}, true})) {}

  bool empty() const { return bytes().empty(); }
  std::string_view bytes() const { return state_ ? std::string_view(state_->bytes) : ""; }
  operator std::string_view() const { return bytes(); }

  // elide() does not check UTF-8. On invalid text the message is parsed up to that field.
  const tensorflow::MetaGraphDef& message() const;
  bool is_whole() const;  // false: the message was parsed up to a field

  bool operator==(const MetaDef& other) const { return bytes() == other.bytes(); }

 private:
  struct State {
    std::string bytes;
    std::shared_ptr<const tensorflow::MetaGraphDef> message;  // null until it is requested
    bool is_whole = true;
  };
  std::shared_ptr<State> state_;  // null: empty
};

}  // namespace cryo
