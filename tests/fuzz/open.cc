// Anything, told by its content and opened: a file or a folder of them, and each file of it by
// name.

#include "model/open.h"

#include "input.h"
#include "model/recognise.h"

using namespace cryo;

FUZZ_TARGET(input) {
  const std::vector<SourcePtr> files = fuzz::files_of(input);
  Diagnostics diagnostics;
  (void)open(files, {}, diagnostics);
  for (const SourcePtr& file : files) {
    (void)recognise(file);
    if (files.size() > 1) (void)open(files, {file->name()}, diagnostics);
  }
}
