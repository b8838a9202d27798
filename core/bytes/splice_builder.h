#pragma once

#include <string>

#include "bytes/splice.h"

namespace cryo {

// Fresh bytes and slices in the order in which they are added. Adjacent fresh bytes become one
// slice.
class SpliceBuilder {
 public:
  // Returns the string to append fresh bytes to.
  std::string& bytes() { return fresh_; }
  void add(const Splice& splice);
  uint64_t size() const { return out_.size() + fresh_.size(); }
  Splice finish();

 private:
  void flush();

  Splice out_;
  std::string fresh_;
};

}  // namespace cryo
