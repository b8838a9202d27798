// Makes the n-th call of one function of the C library fail, or raises a signal before it.
//
//     LD_PRELOAD=faults.so FAULT_CALL=write FAULT_NTH=3 FAULT_ERRNO=28 FAULT_LOG=fired cryograph ...
//
// FAULT_CALL=change counts every call that changes a disk. FAULT_SIGNAL=9: a signal in place of a failure. The file FAULT_LOG is
// made when the call was reached. Calls count from when the program installs its handlers of signals: what runs before main() is
// not its own. Writes to the standard streams do not count.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void* __libc_malloc(size_t size);

static int armed;
static long calls;

static int is_asked(const char* call, int changes) {
  const char* asked = getenv("FAULT_CALL");
  return asked && (!strcmp(asked, call) || (changes && !strcmp(asked, "change")));
}

static int fails(const char* call, int changes) {
  if (!armed || !is_asked(call, changes) || ++calls != atol(getenv("FAULT_NTH"))) return 0;
  const char* log = getenv("FAULT_LOG");
  if (log) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT, 0666));
  const char* number = getenv("FAULT_SIGNAL");
  if (number) {
    raise(atoi(number));
    return 0;
  }
  errno = atoi(getenv("FAULT_ERRNO"));
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAULTY_AS(error, type, name, changes, parameters, arguments) \
  type name parameters {                                             \
    if (fails(#name, changes)) return error;                         \
    return REAL(name) arguments;                                     \
  }
#define FAULTY(type, name, changes, parameters, arguments) FAULTY_AS(-1, type, name, changes, parameters, arguments)

FAULTY(ssize_t, pread, 0, (int fd, void* into, size_t size, off_t at), (fd, into, size, at))
FAULTY(ssize_t, read, 0, (int fd, void* into, size_t size), (fd, into, size))
FAULTY(int, fsync, 1, (int fd), (fd))
FAULTY(int, close, 0, (int fd), (fd))
FAULTY(int, fchmod, 1, (int fd, mode_t mode), (fd, mode))
FAULTY(int, mkdir, 1, (const char* path, mode_t mode), (path, mode))
FAULTY(int, link, 1, (const char* from, const char* to), (from, to))
FAULTY(int, rename, 1, (const char* from, const char* to), (from, to))
FAULTY(int, renameat2, 1, (int a, const char* from, int b, const char* to, unsigned flags), (a, from, b, to, flags))
FAULTY(int, unlink, 1, (const char* path), (path))
FAULTY(int, fchown, 1, (int fd, uid_t user, gid_t group), (fd, user, group))
FAULTY(int, stat, 0, (const char* path, struct stat* into), (path, into))
FAULTY(int, lstat, 0, (const char* path, struct stat* into), (path, into))
FAULTY(int, fstat, 0, (int fd, struct stat* into), (fd, into))
FAULTY(int, flock, 0, (int fd, int how), (fd, how))
FAULTY(ssize_t, readlink, 0, (const char* path, char* into, size_t size), (path, into, size))
FAULTY_AS(NULL, char*, realpath, 0, (const char* path, char* into), (path, into))
FAULTY_AS(NULL, DIR*, fdopendir, 0, (int fd), (fd))
FAULTY_AS(NULL, struct dirent*, readdir, 0, (DIR* folder), (folder))
FAULTY(int, getentropy, 0, (void* into, size_t size), (into, size))
FAULTY(int, fallocate, 1, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size))
FAULTY(ssize_t, copy_file_range, 1, (int a, off_t* from, int b, off_t* to, size_t size, unsigned flags), (a, from, b, to, size, flags))

ssize_t write(int fd, const void* bytes, size_t size) {
  if (fd > 2 && fails("write", 1)) return -1;
  return REAL(write)(fd, bytes, size);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (fails("openat", 0)) return -1;
  return REAL(openat)(folder, path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (fails("open", (flags & O_CREAT) != 0)) return -1;
  return REAL(open)(path, flags, mode);
}

int sigaction(int number, const struct sigaction* to, struct sigaction* before) {
  armed = 1;
  return REAL(sigaction)(number, to, before);
}

void* malloc(size_t size) { return fails("malloc", 0) ? NULL : __libc_malloc(size); }
