// NumPy's arrays: .npz and .npy. What is read without a fault and written again reads the same.

#include "formats/arrays/npz.h"

#include "arrays.h"
#include "formats/recognize.h"
#include "input.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

Result<Checkpoint> read_zip(const SourcePtr& zip, Diagnostics& diagnostics) {
  return read_npz(zip, diagnostics);
}

}  // namespace

void fuzz_npz(std::string_view input) {
  const SourcePtr file = file_of(input);
  const auto found = recognise(file);
  const bool zip = found && found->kind == FileKind::kNpz;
  read_and_write(file, zip ? read_zip : read_npy, write_npz, read_zip);
}

}  // namespace cryo::fuzz
