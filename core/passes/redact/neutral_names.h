#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cryo {

// Neutral words in place of those of names, numbered in the order in which the words first appear:
//
//     conv1/weights:0              n1/n2:0
//     ^conv1/Relu                  ^n1/n3
//     __inference_call_12          __n4
//     model/w/.ATTRIBUTES/VARIABLE_VALUE    n5/n6/.ATTRIBUTES/VARIABLE_VALUE
//
// A word is a run of letters, digits and underscores that begins with a letter or digit. One word
// has one neutral word wherever it occurs, so all references to a name follow, equal names stay
// equal, different ones different. Everything between words stays, and so an illegal name stays
// illegal: a word that is not ASCII gets a character that is not; one that is not UTF-8, a byte
// that is not. Short numbers and TensorFlow's own words (is_kept_word) stay.
class NeutralNames {
 public:
  std::string name(std::string_view text);

  // Gives the words of these names neutral ones that sort as they do: TensorFlow 2 passes the
  // arguments of a signature in the order of their names. REQUIRES: no name was replaced before.
  //
  //     ids, image, ..., mask      n01, n02, ..., n12
  void put_in_order(const std::vector<std::string>& names);

  // Returns a neutral word for a whole text, which is no name; empty for none.
  std::string text(std::string_view text);

  // The number of words that were replaced.
  uint64_t count() const { return words_.size(); }

 private:
  void put_word(std::string_view word, std::string& out);
  const std::string& neutral(std::string_view word);

  std::unordered_map<std::string, std::string> words_;
};

// Returns true for words by which TensorFlow finds parts of a model: collections, children of a
// SavedModel's objects, fields of their messages.
bool is_kept_word(std::string_view word);

// Returns a text as TensorFlow's devices are written, with neutral words for jobs and for types of
// devices that TensorFlow does not have: "/job:n1/replica:0/task:3/device:GPU:0".
std::string neutral_device(std::string_view device, NeutralNames& names);

}  // namespace cryo
