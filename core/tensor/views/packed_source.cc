#include "tensor/views/packed_source.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <utility>

#include "bytes/coding.h"
#include "wire/block_source.h"

namespace cryo {
namespace {

constexpr std::array kSigned = {DType::kInt8,  DType::kInt16,  DType::kInt32, DType::kInt64,
                                DType::kQint8, DType::kQint16, DType::kQint32};

// An element's width, and the contents of the bits above it: copies of the sign, or zeros.
struct Element {
  uint32_t width;
  bool is_signed;
};

void pack(Element element, std::string_view in, std::string& out) {
  const uint64_t sign = uint64_t{1} << (8 * element.width - 1);
  for (size_t at = 0; at < in.size(); at += element.width) {
    uint64_t value = 0;
    for (uint32_t i = element.width; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(in[at + i]);
    }
    if (element.is_signed) value = (value ^ sign) - sign;
    put_varint(out, value);
  }
}

class PackedSource final : public BlockSource {
 public:
  PackedSource(Element element, const Splice& content, std::vector<Block> blocks, uint64_t size)
      : BlockSource(content, std::move(blocks), size), element_(element) {}

 protected:
  bool compute(std::string_view in, char, std::string& out) const override {
    pack(element_, in, out);
    return true;
  }

 private:
  Element element_;
};

}  // namespace

Result<Slice> packed_varints(const Splice& content, DType dtype) {
  const Element element = {find_dtype(dtype)->size,
                           std::find(kSigned.begin(), kSigned.end(), dtype) != kSigned.end()};
  assert(content.size() > 0 && content.size() % element.width == 0);
  std::vector<BlockSource::Block> blocks;
  uint64_t size = 0;
  std::string list;
  for (uint64_t from = 0; from < content.size(); from += BlockSource::kBlock) {
    const uint64_t step = std::min(content.size() - from, BlockSource::kBlock);
    TRY(in, content.sub(from, step).read_all());
    blocks.push_back({from, size, '\0'});
    list.clear();
    pack(element, in, list);
    size += list.size();
  }
  return whole(std::make_shared<PackedSource>(element, content, std::move(blocks), size));
}

}  // namespace cryo
