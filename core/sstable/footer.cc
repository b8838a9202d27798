#include "sstable/footer.h"

#include <array>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"

namespace cryo {

void put_handle(std::string& out, BlockHandle handle) {
  put_varint(out, handle.offset);
  put_varint(out, handle.size);
}

bool take_handle(std::string_view& in, BlockHandle& handle) {
  return take_varint(in, handle.offset) && take_varint(in, handle.size);
}

void put_footer(std::string& out, const Footer& footer) {
  std::string bytes;
  put_handle(bytes, footer.metaindex);
  put_handle(bytes, footer.index);
  bytes.resize(kFooterBytes - sizeof(kTableMagic));
  put_fixed64(bytes, kTableMagic);
  out += bytes;
}

Result<Footer> read_footer(const ByteSource& source) {
  const uint64_t size = source.size();
  if (size < kFooterBytes) {
    return failure("not-a-table",
                   cat("file is too short to be an sstable: ", plural(size, "byte"), ", expected ",
                       kFooterBytes, " or more"),
                   {.file = source.name()}, "copy or download the checkpoint's .index file again");
  }
  std::array<char, kFooterBytes> bytes{};
  CHECK_OK(source.read(size - kFooterBytes, bytes));
  const uint64_t magic_offset = kFooterBytes - sizeof(kTableMagic);
  if (get_fixed64(bytes.data() + magic_offset) != kTableMagic) {
    return failure(
        "not-a-table", "not an sstable (bad magic number)",
        {.file = source.name(), .offset = size - sizeof(kTableMagic)},
        "give a checkpoint's .index file; if it is one, it is damaged or incomplete" ADVICE(
            "or-salvage"));
  }
  Footer footer;
  std::string_view rest(bytes.data(), magic_offset);
  if (!take_handle(rest, footer.metaindex) || !take_handle(rest, footer.index)) {
    return failure("bad-block-handle", "bad block handle",
                   {.file = source.name(), .offset = size - kFooterBytes}, kFixOfTable);
  }
  return footer;
}

}  // namespace cryo
