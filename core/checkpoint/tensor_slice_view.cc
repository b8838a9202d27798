#include "checkpoint/tensor_slice_view.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "checkpoint/strided_runs.h"
#include "checkpoint/tensor_slice.h"

namespace cryo {
namespace {

// A box of very many strips, gathered from the whole while it is read.
class BoxSource final : public ByteSource {
 public:
  BoxSource(const Splice& content, Strips strips)
      : whole_(content), strips_(std::move(strips)), size_(strips_.count() * strips_.run()) {}
  const std::string& name() const override { return whole_.name(); }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  // Strips nearer to each other than this are read together, with the bytes between them.
  static constexpr uint64_t kWindow = uint64_t{64} * 1024;

  JoinedSource whole_;
  Strips strips_;
  uint64_t size_;
};

Status BoxSource::read(uint64_t offset, std::span<char> out) const {
  const uint64_t run = strips_.run();
  const uint64_t last = offset + out.size() - 1;
  const uint64_t end = out.empty() ? 0 : strips_.begin(last / run) + last % run + 1;
  std::string window;
  uint64_t window_begin = 0;
  while (!out.empty()) {
    const uint64_t at = strips_.begin(offset / run) + offset % run;
    const uint64_t size = std::min<uint64_t>(run - offset % run, out.size());
    if (size >= kWindow) {
      CHECK_OK(whole_.read(at, out.first(static_cast<size_t>(size))));
    } else {
      if (at < window_begin || at + size > window_begin + window.size()) {
        const uint64_t strip = offset / run;
        const bool alone = strip == last / run || strips_.begin(strip + 1) - at >= kWindow;
        window.resize(static_cast<size_t>(alone ? size : std::min(kWindow, end - at)));
        window_begin = at;
        CHECK_OK(whole_.read(at, window));
      }
      std::memcpy(out.data(), window.data() + (at - window_begin), static_cast<size_t>(size));
    }
    offset += size;
    out = out.subspan(static_cast<size_t>(size));
  }
  return Unit{};
}

Splice box_of(const Splice& content, const Strips& strips) {
  if (strips.count() > kMaxStrips) {
    return Splice(whole(std::make_shared<BoxSource>(content, strips)));
  }
  Splice part;
  for (uint64_t i = 0; i < strips.count(); ++i) {
    part.append(content.sub(strips.begin(i), strips.run()));
  }
  return part;
}

}  // namespace

Result<Tensor> sub_box(const Tensor& whole, const std::string& specification) {
  const DTypeInfo* type = find_dtype(whole.dtype);
  const std::vector<uint64_t> dims(whole.shape.dims.begin(), whole.shape.dims.end());
  const std::optional<SliceSpec> spec = parse_slice_spec(specification);
  if (!spec || spec->dims != dims || type == nullptr || type->size == 0) {
    return failure("bad-slice",
                   cat("the slice '", specification, "' does not fit a tensor of shape ",
                       to_text(whole.shape)),
                   {}, "give the checkpoint that was saved with this graph");
  }
  Tensor part{whole.dtype, {}, 1, {}};
  for (const Range& range : spec->box) {
    part.shape.dims.push_back(static_cast<int64_t>(range.size));
    part.count *= range.size;
  }
  if (dims.empty()) {
    part.content = whole.content;
  } else if (part.count > 0) {
    part.content = box_of(whole.content, Strips(dims, type->size, spec->box));
  }
  return part;
}

}  // namespace cryo
