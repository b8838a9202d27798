#include "native/unfinished.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace cryo {

// Entries are linked once and never unlinked: a handler may walk the list at any time.
struct Unfinished::Entry {
  std::string path;
  std::atomic<bool> unfinished = false;
  Entry* next = nullptr;
};

namespace {

constexpr int kSignals[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

std::atomic<Unfinished::Entry*> newest = nullptr;
static_assert(std::atomic<Unfinished::Entry*>::is_always_lock_free);

sigset_t all_of_them() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kSignals) sigaddset(&set, number);
  return set;
}

void remove(Unfinished::Entry& entry) {
  if (!entry.unfinished.exchange(false)) return;
  if (unlink(entry.path.c_str()) != 0) rmdir(entry.path.c_str());
}

// The default action is back when a handler starts (SA_RESETHAND), and all these signals are
// blocked until it returns: then the one raised again ends the program, with the signal's status.
void clean_up(int number) {
  remove_unfinished();
  raise(number);
}

}  // namespace

Unfinished::Unfinished(std::string path) : entry_(new Entry{std::move(path)}) {
  entry_->next = newest;
  newest = entry_;
}

Unfinished::~Unfinished() { remove(*entry_); }

const std::string& Unfinished::path() const { return entry_->path; }

void Unfinished::created() { entry_->unfinished = true; }

void Unfinished::keep() { entry_->unfinished = false; }

void remove_unfinished() {
  const int before = errno;
  for (Unfinished::Entry* entry = newest; entry != nullptr; entry = entry->next) remove(*entry);
  errno = before;
}

void clean_up_on_signals() {
  const sigset_t ours = all_of_them();
  for (const int number : kSignals) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = clean_up;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    action.sa_mask = ours;
    sigaction(number, &action, nullptr);
  }
}

HeldSignals::HeldSignals() {
  const sigset_t held = all_of_them();
  sigprocmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace cryo
