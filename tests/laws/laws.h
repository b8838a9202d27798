#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cryo::laws {

class Road;

// How often a law held, and why it was not tried elsewhere, so that skipping is loud.
struct Tally {
  uint64_t held = 0;
  uint64_t missed = 0;                           // of a law with exceptions
  std::map<std::string, uint64_t> skipped = {};  // by the reason

  void skip(const std::string& why) { ++skipped[why]; }
};

// A property of every model. `check` fails the test of a model that breaks it, and counts.
struct Law {
  std::string name;
  uint64_t more_than;  // times that it holds, of all models
  std::function<void(Road&, Tally&)> check;
  double exceptions = 0;  // at most, as a share of the times that it holds
};

std::vector<Law> identity_laws();
std::vector<Law> inverse_laws();
std::vector<Law> option_laws();
std::vector<Law> pair_laws();
std::vector<Law> pass_laws();
std::vector<Law> picture_laws();
std::vector<Law> redaction_laws();
std::vector<Law> salvage_laws();
std::vector<Law> thrift_laws();

}  // namespace cryo::laws
