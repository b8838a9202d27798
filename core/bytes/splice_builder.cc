#include "bytes/splice_builder.h"

#include <utility>

namespace cryo {

void SpliceBuilder::flush() {
  if (!fresh_.empty()) out_.append(fresh(std::exchange(fresh_, {})));
}

void SpliceBuilder::add(const Splice& splice) {
  flush();
  out_.append(splice);
}

Splice SpliceBuilder::finish() {
  flush();
  return std::exchange(out_, {});
}

}  // namespace cryo
