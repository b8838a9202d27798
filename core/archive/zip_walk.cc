#include "archive/zip_walk.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32.h"

namespace cryo {
namespace {

constexpr uint64_t kStep = uint64_t{64} * 1024;
// A directory of more records is refused (kMaxZipDirectory).
constexpr uint64_t kMaxRecords = kMaxZipDirectory / kZipRecordSize;

constexpr uint16_t kMaxVersion = 63;  // of APPNOTE.TXT 6.3.x
constexpr uint16_t kKnownFlags = kZipEncryptedFlag | 0x0006 | kZipStreamedFlag | kZipUtf8Flag;

bool is_text_name(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20;
  });
}

bool is_streamed(const ZipRecord& record) { return (record.flags & kZipStreamedFlag) != 0; }

// The forms of what follows the packed bytes of a streamed member:
//
//     "PK\7\8" or nothing | CRC-32 | packed size, size: of 4 bytes, of 8
struct DescriptorForm {
  uint64_t signature;
  uint64_t number;
};
constexpr std::array kDescriptorForms = {DescriptorForm{4, 4}, DescriptorForm{4, 8},
                                         DescriptorForm{0, 4}, DescriptorForm{0, 8}};

}  // namespace

uint32_t ZipWalk::signature(uint64_t at) {
  const std::string_view bytes = at > size() ? std::string_view() : bytes_.view(at, 4);
  return bytes.size() < 4 ? 0 : get_fixed32(bytes.data());
}

bool ZipWalk::is_directory(uint64_t at) {
  const uint32_t found = signature(at);
  return found == kZipDirectoryRecord || found == kZipEnd || found == kZip64End;
}

// Returns true if a member that ends here is followed by what may follow one.
bool ZipWalk::is_followed(uint64_t end) {
  return end == size() || signature(end) == kZipLocalHeader || is_directory(end);
}

// Returns false once looking for the ends of damaged members has read as much as the file.
bool ZipWalk::may_waste(uint64_t bytes) {
  wasted_ += std::min(bytes, size());
  return wasted_ <= size();
}

std::optional<ZipWalk::Header> ZipWalk::header_at(uint64_t at) {
  if (signature(at) != kZipLocalHeader) return std::nullopt;
  const std::string fixed(bytes_.view(at, kZipLocalSize));
  if (fixed.size() < kZipLocalSize) return std::nullopt;
  Header header;
  ZipRecord& record = header.record;
  const size_t name_size = get_fixed16(fixed.data() + 26);
  const size_t extra_size = get_fixed16(fixed.data() + 28);
  record.flags = get_fixed16(fixed.data() + 6);
  record.method = get_fixed16(fixed.data() + 8);
  record.crc = get_fixed32(fixed.data() + 14);
  record.packed_size = get_fixed32(fixed.data() + 18);
  record.size = get_fixed32(fixed.data() + 22);
  header.start = at + kZipLocalSize + name_size + extra_size;
  if (header.start > size()) return std::nullopt;
  const std::string rest(bytes_.view(at + kZipLocalSize, name_size + extra_size));
  record.name = rest.substr(0, name_size);
  const bool valid = rest.size() == name_size + extra_size && is_text_name(record.name) &&
                     get_fixed16(fixed.data() + 4) <= kMaxVersion &&
                     take_zip64(std::string_view(rest).substr(name_size), record);
  if (!valid) return std::nullopt;
  record.header_offset = at;
  return header;
}

// Returns true if a header is here that what follows it confirms.
bool ZipWalk::is_header(uint64_t at) {
  const std::optional<Header> header = header_at(at);
  if (!header) return false;
  ZipRecord record = header->record;
  const bool known = (record.flags & ~kKnownFlags) == 0 &&
                     (record.method == kZipStored || record.method == kZipDeflated);
  if (!known) return false;
  if (is_streamed(record) && record.packed_size == 0) return true;
  if (record.packed_size > size() - header->start) return false;
  const uint64_t end = header->start + record.packed_size;
  return is_followed(end) || take_descriptor(record, end);
}

// Returns the next place of a signature, or the end of the file.
uint64_t ZipWalk::find(std::string_view begin, uint64_t from) {
  uint64_t at = from;
  while (at + begin.size() <= size()) {
    const std::string_view view = bytes_.view(at, kStep);
    if (view.size() < begin.size()) break;
    const size_t found = view.find(begin);
    if (found != std::string_view::npos) return at + found;
    at += view.size() - begin.size() + 1;
  }
  return size();
}

// Returns the place of the next header, or the end of the file.
uint64_t ZipWalk::next_header(uint64_t from) {
  constexpr std::string_view kBegin = "PK\x03\x04";
  uint64_t at = find(kBegin, from);
  while (at < size() && !is_header(at)) at = find(kBegin, at + 1);
  return at;
}

