#include "pieces.h"

#include <algorithm>
#include <string>

#include "js_source.h"

namespace cryo {

using emscripten::typed_memory_view;
using emscripten::val;

namespace {

class PieceList {
 public:
  Status add(const Slice& slice) {
    if (const auto* host = dynamic_cast<const JsSource*>(slice.source.get())) {
      flush();
      add(*host, slice);
      return Unit{};
    }
    return Splice(slice).for_each_chunk([&](std::string_view chunk) {
      // Whole steps stay apart, so that equal ones are seen.
      if (chunk.size() == Splice::kStep) flush();
      fresh_ += chunk;
      if (fresh_.size() >= Splice::kStep) flush();
      return Status(Unit{});
    });
  }

  val finish() {
    flush();
    return pieces_;
  }

 private:
  void add(const JsSource& host, const Slice& slice) {
    val piece = val::object();
    piece.set("source", host.id());
    piece.set("offset", static_cast<double>(slice.offset));
    piece.set("size", static_cast<double>(slice.size));
    pieces_.call<void>("push", piece);
  }

  void flush() {
    if (fresh_.empty()) return;
    if (fresh_ != last_) {
      val view(typed_memory_view(fresh_.size(), reinterpret_cast<const uint8_t*>(fresh_.data())));
      last_array_ = view.call<val>("slice");  // a copy outside of wasm's memory
      last_.swap(fresh_);
    }
    pieces_.call<void>("push", last_array_);
    fresh_.clear();
  }

  val pieces_ = val::array();
  std::string fresh_;  // not handed over yet
  std::string last_;   // the bytes of last_array_
  val last_array_ = val::undefined();
};

}  // namespace

Result<val> to_pieces(const Splice& splice) {
  PieceList list;
  for (const Slice& slice : splice.pieces()) CHECK_OK(list.add(slice));
  return list.finish();
}

}  // namespace cryo
