#include "archive/inflater.h"

#include <zlib.h>

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"

namespace cryo {
namespace {

// A member's head needs little; reading on doubles the step.
constexpr uint64_t kFirstInput = uint64_t{4} * 1024;
constexpr uint64_t kMaxInput = uint64_t{256} * 1024;
constexpr uint64_t kOutputStep = uint64_t{1} << 30;  // zlib counts in unsigned int
constexpr int kRawDeflate = -MAX_WBITS;

}  // namespace

Inflater::Inflater(Slice packed, Unopened)
    : packed_(std::move(packed)), stream_(std::make_unique<z_stream>()) {}

Inflater::Inflater(Slice packed) : Inflater(std::move(packed), Unopened()) {
  open_ = inflateInit2(stream_.get(), kRawDeflate) == Z_OK;
}

Inflater::~Inflater() {
  if (open_) inflateEnd(stream_.get());
}

std::unique_ptr<Inflater> Inflater::clone() const {
  std::unique_ptr<Inflater> copy(new Inflater(packed_, Unopened()));
  if (!open_ || inflateCopy(copy->stream_.get(), stream_.get()) != Z_OK) return nullptr;
  copy->open_ = true;
  copy->stream_->avail_in = 0;  // it reads its input again
  copy->taken_ = taken_;
  copy->position_ = position_;
  copy->ended_ = ended_;
  return copy;
}

Failure Inflater::damaged(std::string_view message) const {
  return failure("bad-deflate", message,
                 {.file = packed_.source->name(), .offset = packed_.offset + taken_},
                 "the file is damaged: copy or download it again" ADVICE("or-salvage"));
}

Status Inflater::refill() {
  const uint64_t left = packed_.size - taken_;
  const uint64_t step = std::clamp(2 * uint64_t{input_.size()}, kFirstInput, kMaxInput);
  input_.resize(static_cast<size_t>(std::min(left, step)));
  CHECK_OK(read_exactly(*packed_.source, packed_.offset + taken_, {input_.data(), input_.size()}));
  stream_->next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_->avail_in = static_cast<uInt>(input_.size());
  return Unit{};
}

Result<size_t> Inflater::read(std::span<char> out) {
  if (!open_) return failure("out-of-memory", "no memory is left to decompress with");
  size_t done = 0;
  while (done < out.size() && !ended_) {
    // Without any input left, zlib may still hold output, or the news of the end.
    const bool starved = stream_->avail_in == 0 && taken_ == packed_.size;
    if (stream_->avail_in == 0 && !starved) CHECK_OK(refill());
    const uInt available = stream_->avail_in;
    const auto room = static_cast<uInt>(std::min<uint64_t>(out.size() - done, kOutputStep));
    stream_->next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream_->avail_out = room;
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    taken_ += available - stream_->avail_in;
    done += room - stream_->avail_out;
    position_ += room - stream_->avail_out;
    ended_ = status == Z_STREAM_END;
    if (done == out.size()) break;  // damage after these bytes is the next call's
    if (starved && status == Z_BUF_ERROR) {
      return damaged("the compressed bytes end before the data does");
    }
    if (status == Z_MEM_ERROR) return failure("out-of-memory", "no memory is left to decompress");
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      return damaged(cat("the compressed bytes are damaged: ",
                         stream_->msg != nullptr ? stream_->msg : "not deflate"));
    }
  }
  return done;
}

}  // namespace cryo