// Takes the checksum that follows a streamed member of these sizes, and moves the record's end
// after it.
bool ZipWalk::take_descriptor(ZipRecord& record, uint64_t at) {
  if (at > size()) return false;
  for (const DescriptorForm& form : kDescriptorForms) {
    const uint64_t length = form.signature + 4 + 2 * form.number;
    const std::string bytes(bytes_.view(at, length));
    if (bytes.size() < length) continue;
    if (form.signature > 0 && get_fixed32(bytes.data()) != kZipDescriptor) continue;
    const char* crc = bytes.data() + form.signature;
    const char* sizes = crc + 4;
    const auto number = [&](size_t i) {
      const char* here = sizes + i * form.number;
      return form.number == 4 ? uint64_t{get_fixed32(here)} : get_fixed64(here);
    };
    const bool same = number(0) == record.packed_size && number(1) == record.size;
    if (!same || !is_followed(at + length)) continue;
    record.crc = get_fixed32(crc);
    record.end = at + length;
    return true;
  }
  return false;
}

Result<bool> ZipWalk::has_checksum(const Header& header) const {
  const Slice bytes{zip_, header.start, header.record.packed_size};
  if (header.record.method == kZipDeflated) {
    TRY(learnt, InflateSource::learn(bytes, header.record.name, cache_, true));
    return !learnt.fault && learnt.crc == header.record.crc;
  }
  uint32_t crc = 0;
  CHECK_OK(Splice(bytes).for_each_chunk([&](std::string_view chunk) -> Status {
    crc = crc32_extend(crc, chunk);
    return Unit{};
  }));
  return crc == header.record.crc;
}

// Gives the member the bytes up to `end`, as far as they are known to be its own.
void ZipWalk::cut(Header& header, uint64_t end) {
  header.record.cut = true;
  header.record.end = end;
  header.record.packed_size = end - header.start;
  if (header.record.method == kZipStored) header.record.size = header.record.packed_size;
}

// The stream itself tells where it ends.
Status ZipWalk::measure_deflated(Header& header) {
  ZipRecord& record = header.record;
  const Slice rest{zip_, header.start, size() - header.start};
  TRY(learnt, InflateSource::learn(rest, record.name, cache_, true));
  record.size = learnt.source->size();
  if (learnt.fault) {
    const bool again = may_waste(learnt.consumed);
    cut(header, next_header(header.start + (again ? 0 : learnt.consumed)));
    return Unit{};
  }
  record.packed_size = learnt.consumed;
  record.end = header.start + learnt.consumed;
  const bool stated =
      is_streamed(record) ? take_descriptor(record, record.end) : record.crc == learnt.crc;
  record.cut = !stated;
  return Unit{};
}

// Looks for the sizes that follow the bytes of a streamed member.
void ZipWalk::measure_stored(Header& header) {
  constexpr std::string_view kBegin = "PK\x07\x08";
  for (uint64_t at = find(kBegin, header.start); at < size(); at = find(kBegin, at + 1)) {
    header.record.packed_size = header.record.size = at - header.start;
    if (take_descriptor(header.record, at)) return;
  }
  cut(header, size());
}

// Finds the member's end. A stored member that is longer than the file has the rest of it: a zip
// file within it has headers, too.
Status ZipWalk::measure(Header& header) {
  ZipRecord& record = header.record;
  const bool unknown = is_streamed(record) && record.packed_size == 0;
  const bool fits = record.packed_size <= size() - header.start;
  if (!unknown && fits) {
    record.end = header.start + record.packed_size;
    if (is_streamed(record) && take_descriptor(record, record.end)) return Unit{};
    if (is_followed(record.end)) return Unit{};
    const bool may_read = may_waste(record.packed_size);
    TRY(right, may_read ? has_checksum(header) : Result<bool>(false));
    if (right) return Unit{};
  }
  if (record.method == kZipDeflated) return measure_deflated(header);
  if (unknown && record.method == kZipStored) {
    measure_stored(header);
  } else {
    cut(header, fits ? next_header(header.start) : size());
  }
  return Unit{};
}

Result<std::vector<ZipRecord>> ZipWalk::run() {
  std::vector<ZipRecord> records;
  uint64_t at = 0;
  while (at < size() && !is_directory(at)) {
    std::optional<Header> header = header_at(at);
    if (records.size() > kMaxRecords) {
      return failure("too-large", cat("expected at most ", kMaxRecords, " members; found more"),
                     {.file = zip_->name(), .offset = at}, "unpack the file first");
    }
    if (header) {
      CHECK_OK(measure(*header));
      at = header->record.end;
      records.push_back(std::move(header->record));
    } else {
      const uint64_t next = next_header(at + 1);
      const Failure why = failure("bad-zip", "expected the header of a member; found other bytes",
                                  {.file = zip_->name(), .offset = at});
      losses_.push_back({kLostMember, "", next - at, *why});
      at = next;
    }
    if (!bytes_.ok()) return bytes_.error();
  }
  return records;
}

}  // namespace cryo
