#pragma once

#include <csignal>
#include <string>

namespace cryo {

// A file or an empty folder that is removed unless it is kept: by the destructor, by a signal that
// ends the program, or by remove_unfinished(). It is constructed before the file is created, so
// that a lack of memory cannot intervene; created() then marks the file as present. REQUIRES:
// signals are held (HeldSignals) while the file is created and while it is kept or released, so
// that a signal finds both or neither.
class Unfinished {
 public:
  explicit Unfinished(std::string path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  const std::string& path() const;
  void created();
  void keep();

  struct Entry;  // of the list that a signal's handler walks

 private:
  Entry* entry_;
};

// Removes everything that is unfinished, the newest first. Safe to call in a signal's handler.
void remove_unfinished();

// Makes SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU and SIGXFSZ remove unfinished files and
// then end the program as they would without a handler. Ignored signals remain ignored.
void clean_up_on_signals();

// Delays those signals for as long as it lives.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace cryo
