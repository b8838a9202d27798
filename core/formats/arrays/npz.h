#pragma once

#include <vector>

#include "archive/zip_writer.h"
#include "checkpoint/checkpoint.h"

namespace cryo {

// NumPy's `.npz`: a zip file of arrays, each a `.npy` file (formats/arrays/npy.h), named by its key
// and ".npy".

// Does a zip file hold `.npy` files, and nothing else? Reads its directory.
Result<bool> is_npz(const SourcePtr& zip);

// The arrays by ascending key. Reads the zip's directory and each array's header; the content of
// stored arrays is slices of the file, that of deflated ones is decoded as it is read. Arrays in
// Fortran's order are transposed, big-endian numbers swapped, while they are read.
//
// Fails where the zip file is damaged, and on two arrays of one key. What concerns one array alone
// is that entry's fault and is told in `diagnostics`: "bad-npy", "unsupported-dtype" (text,
// objects, records, times, and what NumPy forgot the type of), "unsupported-order" (Fortran's, with
// rows of more than 256 MB), "bad-shape", what zip_members names.
//
// `checks` receives the members' checksums.
Result<Checkpoint> read_npz(const SourcePtr& zip, Diagnostics& diagnostics,
                            Checks* checks = nullptr);

// A `.npy` file as the one array of a checkpoint. Its key is the file's name without ".npy".
Result<Checkpoint> read_npy(const SourcePtr& file, Diagnostics& diagnostics);

// What numpy.savez writes of these tensors, in their order: each stored as it is, its content still
// the slices it was. They are read once, for their checksums.
//
// Left out with a warning: strings, resources, variants, names that are not text. bfloat16, floats
// of 8 bits, quantized types and integers of 4 bits are written as integers of the same bits, with
// a warning. Fails as to_export and write_zip do.
Result<Splice> write_npz(const std::vector<CheckpointEntry>& entries, Diagnostics& diagnostics);

// The same as `.npy` files, as numpy.save writes them, each called by its key and ".npy". Left out
// are also names that are no path into a folder ("../w", "/w", "a//w").
Result<std::vector<ZipFile>> write_npy_files(const std::vector<CheckpointEntry>& entries,
                                             Diagnostics& diagnostics);

}  // namespace cryo
