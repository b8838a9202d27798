#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cryo {

// Chooses the files in which a model may be, by their names. The host lists the folders that next()
// returns, and adds what it finds:
//
//     Gathering gathering;
//     gathering.add_siblings("models/model.ckpt");
//     next()                                  "models/"
//     add_file("model.ckpt.index")            found: models/model.ckpt.index
//     add_folder("model.ckpt_temp_4f1c")      an interrupted save: to be listed, too
//     next()                                  "models/model.ckpt_temp_4f1c/"
//
// At most kMaxFiles files are taken, not counting those next to a path whose names begin as its
// name does.
class Gathering {
 public:
  // Adds every file below a folder.
  void add_below(std::string folder);
  // Adds the files next to a file or a checkpoint's prefix, those that an interrupted save of that
  // checkpoint left there (checkpoint/unmerged.h), and with a SavedModel's own file those of its
  // folders.
  void add_siblings(std::string_view path);

  // Adds one file, which is there.
  void add(std::string path) { files_.insert(std::move(path)); }

  // Returns the next folder to list, as a path that ends in '/', or "" for the current one; nullopt
  // at the end. What is added afterwards is in that folder.
  std::optional<std::string> next();
  // Takes a regular file of the folder, by its name there. Returns false if the folder's other
  // files are not wanted.
  bool add_file(std::string_view name);
  // Takes a folder of the folder. Those that are symbolic links are no folders here.
  void add_folder(std::string_view name);

  // The paths of the files, as the host opens them.
  const std::set<std::string>& files() const { return files_; }
  // Returns a folder of which not all files were taken, for OpenOptions::capped; empty if all were.
  const std::string& capped() const { return capped_; }

 private:
  struct Folder {
    std::string path = {};
    bool below = false;     // its folders are listed, too
    std::string near = {};  // the path that it is next to
  };

  std::deque<Folder> folders_;
  Folder listed_;
  std::set<std::string> files_;
  size_t counted_ = 0;
  std::string capped_;  // a folder of which not all files were taken
};

// More files than any model has, and fewer than a whole disk.
constexpr size_t kMaxFiles = 20000;

}  // namespace cryo
