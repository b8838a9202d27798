"""Seeded mutants of a GraphDef: one change each, of the kinds that files suffer. Nothing here knows the program under test."""

from graphs import tf1
from mutants_of_functions import TYPES, LibraryMutations

BENT_NAMES = ["a b", "", "/x", "x:0", "-x", "ok.x/y-z", "9", "a//b", "_x", "x>y", "x>", "^x", ".x", "a\n", "é"]
BENT_INPUTS = ["", ":0", ":1", ":7", ":-1", ":", "x", ":1x", ":00", ":0:0", " ", ":4294967296", ":99999999999999999999"]
OPS = [
    "",
    "Nope",
    "NoOp",
    "Const",
    "Identity",
    "Relu",
    "MatMul",
    "Add",
    "AddV2",
    "Mul",
    "Placeholder",
    "Reshape",
    "Sum",
    "Assign",
    "ReadVariableOp",
    "Enter",
    "Merge",
    "Switch",
    "NextIteration",
    "PartitionedCall",
    "If",
    "While",
    "StridedSlice",
    "ConcatV2",
]


class Mutator(LibraryMutations):
    """Makes one change to a copy: `made` is the graph, `done` says what was changed."""

    def __init__(self, graph_def, rng):
        self.rng, self.made = rng, tf1.GraphDef()
        self.made.CopyFrom(graph_def)
        bodies = [function.node_def for function in self.made.library.function if function.node_def]
        in_body = bodies and rng.randint(5) == 0
        self.nodes = self.one(bodies) if in_body else self.made.node
        kinds = sorted(name for name in dir(self) if name.startswith("mutate_"))
        for _ in range(20):  # some kinds find nothing to change
            kind = self.one(kinds)
            self.done = getattr(self, kind)()
            if self.done:
                self.done = f"{kind.removeprefix('mutate_')}{' in a body' if in_body else ''}: {self.done}"
                return
        self.done = "nothing"

    def one(self, things):
        return things[self.rng.randint(len(things))]

    def node(self):
        return self.one(self.nodes)

    def fed(self):
        return self.one([node for node in self.nodes if node.input] or [None])

    def attr(self, node, kinds):
        """A name of an attribute of one of the kinds."""
        names = [name for name in sorted(node.attr) if node.attr[name].WhichOneof("value") in kinds]
        return self.one(names) if names else None

    # ---- names and nodes

    def mutate_name(self):
        node = self.node()
        old, node.name = node.name, self.one(BENT_NAMES)
        return f"{old!r} -> {node.name!r}"

    def mutate_duplicate_name(self):
        node = self.node()
        old, node.name = node.name, self.node().name
        return f"{old!r} -> {node.name!r}"

    def mutate_remove_node(self):
        at = self.rng.randint(len(self.nodes))
        name = self.nodes[at].name
        del self.nodes[at]
        return repr(name)

    def mutate_copy_node(self):
        copy = self.nodes.add()
        copy.CopyFrom(self.node())
        copy.name = self.one(["copied", copy.name])
        return repr(copy.name)

    def mutate_op(self):
        node = self.node()
        old, node.op = node.op, self.one(OPS)
        return f"{node.name!r}: {old} -> {node.op}"

    def mutate_op_of_another(self):
        node = self.node()
        old, node.op = node.op, self.node().op
        return f"{node.name!r}: {old} -> {node.op}"

    def mutate_device(self):
        node = self.node()
        node.device = self.one(["/gpu:0", "garbage", "/job:ps/task:3", "/device:FOO:0"])
        return f"{node.name!r}: {node.device}"

    # ---- inputs

    def mutate_input_text(self):
        node = self.fed()
        if node is None:
            return None
        at = self.rng.randint(len(node.input))
        node.input[at] += self.one(BENT_INPUTS)
        return f"{node.name!r}: {node.input[at]!r}"

    def mutate_edge(self):
        node = self.fed()
        if node is None:
            return None
        at = self.rng.randint(len(node.input))
        source = self.node()
        old, node.input[at] = node.input[at], source.name + self.one(["", "", "", ":0", ":1"])
        return f"{node.name!r}: {old!r} -> {node.input[at]!r}"

    def mutate_swap_inputs(self):
        node = self.fed()
        if node is None or len(node.input) < 2:
            return None
        inputs = list(node.input)
        self.rng.shuffle(inputs)
        node.input[:] = inputs
        return f"{node.name!r}: {inputs}"

    def mutate_add_input(self):
        node = self.node()
        added = self.one(
            [self.node().name, "^" + self.node().name, "^nope", "nope", "^", "^" + self.node().name + ":0"]
        )
        node.input.insert(self.rng.randint(len(node.input) + 1), added)
        return f"{node.name!r}: {added!r}"

    def mutate_drop_input(self):
        node = self.fed()
        if node is None:
            return None
        at = self.rng.randint(len(node.input))
        old = node.input.pop(at)
        return f"{node.name!r}: {old!r}"

    def mutate_repeat_input(self):
        node = self.fed()
        if node is None:
            return None
        node.input.append(self.one(node.input))
        return f"{node.name!r}: {node.input[-1]!r}"

    # ---- attributes

    def mutate_drop_attr(self):
        node = self.node()
        if not node.attr:
            return None
        name = self.one(sorted(node.attr))
        del node.attr[name]
        return f"{node.name!r}: {name}"

    def mutate_empty_attr(self):
        node = self.node()
        if not node.attr:
            return None
        name = self.one(sorted(node.attr))
        node.attr[name].Clear()
        return f"{node.name!r}: {name}"

    def mutate_type_attr(self):
        node = self.node()
        name = self.attr(node, ["type"])
        if name is None:
            return None
        node.attr[name].type = self.one(TYPES)
        return f"{node.name!r}: {name} = {node.attr[name].type}"

    def mutate_number_attr(self):
        node = self.node()
        name = self.attr(node, ["i"])
        if name is None:
            return None
        node.attr[name].i = self.one([0, -1, 1, 2, 3, 1000, 2**40, -(2**63)])
        return f"{node.name!r}: {name} = {node.attr[name].i}"

    def mutate_text_attr(self):
        node = self.node()
        name = self.attr(node, ["s"])
        if name is None:
            return None
        node.attr[name].s = self.one([b"", b"FOO", b"SAME", b"NCHW", b"\xff"])
        return f"{node.name!r}: {name} = {node.attr[name].s}"

    def mutate_list_attr(self):
        node = self.node()
        name = self.attr(node, ["list"])
        if name is None:
            return None
        values = node.attr[name].list
        kinds = [kind for kind in ("s", "i", "type", "shape") if len(getattr(values, kind))]
        kind = self.one(kinds) if kinds else "type"
        field = getattr(values, kind)
        change = self.rng.randint(3)
        if change == 0 and len(field):
            del field[self.rng.randint(len(field))]
        elif change == 1 and kind == "type" and len(field):
            field[self.rng.randint(len(field))] = self.one(TYPES)
        elif kind == "type":
            field.append(self.one(TYPES))
        elif kind == "i":
            field.append(self.one([0, 1, -1, 5]))
        elif kind == "s":
            field.append(self.one([b"loc:@nope", b"loc:@" + self.node().name.encode(), b"x"]))
        else:
            field.add().dim.add().size = self.one([3, -1, -2])
        return f"{node.name!r}: {name}.{kind}"

    def mutate_kind_of_attr(self):
        node = self.node()
        name = self.one(sorted(node.attr) + ["foo", "_foo", "T", "N", "dtype"])
        value = node.attr[name]
        change = self.rng.randint(6)
        if change == 0:
            value.i = self.one([0, 1, -1])
        elif change == 1:
            value.s = b"x"
        elif change == 2:
            value.b = True
        elif change == 3:
            value.type = self.one(TYPES)
        elif change == 4:
            value.list.SetInParent()
        else:
            value.placeholder = self.one(["", "T", "nope"])
        return f"{node.name!r}: {name} = {value.WhichOneof('value')}"

    def mutate_shape_attr(self):
        node = self.node()
        name = self.attr(node, ["shape"])
        if name is None:
            return None
        shape = node.attr[name].shape
        change = self.rng.randint(4)
        if change == 0:
            shape.dim.add().size = self.one([-2, -1, 0, 3, 2**62])
        elif change == 1 and shape.dim:
            del shape.dim[self.rng.randint(len(shape.dim))]
        elif change == 2 and shape.dim:
            self.one(shape.dim).size = self.one([-2, -1, 0, 1, 7])
        else:
            shape.unknown_rank = not shape.unknown_rank
        return f"{node.name!r}: {name}"

    def mutate_colocation(self):
        node = self.node()
        node.attr["_class"].list.s.append(
            self.one([b"loc:@nope", b"loc:@", b"any", b"loc:@" + self.node().name.encode()])
        )
        return repr(node.name)

    def mutate_output_shapes(self):
        node = self.node()
        shapes = node.attr["_output_shapes"].list
        for _ in range(self.rng.randint(3)):
            shape = shapes.shape.add()
            change = self.rng.randint(4)
            if change == 0:
                shape.unknown_rank = True
            else:
                for _ in range(self.rng.randint(4)):
                    shape.dim.add().size = self.one([-1, -1, 2, 3, -2])
        shapes.SetInParent()
        return repr(node.name)

    def mutate_constant(self):
        node = self.one([node for node in self.nodes if node.op == "Const"] or [None])
        if node is None:
            return None
        tensor = node.attr["value"].tensor
        change = self.rng.randint(6)
        if change == 0:
            tensor.dtype = self.one(TYPES)
        elif change == 1:
            tensor.tensor_shape.dim.add().size = self.one([0, 1, 2, -1, -2, 2**62])
        elif change == 2 and tensor.tensor_shape.dim:
            self.one(tensor.tensor_shape.dim).size = self.one([0, 1, 2, 5, -1])
        elif change == 3 and tensor.tensor_shape.dim:
            del tensor.tensor_shape.dim[0]
        elif change == 4:
            tensor.tensor_content = tensor.tensor_content[:-1]
        else:
            tensor.Clear()
        return f"{node.name!r}, {change}"

    # ---- versions

    def mutate_version(self):
        field, value = self.one(
            [("producer", -1), ("producer", 0), ("producer", 8), ("producer", 9999), ("min_consumer", 9999), ("bad", 0)]
        )
        if field == "bad":
            self.made.versions.bad_consumers.append(tf1.version.GRAPH_DEF_VERSION)
        else:
            setattr(self.made.versions, field, value)
        return f"{field} = {value}"


def mutants(graph_def, rng, count):
    """[(what was done, GraphDef)]"""
    made = [Mutator(graph_def, rng) for _ in range(count)]
    return [(each.done, each.made) for each in made]


def size_of(graph_def):
    return len(graph_def.node) + sum(len(function.node_def) for function in graph_def.library.function)
