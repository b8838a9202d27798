#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "hostile.h"

namespace cryo::attacks {

// A model that means harm. What each tries and why it fails is in README.md, a row each.
struct Attack {
  std::string name = {};
  laws::Files (*files)() = nullptr;
  std::string stopped_by = {};  // a diagnostic's code; empty: it is harmless
};

// Prints an attack in test output.
inline void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

std::vector<Attack> archive_attacks();
std::vector<Attack> checkpoint_attacks();
std::vector<Attack> graph_attacks();
std::vector<Attack> function_attacks();
std::vector<Attack> tfjs_attacks();
std::vector<Attack> tflite_attacks();

}  // namespace cryo::attacks
