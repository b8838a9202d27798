#include "formats/events/records.h"

#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {
namespace {

constexpr uint64_t kLength = 8;
constexpr uint64_t kCrc = 4;
constexpr uint64_t kHeader = kLength + kCrc;

// Returns the length that a header states; nullopt if it is cut short or damaged.
std::optional<uint64_t> read_length(std::string_view header) {
  if (header.size() < kHeader) return std::nullopt;
  const uint32_t stated = unmask_crc(get_fixed32(header.data() + kLength));
  if (crc32c(header.substr(0, kLength)) != stated) return std::nullopt;
  return get_fixed64(header.data());
}

}  // namespace

bool begins_record(std::string_view head) { return read_length(head).has_value(); }

std::optional<Record> read_record(RandomReader& file, uint64_t at) {
  const auto length = read_length(file.view(at, kHeader));
  if (!length) return std::nullopt;
  const uint64_t data = at + kHeader;
  const uint64_t left = file.size() - data;
  if (left < kCrc || *length > left - kCrc) return std::nullopt;
  const std::string_view crc = file.view(data + *length, kCrc);
  if (crc.size() < kCrc) return std::nullopt;
  const Slice whole = file.slice();
  return Record{{whole.source, whole.offset + data, *length},
                unmask_crc(get_fixed32(crc.data())),
                data + *length + kCrc};
}

}  // namespace cryo
