"""Finds the ranks and shapes that TensorFlow's shape functions accept and return, for each argument and output of each
op.

Imports one node at a time, over placeholders of unknown rank but for one. A rank counts as accepted if it is with
any values of the attributes tried, with any sizes: so a rank that is never accepted is refused whatever the
attributes. An output counts as that of an argument's shape, or of a rank, if it is with all values tried. As a
program it reads names of ops and writes a JSON line for each; it runs in a child process, because some shape
functions crash.
"""

import ctypes
import itertools
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/data"))
RANKS = range(8)  # the last stands for itself and all above
SIZES = (-1, 1, 2, 3, 4)
ANY = 255
PRODUCERS = (2474, 20, 8)
SCALARS_ARE_UNKNOWN = 21  # up to this producer, of placeholders
UNKNOWN, OF_RANK = 0, 128
SHAPES = ([1, 7, 11], [5, 1], [], [5], [5, 1, 7, 11], [3, 5, 1, 7, 11])
FLOAT, STRING, RESOURCE = 1, 7, 20


def op_shapes(names):
    """{op: (ranks, gives)}, each bytes. ranks, one an argument: bit r is set where rank r may be taken, bit 7 that and above. gives, one
    an output: 0 for unknown, 1 for the shape of the first argument, 2 for that of the second, ..., 128 + r for rank r."""
    found, names = {}, list(names)
    while names:
        child = subprocess.run(
            [sys.executable, os.path.abspath(__file__)],
            input="\n".join(names),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        lines = child.stdout.splitlines()
        for name, ranks, gives in map(json.loads, lines):
            found[name] = (
                bytes(ranks) if any(mask != ANY for mask in ranks) else b"",
                bytes(gives) if any(gives) else b"",
            )
        names = names[len(lines) + 1 :]  # one that crashes has none
    return found


class Importer:
    def __init__(self):
        from fixtures import c_api

        self.output, self.tf = c_api.Output, c_api.CApi()

    def shapes(self, graph, outputs):
        """The shapes of a node's outputs, None for an unknown one and -1 for an unknown size; None where the graph is refused."""
        made, code, _ = self.tf.import_graph(graph.SerializeToString())
        found = self.shapes_of(made, outputs) if code == 0 else None
        self.tf.TF_DeleteGraph(made)
        return found

    def shapes_of(self, made, outputs):
        node, found, status = self.tf.TF_GraphOperationByName(made, b"n"), [], self.tf.TF_NewStatus()
        for place in range(min(outputs, self.tf.TF_OperationNumOutputs(node))):
            output = self.output(node, place)
            rank = self.tf.TF_GraphGetTensorNumDims(made, output, status)
            sizes = (ctypes.c_int64 * max(rank, 1))()
            if rank > 0:
                self.tf.TF_GraphGetTensorShape(made, output, sizes, rank, status)
            found.append(None if rank < 0 else list(sizes)[:rank])
        self.tf.TF_DeleteStatus(status)
        return found


def values_of(attr):
    """AttrValues to try for an attribute, the default or likeliest first."""
    from tensorflow.core.framework import attr_value_pb2

    made = []

    def add(**fields):
        made.append(attr_value_pb2.AttrValue(**fields))

    if attr.HasField("default_value"):
        made.append(attr.default_value)
    listed = attr_value_pb2.AttrValue.ListValue
    if attr.type == "type":
        types = list(attr.allowed_values.list.type) or [FLOAT, 3, STRING, RESOURCE, 21]
        for each in sorted(types, key=lambda one: one != FLOAT):
            add(type=each)
    elif attr.type == "string":
        for each in list(attr.allowed_values.list.s) or [b"", b"a"]:
            add(s=each)
    elif attr.type == "int":
        for each in (1, 2, 0, -1, 3):
            add(i=each)
    elif attr.type == "bool":
        add(b=False)
        add(b=True)
    elif attr.type == "float":
        add(f=1)
    elif attr.type == "shape":
        made.append(attr_value_pb2.AttrValue())
        made[-1].shape.unknown_rank = True
    elif attr.type == "list(type)":
        for count in (1, 0, 2):
            add(list=listed(type=[FLOAT] * count))
    elif attr.type == "list(int)":
        for count in (4, 5, 3, 1, 2, 0):
            add(list=listed(i=[1] * count))
        add(list=listed(i=[1, 2, 2, 1]))
        add(list=listed(i=[1, 1, 2, 2]))
        add(list=listed(i=[1, 2, 2, 2, 1]))
    elif attr.type == "list(string)":
        for count in (1, 0, 2):
            add(list=listed(s=[b"a"] * count))
    elif attr.type == "list(float)":
        add(list=listed(f=[1, 1.5, 1.5, 1]))
        add(list=listed(f=[1]))
        add(list=listed())
    elif attr.type == "list(shape)":
        for count in (1, 0, 2):
            add(list=listed())
            for _ in range(count):
                made[-1].list.shape.add().unknown_rank = True
    return made


def alike(values):
    """Choices in which lists are of one length."""
    lists = [name for name in values if len(values[name]) > 1 and values[name][0].WhichOneof("value") == "list"]
    for at in range(max((len(values[name]) for name in lists), default=0)):
        yield [each[min(at, len(each) - 1)] if name in lists else each[0] for name, each in values.items()]


class Probe:
    """One op: the ways to write a node of it that import, and what ranks each of its arguments takes."""

    def __init__(self, op, importer):
        self.op, self.importer = op, importer
        self.ways = []

    def types(self, arg, attrs):
        if arg.type_list_attr:
            return list(attrs[arg.type_list_attr].list.type)
        each = attrs[arg.type_attr].type if arg.type_attr else arg.type
        return [each] * (attrs[arg.number_attr].i if arg.number_attr else 1)

    def shapes(self, way, at=None, sizes=()):
        """Returns the shapes of the outputs of a node whose input (argument, place) has sizes, and all others none
        known; None if it is refused.
        """
        from tensorflow.core.framework import graph_pb2

        attrs, producer = way
        graph = graph_pb2.GraphDef()
        graph.versions.producer = producer
        node = graph.node.add(name="n", op=self.op.name)
        for name, value in attrs.items():
            node.attr[name].CopyFrom(value)
        for number, arg in enumerate(self.op.input_arg):
            for place, dtype in enumerate(self.types(arg, attrs)):
                fed = graph.node.add(name=f"i{len(node.input)}", op="VariableV2" if arg.is_ref else "Placeholder")
                fed.attr["dtype"].type = dtype
                shape = fed.attr["shape"].shape
                if at == (number, place):
                    for size in sizes:
                        shape.dim.add().size = size
                    shape.SetInParent()
                else:
                    shape.unknown_rank = True
                node.input.append(fed.name)
        return self.importer.shapes(graph, len(self.op.output_arg))

    def find_ways(self):
        values = {attr.name: values_of(attr) for attr in self.op.attr}
        if not all(values.values()):
            return  # it names functions, or tensors
        first = None
        for producer in PRODUCERS:
            for chosen in [*alike(values), *itertools.islice(itertools.product(*values.values()), 200)]:
                way = (dict(zip(values, chosen)), producer)
                if self.shapes(way) is not None:
                    first = way
                    break
            if first:
                break
        if not first:
            return
        self.ways.append(first)
        others = [({**first[0], name: value}, first[1]) for name in values for value in values[name]]
        others += [(first[0], producer) for producer in PRODUCERS]
        self.ways += [way for way in others if way != first and self.shapes(way) is not None]

    def takes(self, number, rank):
        arg, ways = self.op.input_arg[number], self.ways
        if rank == 0 and not arg.is_ref:
            ways = [way for way in ways if way[1] > SCALARS_ARE_UNKNOWN]
        for way in ways:
            for place in range(len(self.types(arg, way[0]))):
                for size in SIZES[:1] if rank == 0 else SIZES:
                    if self.shapes(way, (number, place), [size] * rank) is not None:
                        return True
        return not ways

    def ranks(self):
        masks = []
        for number in range(len(self.op.input_arg)) if self.ways else ():
            mask = sum(1 << rank for rank in RANKS if self.takes(number, rank))
            masks.append(mask or ANY)  # it is not the rank then
        return masks

    def hands_on(self, number, place):
        """Returns True if an output has the shape of an argument, whatever that is."""
        arg = self.op.input_arg[number]
        if arg.number_attr or arg.type_list_attr:
            return False
        found = 0
        for way in self.ways:
            for sizes in SHAPES:
                given = self.shapes(way, (number, 0), sizes)
                if given is None or not sizes and way[1] <= SCALARS_ARE_UNKNOWN:
                    continue
                if len(given) <= place or given[place] != sizes:
                    return False
                found += 1
        return found > 0

    def gives(self):
        if not self.ways or any(arg.number_attr or arg.type_list_attr for arg in self.op.output_arg):
            return []
        alone, given = [self.shapes(way) for way in self.ways], []
        for place in range(len(self.op.output_arg)):
            ranks = {len(shapes[place]) if shapes[place] is not None else -1 for shapes in alone}
            hander = next((number for number in range(len(self.op.input_arg)) if self.hands_on(number, place)), None)
            if hander is not None:
                given.append(hander + 1)
            else:
                given.append(OF_RANK + ranks.pop() if len(ranks) == 1 and -1 not in ranks else UNKNOWN)
        return given


def main():
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
    import tensorflow  # noqa: F401  (it has the ops' definitions)
    from tensorflow.python.framework import op_def_registry

    importer = Importer()
    for name in sys.stdin.read().splitlines():
        probe = Probe(op_def_registry.get(name), importer)
        probe.find_ways()
        print(json.dumps([name, probe.ranks(), probe.gives()]), flush=True)


if __name__ == "__main__":
    main()
