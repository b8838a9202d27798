#include "formats/arrays/npz.h"

#include <algorithm>
#include <utility>

#include "archive/member_names.h"
#include "archive/zip.h"
#include "archive/zip_salvage.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "formats/arrays/export.h"
#include "formats/arrays/npy.h"
#include "tensor/views/swapped_source.h"
#include "tensor/views/transposed_source.h"

namespace cryo {
namespace {

constexpr std::string_view kEnding = ".npy";
constexpr uint64_t kUsualHeader = 128;

Result<NpyHeader> read_member_header(const ByteSource& file) {
  TRY(head, read_up_to(file, 0, kUsualHeader));
  TRY(size, npy_header_size(std::string_view(head).substr(0, kNpyPreamble)));
  const size_t had = head.size();
  head.resize(static_cast<size_t>(size));
  if (size > had) CHECK_OK(read_exactly(file, had, {head.data() + had, head.size() - had}));
  return read_npy_header(head);
}

// Returns the numbers in C order and little-endian, as a view of the stored ones.
Result<Slice> in_order(Slice bytes, const NpyHeader& header, const DTypeInfo& info) {
  const bool complex = info.dtype == DType::kComplex64 || info.dtype == DType::kComplex128;
  if (header.descr[0] == '>' && info.size > 1) {
    bytes = whole(std::make_shared<SwappedSource>(bytes, complex ? info.size / 2 : info.size));
  }
  std::vector<uint64_t> dims;
  for (const int64_t dim : header.shape.dims) {
    if (dim != 1) dims.push_back(static_cast<uint64_t>(dim));
  }
  if (!header.fortran_order || dims.size() < 2 || bytes.size == 0) return bytes;
  if (bytes.size / dims[0] > TransposedSource::kMaxRow) {
    return failure("unsupported-order",
                   cat("expected rows of at most ", human_bytes(TransposedSource::kMaxRow),
                       " of an array in Fortran's order; found ", to_text(header.shape)),
                   {}, "save numpy.ascontiguousarray(array)");
  }
  return whole(std::make_shared<TransposedSource>(bytes, std::move(dims), info.size));
}

// Fills the entry from the file as far as possible. `head` is the same file, to read the header
// from.
Status read_array(const SourcePtr& file, const ByteSource& head, CheckpointEntry& entry) {
  TRY(header, read_member_header(head));
  entry.shape = header.shape;
  const NpyType* type = find_npy_type(header.descr);
  if (type == nullptr) {
    return failure("unsupported-dtype",
                   cat("expected numbers of a type that TensorFlow has; found ",
                       header.descr.empty() ? "records of several fields" : quoted(header.descr)),
                   {}, "save the array as numbers: array.astype(...)");
  }
  entry.dtype = type->dtype;
  const DTypeInfo& info = *find_dtype(entry.dtype);
  TRY(count, element_count(header.shape));
  const uint64_t room = file->size() - std::min(file->size(), header.size);
  if (count > room / info.size) {
    return failure(
        "bad-npy",
        cat("expected ", info.name, " ", to_text(header.shape), "; found ", plural(room, "byte")),
        {}, "the file is incomplete: copy or download it again");
  }
  entry.bytes = count * info.size;
  TRY(content, in_order({file, header.size, entry.bytes}, header, info));
  entry.content.append(content);
  return Unit{};
}

Result<CheckpointEntry> read_entry(const SourcePtr& file, const ByteSource& head,
                                   std::string_view key, Diagnostics& diagnostics) {
  CheckpointEntry entry;
  entry.key = key;
  const Status read = read_array(file, head, entry);
  if (read) return entry;
  Diagnostic fault = read.error();
  if (!is_of_file(fault.code)) return fault;
  if (fault.where.file.empty()) fault.where.file = file->name();
  fault.where.tensor = key;
  fault.severity = Severity::kWarning;
  diagnostics.add(fault);
  fault.severity = Severity::kError;
  entry.fault = std::make_shared<Diagnostic>(std::move(fault));
  return entry;
}

Result<std::vector<ZipRecord>> records_of(const SourcePtr& zip, DamagedParts* losses) {
  return losses == nullptr ? read_zip_directory(zip) : salvaged_zip_records(zip, *losses);
}

// An array whose member is damaged is not whole, even if all of its numbers are there: its checksum
// is not known.
void mark_cut(const SourcePtr& zip, const ZipRecord& record, CheckpointEntry& entry) {
  if (!record.cut) return;
  const Failure why = failure(
      "bad-zip", cat("expected all bytes of ", quoted(record.name), "; found that they end early"),
      {.file = zip->name(), .offset = record.header_offset, .tensor = entry.key});
  entry.bytes = record.size;
  entry.fault = std::make_shared<Diagnostic>(*why);
}

std::string_view without_ending(std::string_view name) {
  if (name.ends_with(kEnding)) name.remove_suffix(kEnding.size());
  return name;
}

bool has_npy_type(const CheckpointEntry& entry) { return find_npy_type(entry.dtype) != nullptr; }

// A name that leads to a file inside a folder, on every system.
bool is_inner_path(std::string_view name) {
  if (name.find_first_of("\\:") != std::string_view::npos) return false;
  for (const std::string_view part : split(name, '/')) {
    if (part.empty() || part == "." || part == "..") return false;
  }
  return true;
}

Result<std::vector<ZipFile>> npy_files(const std::vector<CheckpointEntry>& entries,
                                       std::string_view format,
                                       bool (*takes)(const CheckpointEntry&),
                                       Diagnostics& diagnostics) {
  TRY(taken, to_export(entries, format, takes, diagnostics));
  std::vector<ZipFile> files;
  std::vector<const CheckpointEntry*> raw;
  for (const CheckpointEntry* entry : taken) {
    const NpyType& type = *find_npy_type(entry->dtype);
    if (type.raw) raw.push_back(entry);
    ZipFile file = {cat(entry->key, kEnding),
                    Splice(fresh(write_npy_header(type.descr, entry->shape)))};
    file.content.append(entry->content);
    files.push_back(std::move(file));
  }
  warn_of_raw(raw, format, diagnostics);
  return files;
}

}  // namespace

Result<bool> is_npz(const SourcePtr& zip, DamagedParts* losses) {
  TRY(records, records_of(zip, losses));
  const auto is_array = [](const ZipRecord& record) { return record.name.ends_with(kEnding); };
  return !records.empty() && std::all_of(records.begin(), records.end(), is_array);
}

Result<Checkpoint> read_npz(const SourcePtr& zip, Diagnostics& diagnostics, Checks* checks,
                            DamagedParts* losses) {
  TRY(records, records_of(zip, losses));
  sort(records, [](const ZipRecord& a, const ZipRecord& b) {
    return without_ending(a.name) < without_ending(b.name);
  });
  const auto cache = std::make_shared<InflaterCache>();
  Checks structure(false);
  Checkpoint checkpoint;
  checkpoint.prefix = zip->name();
  for (const ZipRecord& record : records) {
    if (!record.name.ends_with(kEnding)) continue;
    const std::string_view key = without_ending(record.name);
    if (!checkpoint.entries.empty() && checkpoint.entries.back().key == key) {
      return failure("bad-zip", cat("expected one array of a name; found two named ", quoted(key)),
                     {.file = zip->name(), .offset = record.header_offset},
                     "the file is damaged: copy or download it again");
    }
    const std::string name = member_source_name(*zip, record.name);
    const SourcePtr file = zip_member(zip, record, name, cache, checks, {std::string(key)});
    // The header is structure: reading it asks for no check of the array.
    const SourcePtr head = zip_member(zip, record, name, cache, &structure);
    TRY(entry, read_entry(file, *head, key, diagnostics));
    const auto check = std::dynamic_pointer_cast<const Checked>(file);
    if (check != nullptr && (checks == nullptr || checks->is_on())) entry.checks.push_back(check);
    mark_cut(zip, record, entry);
    checkpoint.entries.push_back(std::move(entry));
  }
  return checkpoint;
}

Result<Checkpoint> read_npy(const SourcePtr& file, Diagnostics& diagnostics) {
  Checkpoint checkpoint;
  checkpoint.prefix = file->name();
  TRY(entry, read_entry(file, *file, without_ending(base_name(file->name())), diagnostics));
  checkpoint.entries.push_back(std::move(entry));
  return checkpoint;
}

Result<Splice> write_npz(const std::vector<CheckpointEntry>& entries, Diagnostics& diagnostics) {
  TRY(files, npy_files(entries, ".npz", has_npy_type, diagnostics));
  return write_zip(files);
}

Result<std::vector<ZipFile>> write_npy_files(const std::vector<CheckpointEntry>& entries,
                                             Diagnostics& diagnostics) {
  const auto takes = [](const CheckpointEntry& entry) {
    return has_npy_type(entry) && is_inner_path(entry.key);
  };
  return npy_files(entries, ".npy", takes, diagnostics);
}

}  // namespace cryo
