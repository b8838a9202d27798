#pragma once

#include "checked.h"
#include "native/embedded_compat.h"
#include "releases/op_histories.h"

namespace cryo {

inline const OpHistories& histories() {
  static const OpHistories all = *OpHistories::parse(embedded_histories(), ops());
  return all;
}

}  // namespace cryo
