"""Reads core/data/op_histories.bin, whose format scripts/op_histories.py describes."""

import functools
import os

from google.protobuf.internal.decoder import _DecodeVarint
from tensorflow.core.framework import kernel_def_pb2, op_def_pb2

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPS = os.path.join(ROOT, "core", "data", "ops.bin")
HISTORIES = os.path.join(ROOT, "core", "data", "op_histories.bin")
RULES = {
    4: "refuses_unknown_attrs",
    5: "refuses_function_nodes",
    6: "refuses_uses_of_named",
    7: "refuses_more_output_shapes",
    8: "refuses_angles",
    9: "checks_bodies",
}
BYTES = 2


def fields(data):
    """Yields (number, value) for each field of a message. A value is a number or bytes."""
    at = 0
    while at < len(data):
        tag, at = _DecodeVarint(data, at)
        value, at = _DecodeVarint(data, at)
        if tag & 7 == BYTES:
            value, at = data[at : at + value], at + value
        yield tag >> 3, value


def packed(data):
    at = 0
    while at < len(data):
        value, at = _DecodeVarint(data, at)
        yield value


class Release:
    """The ops, kernels and rules of one release. A rule is a member, true or false."""

    def __init__(self, data):
        self.name, self.graph_version, self.types = "", 0, frozenset()
        self.ops, self.kernels = {}, {}  # by name, an OpDef and a list of KernelDefs
        for rule in RULES.values():
            setattr(self, rule, False)
        for number, value in fields(data):
            if number == 1:
                self.name = value.decode()
            elif number == 2:
                self.graph_version = value
            elif number == 3:
                self.types = frozenset(packed(value))
            else:
                setattr(self, RULES[number], value == 1)


def add_history(data, releases, now):
    """Adds one op to the releases that have it. `data`: its OpHistory; `now`: the ops of ops.bin by name."""
    found = list(fields(data))
    name = found[0][1].decode()
    for kind, add in ((2, "ops"), (3, "kernels")):
        changes = [change_of(value, kind, now.get(name)) for number, value in found if number == kind]
        ends = [start for start, _ in changes[1:]] + [len(releases)]
        for (start, then), end in zip(changes, ends):
            for release in releases[start:end]:
                if then:
                    getattr(release, add)[name] = then


def change_of(data, kind, now):
    """Returns (release, the op or its kernels from then on)."""
    release, then = 0, None if kind == 2 else []
    for number, value in fields(data):
        if number == 1:
            release = value
        elif kind == 3:
            then.append(kernel_def_pb2.KernelDef.FromString(value))
        else:
            then = now if number == 2 else op_def_pb2.OpDef.FromString(value)
    return release, then


@functools.cache
def releases():
    """Returns all releases by name, oldest first."""
    with open(OPS, "rb") as file:
        now = {op.name: op for op in op_def_pb2.OpList.FromString(file.read()).op}
    found = []
    with open(HISTORIES, "rb") as file:
        for number, value in fields(file.read()):
            if number == 1:
                found.append(Release(value))
            else:
                add_history(value, found, now)
    return {release.name: release for release in found}
