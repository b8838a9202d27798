#include "graph/roles.h"

#include <algorithm>

#include "graph/op_facts.h"

namespace cryo {

bool is_ref_variable(std::string_view op) { return op == "VariableV2" || op == "Variable"; }

bool is_resource_variable(std::string_view op) { return op == "VarHandleOp"; }

bool is_switch(std::string_view op) { return op == "Switch" || op == "RefSwitch"; }
bool is_merge(std::string_view op) { return op == "Merge" || op == "RefMerge"; }

bool is_pass_through(std::string_view op) { return has_fact(op, kPassesOn); }

bool is_placeholder(std::string_view op) { return has_fact(op, kPlaceholderOp); }

bool is_assignment(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

bool is_update(std::string_view op) { return has_fact(op, kUpdates); }

bool is_training_step(std::string_view op) { return has_fact(op, kStep); }

bool is_random(std::string_view op) { return has_fact(op, kRandom); }

bool is_saver_op(std::string_view op) { return has_fact(op, kSaves); }

bool is_side_effect(std::string_view op) { return has_fact(op, kUpdates | kSaves | kEffect); }

bool gives_no_value(std::string_view op) { return has_fact(op, kNoValue); }

bool is_test(std::string_view op) { return has_fact(op, kTests); }

bool is_pipeline_read(std::string_view op) { return has_fact(op, kReadsPipeline); }

bool is_decoder(std::string_view op) { return has_fact(op, kDecodes); }

bool calls_python(std::string_view op) { return has_fact(op, kPython); }

bool is_layer(std::string_view op) { return has_fact(op, kLayer); }

bool in_gradients(std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view scope = name.substr(0, std::min(slash, name.size()));
  return scope == "gradients" || scope.starts_with("gradients_") ||
         name.find("/gradients/") != std::string_view::npos;
}

}  // namespace cryo
