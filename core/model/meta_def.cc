#include "model/meta_def.h"

#include "proto/meta_graph.pb.h"

namespace cryo {

const tensorflow::MetaGraphDef& MetaDef::message() const {
  if (!state_) return tensorflow::MetaGraphDef::default_instance();
  if (!state_->message) {
    const auto parsed = std::make_shared<tensorflow::MetaGraphDef>();
    state_->is_whole = parsed->ParseFromString(state_->bytes);
    state_->message = parsed;
  }
  return *state_->message;
}

bool MetaDef::is_whole() const {
  message();
  return !state_ || state_->is_whole;
}

}  // namespace cryo
