#include "archive/gzip.h"

#include <algorithm>

#include "archive/inflate_source.h"
#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/joined_source.h"

namespace cryo {
namespace {

constexpr std::string_view kMagic = "\x1F\x8B\x08";
constexpr size_t kFixedHeader = 10;
constexpr uint64_t kTrailer = 8;
constexpr uint64_t kUsualHeader = 512;
constexpr uint64_t kMaxHeader = uint64_t{256} * 1024;
enum Flag : unsigned char { kHasCrc = 2, kHasExtra = 4, kHasName = 8, kHasComment = 16 };

Failure bad_gzip(const ByteSource& gzip, uint64_t offset, std::string_view message) {
  return failure("bad-gzip", message, {.file = gzip.name(), .offset = offset},
                 "the file is damaged: copy or download it again" ADVICE("or-salvage"));
}

bool skip_text(std::string_view& in) {
  const size_t end = in.find('\0');
  if (end == std::string_view::npos) return false;
  in.remove_prefix(end + 1);
  return true;
}

bool skip_bytes(std::string_view& in, uint64_t size) {
  std::string_view skipped;
  return take_bytes(in, size, skipped);
}

// magic, method | flags | time | 2 more | extra field | name 0 | comment 0 | CRC-16
//      3            1       4      2      2 and as many                      2
// 0 if it is no header, or not all of it is here.
uint64_t header_size(std::string_view head) {
  if (!head.starts_with(kMagic) || head.size() < kFixedHeader) return 0;
  const auto flags = static_cast<unsigned char>(head[kMagic.size()]);
  std::string_view rest = head.substr(kFixedHeader);
  if ((flags & kHasExtra) != 0) {
    if (rest.size() < 2) return 0;
    const auto low = static_cast<unsigned char>(rest[0]);
    const auto high = static_cast<unsigned char>(rest[1]);
    if (!skip_bytes(rest, uint64_t{2} + low + uint64_t{high} * 256)) return 0;
  }
  if ((flags & kHasName) != 0 && !skip_text(rest)) return 0;
  if ((flags & kHasComment) != 0 && !skip_text(rest)) return 0;
  if ((flags & kHasCrc) != 0 && !skip_bytes(rest, 2)) return 0;
  return head.size() - rest.size();
}

Result<uint64_t> read_header(const ByteSource& gzip, uint64_t offset) {
  for (const uint64_t most : {kUsualHeader, kMaxHeader}) {
    TRY(head, read_up_to(gzip, offset, most));
    if (const uint64_t size = header_size(head); size > 0) return size;
  }
  return bad_gzip(gzip, offset, "expected the header of a gzip member; found other bytes");
}

// Is there nothing but zeros from here on?
Result<bool> only_padding(const ByteSource& gzip, uint64_t offset) {
  std::string buffer(static_cast<size_t>(kUsualHeader), '\0');
  while (offset < gzip.size()) {
    buffer.resize(static_cast<size_t>(std::min<uint64_t>(buffer.size(), gzip.size() - offset)));
    CHECK_OK(read_exactly(gzip, offset, {buffer.data(), buffer.size()}));
    if (buffer.find_first_not_of('\0') != std::string::npos) return false;
    offset += buffer.size();
    buffer.resize(static_cast<size_t>(kMaxHeader));
  }
  return true;
}

Status check_trailer(const ByteSource& gzip, uint64_t offset, const InflateSource::Learnt& learnt) {
  char trailer[kTrailer];
  CHECK_OK(read_exactly(gzip, offset, trailer));
  if (get_fixed32(trailer) == learnt.crc &&
      get_fixed32(trailer + 4) == static_cast<uint32_t>(learnt.source->size())) {
    return Unit{};
  }
  return failure("checksum",
                 cat("the checksum of the decompressed bytes does not match: expected ",
                     get_fixed32(trailer), ", found ", learnt.crc),
                 {.file = gzip.name(), .offset = offset},
                 "the file is damaged: copy or download it again" ADVICE("or-salvage"));
}

}  // namespace

bool looks_like_gzip(std::string_view head) { return head.starts_with(kMagic); }

namespace {

// The members of a gzip file, one after the other.
class GzipReader {
 public:
  GzipReader(const SourcePtr& gzip, const std::string& name, bool salvages)
      : gzip_(gzip), name_(name), salvages_(salvages) {}

  // Adds the members to `plain`. Fails at damage; what comes before it is added.
  Status read(Splice& plain) {
    for (bool ended = false; !ended;) {
      CHECK_OK(member(plain));
      TRY(padding, only_padding(*gzip_, offset_));
      ended = padding;
    }
    return Unit{};
  }

  uint64_t offset() const { return offset_; }

 private:
  Status member(Splice& plain) {
    TRY(header, read_header(*gzip_, offset_));
    offset_ += header;
    const Slice rest{gzip_, offset_, gzip_->size() - offset_};
    TRY(learnt, InflateSource::learn(rest, name_, cache_, salvages_));
    offset_ += learnt.consumed;
    plain.append(whole(learnt.source));
    if (learnt.fault) return *learnt.fault;
    CHECK_OK(check_trailer(*gzip_, offset_, learnt));
    offset_ += kTrailer;
    return Unit{};
  }

  const SourcePtr& gzip_;
  const std::string& name_;
  bool salvages_;
  std::shared_ptr<InflaterCache> cache_ = std::make_shared<InflaterCache>();
  uint64_t offset_ = 0;
};

SourcePtr as_source(const Splice& plain, const std::string& name) {
  if (plain.pieces().empty()) return std::make_shared<MemorySource>("", name);
  if (plain.pieces().size() == 1) return plain.pieces().front().source;
  return std::make_shared<JoinedSource>(plain);
}

}  // namespace

Result<SourcePtr> gunzip(const SourcePtr& gzip, const std::string& name, DamagedParts* losses) {
  GzipReader reader(gzip, name, losses != nullptr);
  Splice plain;
  const Status read = reader.read(plain);
  if (!read) {
    const bool is_left = losses != nullptr && is_of_file(read.error().code) && plain.size() > 0;
    if (!is_left) return read.error();
    const bool ends = reader.offset() + kTrailer > gzip->size();
    const uint64_t left = gzip->size() - std::min(gzip->size(), reader.offset());
    losses->push_back({kLostMember, ends ? "" : name, left, read.error()});
  }
  return as_source(plain, name);
}

}  // namespace cryo
