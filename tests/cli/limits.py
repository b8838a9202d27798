"""Time and memory of hostile models: 20 s of the processor, 400 times the size of the input and 64 MB in the whole process.

Every verb meets hostile models with its default options in tests/attacks; here are options, and models too large for sanitizers.
"""

import os
import subprocess
import sys

from support import CANNOT, DONE, PROGRAM, ROOT, Folder

sys.path.insert(0, str(ROOT / "tests/bench"))
from models import FLOAT, attr, field, node, number  # noqa: E402

SECONDS, TIMES, MEGABYTES = 20, 400, 64
CLOCK = 0.01  # seconds: a process of less than this takes nothing that could be measured
FLOATS = field(1, number(6, 1))
BOOL = 10


def run(*arguments):
    """The status, what standard error says, seconds of the processor and peak bytes of a process."""
    with subprocess.Popen(
        [PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        text = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def function(name, nodes, result, dtype=1):
    argument = field(2, field(1, b"x") + number(3, 1))
    output = field(3, field(1, b"y") + number(3, dtype))
    returned = field(4, field(1, b"y") + field(2, result.encode()))
    return field(
        1, field(1, field(1, name.encode()) + argument + output) + b"".join(field(3, each) for each in nodes) + returned
    )


def named(key, name):
    return attr(key, field(10, field(1, name.encode())))


def call(name, callee, source):
    return node(
        name, "StatefulPartitionedCall", [source], attr("Tin", FLOATS) + attr("Tout", FLOATS) + named("f", callee)
    )


def loop(name, body, source):
    return node(name, "StatelessWhile", [source], attr("T", FLOATS) + named("cond", "always") + named("body", body))


def last():
    return [node("c", "Identity", ["x", "^gone"], attr("T", FLOAT))]


def graph(first, functions):
    x = node("x", "Placeholder", (), attr("dtype", FLOAT))
    return field(1, x) + field(1, first) + field(2, b"".join(functions)) + field(4, number(1, 1395))


def nested(count, make):
    """Functions f0, f1, ..., each with a call or a loop of the next."""
    functions = [function(f"f{i}", [make("c", f"f{i + 1}", "x")], "c:output:0") for i in range(count - 1)]
    return graph(make("y", "f0", "x"), functions + [function(f"f{count - 1}", last(), "c:output:0")])


def doubling(count):
    functions = [
        function(f"f{i}", [call("a", f"f{i + 1}", "x"), call("c", f"f{i + 1}", "a:output:0")], "c:output:0")
        for i in range(count - 1)
    ]
    return graph(call("y", "f0", "x"), functions + [function(f"f{count - 1}", last(), "c:output:0")])


def loops(count):
    true = attr("dtype", number(6, BOOL)) + attr("value", field(8, number(1, BOOL) + field(11, b"\1")))
    return nested(count, loop) + field(2, function("always", [node("t", "Const", (), true)], "t:output:0", BOOL))


def flat(count):
    functions = [function(f"f{i}", last(), "c:output:0") for i in range(count)]
    return graph(call("y", "f0", "x"), functions)


class Limits(Folder):
    def within(self, path, status, *arguments, words=()):
        result, text, used, peak = run(*arguments)
        self.assertEqual(result, status, text)
        for word in words:
            self.assertIn(word, text)
        self.assertLess(used, SECONDS)
        self.assertLess(peak, TIMES * path.stat().st_size + (MEGABYTES << 20))
        return used

    def lowered(self, content, status, words=()):
        path = self.put("m.pb", content)
        self.within(
            path,
            status,
            "freeze",
            path,
            "--outputs",
            "y",
            "--lower-control-flow",
            "-o",
            self.folder / "out.pb",
            "--force",
            words=words,
        )

    def test_loops_nested_5000_deep(self):
        self.lowered(loops(5000), CANNOT, words=["too-large", "fix:"])

    def test_calls_nested_100000_deep(self):
        self.lowered(nested(100_000, call), CANNOT, words=["too-large"])

    def test_calls_nested_10000_deep(self):
        self.lowered(nested(10_000, call), CANNOT, words=["too-large"])

    def test_calls_nested_2000_deep_are_inlined(self):
        self.lowered(nested(2_000, call), DONE)

    def test_functions_that_double(self):
        self.lowered(doubling(30), CANNOT, words=["too-large"])
        self.lowered(doubling(10), DONE)

    def grows_in_proportion(self, make, large, *command):
        """Ten times the nodes or functions take less than forty times the time; where it grew with the square, a hundred times."""
        path = self.put("m.pb", make(large // 10))
        small = min(self.within(path, DONE, *command) for _ in range(3))
        self.put("m.pb", make(large))
        used = self.within(path, DONE, *command)
        self.assertLess(used, 40 * max(small, CLOCK), f"{small} s for a tenth")

    def test_repairing_100000_functions(self):
        command = ["validate", self.folder / "m.pb", "--fix", "-o", self.folder / "out.pb", "--force"]
        for make in (lambda count: nested(count, call), flat):
            self.grows_in_proportion(make, 100_000, *command)

    def test_40000_equal_names(self):
        first = field(1, node("x", "Placeholder", (), attr("dtype", FLOAT)))
        same = field(1, node("same", "Identity", ["x"], attr("T", FLOAT)))
        for form in ("tfjs", "savedmodel"):
            command = ["convert", self.folder / "m.pb", "-o", f"{self.folder}/{form}/", "--as", form, "--force"]
            self.grows_in_proportion(lambda count: first + count * same, 40_000, *command)
