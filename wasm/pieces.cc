#include "pieces.h"

#include <algorithm>
#include <string>
#include <vector>

#include "commands/report.h"
#include "js_source.h"

namespace cryo {

using emscripten::typed_memory_view;
using emscripten::val;

namespace {

std::shared_ptr<const CheckedSlice> check_of(const Slice& slice) {
  return std::dynamic_pointer_cast<const CheckedSlice>(slice.source);
}

// The same bytes, one source nearer to the host's file; false at the last one.
bool step_down(Slice& slice) {
  const auto check = check_of(slice);
  const Slice* under = check == nullptr ? slice.source->underlying() : &check->slice();
  if (under == nullptr) return false;
  slice = {under->source, under->offset + slice.offset, slice.size};
  return true;
}

class PieceList {
 public:
  explicit PieceList(PieceChecks& checks) : checks_(checks) {}

  Status add(const Slice& slice) {
    Slice origin = slice;
    Slice checked;
    do {
      if (checked.source == nullptr && check_of(origin) != nullptr) checked = origin;
    } while (step_down(origin));
    if (const auto* host = dynamic_cast<const JsSource*>(origin.source.get())) {
      flush();
      add(*host, origin, checked);
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
  void add(const JsSource& host, const Slice& slice, const Slice& checked) {
    val piece = val::object();
    piece.set("source", host.id());
    piece.set("offset", static_cast<double>(slice.offset));
    piece.set("size", static_cast<double>(slice.size));
    if (checked.source != nullptr) {
      piece.set("check", checks_.add(check_of(checked)));
      piece.set("at", static_cast<double>(checked.offset));
    }
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

  PieceChecks& checks_;
  val pieces_ = val::array();
  std::string fresh_;  // not handed over yet
  std::string last_;   // the bytes of last_array_
  val last_array_ = val::undefined();
};

std::string error_text(const Status& status) {
  return status ? std::string() : json_of(std::vector{status.error()});
}

}  // namespace

uint32_t PieceChecks::add(std::shared_ptr<const CheckedSlice> check) {
  if (all_.empty() || all_.back() != check) all_.push_back(std::move(check));
  return static_cast<uint32_t>(all_.size()) - 1;
}

std::string PieceChecks::take(uint32_t number, double at, const val& bytes) {
  buffer_.resize(static_cast<size_t>(bytes["length"].as<double>()));
  val(typed_memory_view(buffer_.size(), reinterpret_cast<uint8_t*>(buffer_.data())))
      .call<void>("set", bytes);
  Slice place{all_[number], static_cast<uint64_t>(at), buffer_.size()};
  do {
    const auto check = check_of(place);
    const Status taken = check == nullptr ? Unit{} : check->take(place.offset, buffer_);
    if (!taken) return error_text(taken);
  } while (step_down(place));
  return "";
}

std::string PieceChecks::finish(const val& numbers) const {
  for (const uint32_t number : emscripten::vecFromJSArray<uint32_t>(numbers)) {
    const Status finished = all_[number]->finish();
    if (!finished) return error_text(finished);
  }
  return error_text(finish_checks(lists_));
}

CheckCount PieceChecks::count() const { return count_checks(lists_, {all_.begin(), all_.end()}); }

Result<val> to_pieces(const Splice& splice, PieceChecks& checks) {
  PieceList list(checks);
  for (const Slice& slice : splice.pieces()) CHECK_OK(list.add(slice));
  return list.finish();
}

}  // namespace cryo
