#pragma once

#include <vector>

#include "archive/zip_writer.h"
#include "checkpoint/checkpoint.h"

namespace cryo {

// NumPy's `.npz`: a zip file of arrays, each a `.npy` file (formats/arrays/npy.h), named by its key
// and ".npy".

// Does a zip file hold `.npy` files, and nothing else? Reads its directory; with `losses` its
// members' headers if that is damaged.
Result<bool> is_npz(const SourcePtr& zip, DamagedParts* losses = nullptr);

// Reads the arrays, by ascending key. Reads the zip's directory and each array's header. The
// content of a stored array is a slice of the file; a deflated one is decoded while it is read.
// Arrays in Fortran order are transposed, and big-endian numbers swapped, while they are read.
//
// Fails if the zip file is damaged or two arrays have one key. A problem of one array is that
// entry's fault and is reported in `diagnostics`: "bad-npy", "unsupported-dtype" (text, objects,
// records, times, and types that NumPy does not record), "unsupported-order" (Fortran order with
// rows of more than 256 MB), "bad-shape", and the errors of zip_members.
//
// `checks` receives the members' checksums. With `losses` reads a damaged file as
// archive/zip_salvage.h describes.
Result<Checkpoint> read_npz(const SourcePtr& zip, Diagnostics& diagnostics,
                            Checks* checks = nullptr, DamagedParts* losses = nullptr);

// A `.npy` file as the one array of a checkpoint. Its key is the file's name without ".npy".
Result<Checkpoint> read_npy(const SourcePtr& file, Diagnostics& diagnostics);

// Returns the file that numpy.savez writes of these tensors, in their order. Each is stored without
// compression; its content remains the same slices. They are read once, for their checksums.
//
// Skipped with a warning: strings, resources, variants, names that are not text. bfloat16, 8-bit
// floats, quantized types and 4-bit integers are written as integers with the same bits, with a
// warning. Fails as to_export and write_zip do.
Result<Splice> write_npz(const std::vector<CheckpointEntry>& entries, Diagnostics& diagnostics);

// Returns the same as `.npy` files, as numpy.save writes them, each named by its key and ".npy".
// Also skips names that are not a path into a folder ("../w", "/w", "a//w").
Result<std::vector<ZipFile>> write_npy_files(const std::vector<CheckpointEntry>& entries,
                                             Diagnostics& diagnostics);

}  // namespace cryo
