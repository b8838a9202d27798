#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace cryo {

// The operations of sort() below on elements whose type is erased.
struct Sortable {
  const void* things;
  bool (*before)(const void* things, size_t a, size_t b);
  void (*swap)(const void* things, size_t a, size_t b);
};
void sort(size_t count, const Sortable& sortable);

// Puts a vector or a span in order. Stable, so that every standard library gives the same order;
// and one function for all types, where each use of std::sort is some kilobytes of its own.
template <typename Things, typename Less = std::less<>>
void sort(Things&& things, const Less& less = {}) {
  struct Sorted {
    Things& things;
    const Less& less;
  };
  const Sorted sorted{things, less};
  sort(things.size(), Sortable{&sorted,
                               [](const void* of, size_t a, size_t b) {
                                 const auto& [items, before] = *static_cast<const Sorted*>(of);
                                 return bool(before(items[a], items[b]));
                               },
                               [](const void* of, size_t a, size_t b) {
                                 auto& items = static_cast<const Sorted*>(of)->things;
                                 std::swap(items[a], items[b]);
                               }});
}

}  // namespace cryo
