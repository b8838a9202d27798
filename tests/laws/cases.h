#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace cryo::laws {

// The laws are checked with every model at hand: the fixtures (tests/data), the sample, and the
// corpus if it is present. With CRYOGRAPH_LAWS=near in the environment: with ten small fixtures.

// A model file and what is known of it.
struct Case {
  std::string path = {};
  std::vector<std::string> outputs = {};  // empty: the model's own likely ones
  bool known = false;                     // a fixture whose outputs can be frozen
  size_t place = 0;                       // among all

  // "tests/data/ref/model.ckpt.meta"
  std::string name() const;
};

// Prints a case in test output.
inline void PrintTo(const Case& of, std::ostream* out) { *out << of.name(); }

// Returns a test's name, which is letters and digits: ref/frozen.pb is ref_frozen_pb.
std::string test_name(std::string path);

// Returns every GraphDef and MetaGraphDef, recognized by content.
const std::vector<Case>& cases();

// The paths of every SavedModel, recognized by content.
const std::vector<std::string>& saved_models();

// Every regular file below a folder, sorted.
std::vector<std::string> files_below(const std::string& folder);

std::string corpus_folder();  // empty where there is none

std::string bytes_of(const std::string& path);

}  // namespace cryo::laws
