#include "validate/graph/body_inputs.h"

#include <algorithm>

#include "base/utf8.h"
#include "validate/graph/inputs.h"

namespace cryo {
namespace {

struct Mismatch {
  uint64_t place = 0;  // in `given`
  DType expected = DType::kInvalid;
  DType given = DType::kInvalid;
};

// Returns the first of `given` that differs from the types of `expected` from `start` on. Iterates
// over runs, not over single types.
std::optional<Mismatch> first_mismatch(std::span<const TypeRun> expected, uint64_t start,
                                       std::span<const TypeRun> given) {
  for (uint64_t place = 0; place < size_of(given);) {
    const auto at_place = [](uint64_t at, const TypeRun& run) { return at < run.end; };
    const auto from = std::upper_bound(given.begin(), given.end(), place, at_place);
    const auto to = std::upper_bound(expected.begin(), expected.end(), start + place, at_place);
    if (to == expected.end()) return std::nullopt;
    if (from->type != to->type) return Mismatch{place, to->type, from->type};
    place = std::min<uint64_t>(from->end, to->end - start);
  }
  return std::nullopt;
}

// Returns a node's name as TensorFlow's messages write it.
std::string in_braces(std::string_view name) { return cat("{{node ", printable(name, 300), "}}"); }

}  // namespace

bool same_types(std::span<const TypeRun> a, std::span<const TypeRun> b) {
  return size_of(a) == size_of(b) && !first_mismatch(a, 0, b);
}

// One node's inputs, taken from the front.
class BodyInputs::Walk {
 public:
  Walk(const BodyItems& items, const Reporter& reporter, const Node& node, uint64_t& edges_so_far)
      : items_(items),
        reporter_(reporter),
        node_(node),
        edges_so_far_(edges_so_far),
        next_(node.inputs().begin()) {}

  // Takes as many inputs as the argument has tensors; an input may be a whole list. Returns false
  // if the remaining inputs cannot be matched.
  bool take(const ArgDef& arg, const NodeAttrs& attrs) {
    ArgDef of_values = arg;
    of_values.is_ref = false;
    std::vector<TypeRun> types;
    if (append_types(of_values, attrs, types)) return false;  // reported with the node's attributes
    for (uint64_t place = 0; place < size_of(types);) {
      if (at_end()) {
        reporter_.error("input-count", spot(), "Attempt to access beyond input size: ", index_,
                        " >= ", node_.input_count, " In ", in_braces(node_.name));
        return false;
      }
      const auto item = items_.find(*next_);
      if (!item && items_.is_opaque(*next_)) return false;
      if (!item) {
        reporter_.error("unknown-input-node", spot(), "input ", printable(*next_, 300),
                        " is not found: ", in_braces(node_.name));
        return false;
      }
      if (size_of(item->types()) > size_of(types) - place) {
        reporter_.error("input-count", spot(), "Input ", printable(*next_, 300), " too long for ",
                        printable(arg.name, 100), " In ", in_braces(node_.name));
        return false;
      }
      check_types(arg, types, place, *item);
      place += size_of(item->types());
      add_edges(*item);
      step();
    }
    return true;
  }

  void take_controls() {
    for (; !at_end(); step()) {
      const std::string_view input = *next_;
      if (!input.starts_with('^')) {
        reporter_.error("input-count", spot(), "Expected input[", index_, "] == ", quoted(input),
                        " to be a control input. In ", in_braces(node_.name));
        continue;
      }
      const auto item = items_.find_control(input.substr(1));
      if (item) add_edge({items_.node_of(*item), 0, true});
      if (item) continue;
      GraphPlace dangling = spot();
      dangling.fixable = !items_.find_control(input.substr(1, input.find(':') - 1));
      reporter_.error("unknown-input-node", dangling, "input[", index_, "] == ", quoted(input),
                      ", is not found. In ", in_braces(node_.name));
    }
  }

  std::vector<Edge> edges() { return std::move(edges_); }

 private:
  bool at_end() const { return next_ == node_.inputs().end(); }
  void step() {
    ++next_;
    ++index_;
  }
  GraphPlace spot() const { return {.node = node_.name, .input = index_}; }

  void add_edge(const Edge& edge) {
    edges_.push_back(edge);
    ++edges_so_far_;
  }

  // Adds the edges of an input, which may be a list of as many tensors as a caller chooses. If all
  // lists together are excessively long, one edge each is kept, which suffices to find cycles.
  void add_edges(const BodyItem& item) {
    const uint64_t tensors = size_of(item.types());
    const bool all = tensors + edges_so_far_ < kMaxEdges;
    const auto count = all ? static_cast<uint32_t>(tensors) : 1U;
    for (uint32_t i = 0; i < count; ++i) add_edge({items_.node_of(item), item.port + i, false});
    if (count == 0) add_edge({items_.node_of(item), 0, true});
  }

  void check_types(const ArgDef& arg, std::span<const TypeRun> types, uint64_t place,
                   const BodyItem& item) const {
    if (const auto fault = first_mismatch(types, place, item.types())) {
      reporter_.error("input-type", spot(), "input ", printable(arg.name, 100), "[",
                      place + fault->place, "] expected type ", op_type_name(fault->expected),
                      " != ", op_type_name(fault->given), ", the type of ", printable(*next_, 300),
                      "[", fault->place, "] In ", in_braces(node_.name));
    } else if (arg.is_ref && !item.is_ref && size_of(item.types()) > 0) {
      const DType given = item.types().front().type;
      reporter_.error("input-type", spot(), "Input ", index_, " of node ",
                      printable(node_.name, 300), " was passed ", op_type_name(given), " from ",
                      printable(*next_, 300), " incompatible with expected ",
                      op_type_name(make_ref(given)), ".");
    }
  }

  static constexpr uint64_t kMaxEdges = 1'000'000;

  const BodyItems& items_;
  const Reporter& reporter_;
  const Node& node_;
  uint64_t& edges_so_far_;
  NodeInputs::Iterator next_;
  int index_ = 0;
  std::vector<Edge> edges_;
};

// A control input before a data input is taken for one.
bool BodyInputs::out_of_order(const Node& node) const {
  std::string_view control;
  int index = 0;
  int place = 0;
  for (const std::string_view input : node.inputs()) {
    if (!control.empty() && !input.starts_with('^')) {
      reporter_.error("control-input-order", {.node = node.name, .input = place, .fixable = true},
                      "input ", printable(control, 300), " is not found: ", in_braces(node.name));
      return true;
    }
    if (control.empty() && input.starts_with('^')) {
      control = input;
      place = index;
    }
    ++index;
  }
  return false;
}

std::vector<Edge> BodyInputs::check(const Node& node, const NodeAttrs& attrs) {
  check_duplicate_controls(node, reporter_);
  if (out_of_order(node)) return {};
  Walk walk(items_, reporter_, node, edges_);
  bool taken = true;
  for (const ArgDef& arg : attrs.op().inputs) taken = taken && walk.take(arg, attrs);
  if (taken) walk.take_controls();
  return walk.edges();
}

}  // namespace cryo
