// Any input, recognized by content and opened: a file or a folder of files, and each file of it by
// name.

#include "formats/open.h"

#include "formats/recognize.h"
#include "input.h"
#include "targets.h"

namespace cryo::fuzz {

void fuzz_open(std::string_view input) {
  const std::vector<SourcePtr> files = files_of(input);
  Diagnostics diagnostics;
  (void)open(files, {}, diagnostics);
  for (const SourcePtr& file : files) {
    (void)recognise(file);
    if (files.size() > 1) (void)open(files, {file->name()}, diagnostics);
  }
}

}  // namespace cryo::fuzz
