#include "memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace cryo::laws {
namespace {

// No test needs more, and a 32-bit address space has little more.
constexpr size_t kCap = size_t{1} << 30;

uint64_t in_use = 0;
uint64_t peak = 0;

void* take(size_t size) {
  void* const memory = size <= kCap ? std::malloc(size) : nullptr;
  if (memory == nullptr) {
    std::fprintf(stderr, "an allocation of %zu bytes\n", size);
    std::abort();
  }
  in_use += malloc_usable_size(memory);
  peak = std::max(peak, in_use);
  return memory;
}

void give_back(void* memory) {
  if (memory != nullptr) in_use -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

uint64_t bytes_in_use() { return in_use; }
uint64_t peak_bytes() { return peak; }
void forget_peak() { peak = in_use; }

}  // namespace cryo::laws

void* operator new(size_t size) { return cryo::laws::take(size); }
void* operator new[](size_t size) { return cryo::laws::take(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return cryo::laws::take(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return cryo::laws::take(size); }
void operator delete(void* memory) noexcept { cryo::laws::give_back(memory); }
void operator delete[](void* memory) noexcept { cryo::laws::give_back(memory); }
void operator delete(void* memory, size_t) noexcept { cryo::laws::give_back(memory); }
void operator delete[](void* memory, size_t) noexcept { cryo::laws::give_back(memory); }
