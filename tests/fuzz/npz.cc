// NumPy's arrays: .npz and .npy. What is read without a fault and written again reads the same.

#include "model/formats/npz.h"

#include "arrays.h"
#include "input.h"
#include "model/recognise.h"

using namespace cryo;

FUZZ_TARGET(input) {
  const SourcePtr file = fuzz::file_of(input);
  const auto told = recognise(file);
  const bool zip = told && told->kind == FileKind::kNpz;
  fuzz::read_and_write(file, zip ? read_npz : read_npy, write_npz, read_npz);
}
