#include "formats/gathering.h"

#include <utility>

#include "base/text.h"

namespace cryo {
namespace {

// Returns a path without the last ending of its name: "models/model.ckpt-7" of
// "models/model.ckpt-7.meta". A name that begins with its only dot stays.
std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0
             ? path
             : path.substr(0, path.size() - name.size() + dot);
}

// Returns true if the file or prefix belongs to the checkpoint whose interrupted save left the
// temporary folder: "model.ckpt_temp_4f1c" has the parts of model.ckpt.
bool is_temporary_of(std::string_view folder, std::string_view path) {
  const size_t temp = folder.rfind("_temp");
  if (temp == std::string_view::npos || temp == 0) return false;
  const std::string_view prefix = folder.substr(0, temp);
  const std::string_view name = base_name(path);
  return name == prefix || (name.starts_with(prefix) && name[temp] == '.');
}

}  // namespace

void Gathering::add_below(std::string folder) {
  if (!folder.empty() && !folder.ends_with('/')) folder += '/';
  folders_.push_back({std::move(folder), true});
}

void Gathering::add_siblings(std::string_view path) {
  const std::string folder(folder_of(path));
  folders_.push_back({folder, false, std::string(path)});
  const std::string_view name = base_name(path);
  if (name != "saved_model.pb" && name != "saved_model.pbtxt") return;
  for (const char* part : {"variables/", "assets/", "assets.extra/", "debug/"}) {
    folders_.push_back({cat(folder, part), true, std::string(path)});
  }
}

std::optional<std::string> Gathering::next() {
  const auto is_full = [&](const Folder& each) { return !capped_.empty() && each.near.empty(); };
  while (!folders_.empty() && is_full(folders_.front())) folders_.pop_front();
  if (folders_.empty()) return std::nullopt;
  listed_ = std::move(folders_.front());
  folders_.pop_front();
  return listed_.path;
}

bool Gathering::add_file(std::string_view name) {
  std::string file = cat(listed_.path, name);
  const bool near = !base_name(listed_.near).empty() && file.starts_with(stem_of(listed_.near));
  if (!near && counted_ == kMaxFiles) {
    capped_ = listed_.path.empty() ? "." : listed_.path;
    return !listed_.near.empty();
  }
  if (files_.insert(std::move(file)).second && !near) ++counted_;
  return true;
}

void Gathering::add_folder(std::string_view name) {
  if (!listed_.below && !is_temporary_of(name, listed_.near)) return;
  folders_.push_back({cat(listed_.path, name, "/"), listed_.below, listed_.near});
}

}  // namespace cryo
