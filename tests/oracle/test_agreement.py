"""The verdict of validate is that of TensorFlow's importer, on thousands of seeded mutants of fixtures and corpus.

The short form has a fixed seed. A long one: CRYOGRAPH_MUTANTS=20000 CRYOGRAPH_SEED=7 build/tensorflow/bin/python tests/oracle agreement
"""

import collections
import json
import os
import re
import subprocess
import sys

import mutants
import numpy as np
from cases import CORPUS, DATA, GRAPHS, corpus_files
from importers import judge_both
from program import CRYOGRAPH, SECONDS
from suite import NOTES, Suite, expanded, folder
from test_validate import graph_defs

sys.path.insert(0, DATA)
from fixtures.importer import CRASHED  # noqa: E402  (the path comes first)

COUNT = int(os.environ.get("CRYOGRAPH_MUTANTS", 1500))
SEED = int(os.environ.get("CRYOGRAPH_SEED", 11))
KEPT = os.environ.get("CRYOGRAPH_KEEP")  # a folder for the mutants that are judged differently
MOST_MISSED = 0.003  # of the mutants: what TensorFlow refuses and we do not see
MOST_NODES = 400  # of a graph that is mutated: small ones are judged fast, and have all kinds of faults

# Why what TensorFlow refuses may be missed here, by what it says. The first that fits counts.
EXPLAINED = [
    (why, re.compile(words))
    for why, words in (
        (
            "a constant whose value is of another type than its node says, and is read as a number: what comes of it hangs on the op and on memory",
            r"importer crashed|int32 or int64|non-integer edge|Requires delta|evaluate a constant|Dimension \(-?\d{6,}\)|string>",
        ),
        ("what a slice to restore says is read where checkpoints are, not with the graph", r"shape_and_slice"),
        (
            "shapes that hang on values of computed tensors, or on rules of ops that have none here",
            r"[Dd]imensions? |[Ss]hapes? |rank|Cannot reshape|must be (?:a |at |between |in |less|greater|divisible|equal)|element|Expected|"
            r"expects? |[Ii]nvalid|handle|stride|axis|concat|input_tensor|number of",
        ),
    )
]
SUBJECTS = [
    re.compile(pattern)
    for pattern in (
        r"In \{\{(?:function_)?node (?:\w+:)?([^}]*)\}\}",
        r"\{\{node ([^}]*)\}\}",
        r"^Input \d+ of node (\S+) was",
        r"^Node '(.*?)(?:'| has an invalid)",
        r"Op type not registered '([^']*)'",
        r"Cannot add function '([^']*)'",
        r"^Op (\S+) is not available",
    )
]


def subject(message):
    """The node, function or op that a message of TensorFlow speaks of."""
    for pattern in SUBJECTS:
        found = pattern.search(message)
        if found:
            return found[1]
    return ""


def originals():
    """(name, GraphDef) of what is small enough, each once."""
    paths = [(case.name, case.graph) for case in GRAPHS if not case.corpus]
    paths += [(os.path.relpath(path, CORPUS), path) for path in corpus_files(".meta", ".pb", ".pbtxt")]
    seen = set()
    for name, path in paths:
        if os.path.getsize(path) > 1_000_000:
            continue
        for graph in graph_defs(path):
            key = graph.SerializeToString(deterministic=True)
            if graph.node and mutants.size_of(graph) <= MOST_NODES and len(key) < 300_000 and key not in seen:
                seen.add(key)
                yield name, graph


def ours(data):
    """The program's report on a GraphDef."""
    done = subprocess.run(
        [CRYOGRAPH, "validate", "-", "--json"], input=data, capture_output=True, timeout=SECONDS, check=False
    )
    report = json.loads(done.stdout) if done.stdout.startswith(b"{") else {}
    return done.returncode, report


class Tally:
    """Returns the result, to print."""

    def __init__(self):
        self.table, self.subjects, self.kinds = collections.Counter(), collections.Counter(), collections.Counter()
        self.missed, self.unexplained, self.wrong, self.undecided = [], [], [], []

    def count(self, refused, valid):
        self.table["refused" if refused else "imported", "valid" if valid else "not valid"] += 1

    def add(self, name, path, said, status, report):
        refused = said["code"] != 0
        valid = report.get("valid")
        errors = [one for one in report.get("diagnostics", []) if one["severity"] == "error"]
        if status not in (0, 1) or valid == refused:
            ours_first = errors[0]["message"][:150] if errors else ""
            if any((each["code"] != 0) != refused for each in judge_both([path] * 4, whole=True)):
                self.undecided.append(name)  # it reads bytes that are not there, and depends on them
                return True
            self.count(refused, valid)
            line = f"{name}\n      TensorFlow {said['code']}: {said['message'][:200]!r}\n      validate {status}: {ours_first!r}"
            if not (refused and valid):
                self.wrong.append(line)
            else:
                why = next((why for why, words in EXPLAINED if words.search(said["message"])), None)
                self.kinds[why or "nobody knows why"] += 1
                (self.missed if why else self.unexplained).append(line)
            return False
        self.count(refused, valid)
        if refused and said["code"] != CRASHED:
            wanted = subject(said["message"])
            named = any(
                wanted in (one["where"].get("node"), one["where"].get("function")) or wanted in one["message"]
                for one in errors
            )
            self.subjects[bool(named)] += 1
            if not named:
                self.subjects[f"not named: {said['message'][:110]!r}; ours {errors[0]['message'][:110]!r}"] += 1
        return True

    def text(self):
        pairs = [("imported", "valid"), ("imported", "not valid"), ("refused", "valid"), ("refused", "not valid")]
        total = sum(self.table.values())
        alike = self.table["imported", "valid"] + self.table["refused", "not valid"]
        lines = [
            f"agreement: {alike} of {total} mutants judged alike ({100 * alike / max(1, total):.2f} %)",
            *(f"    TensorFlow {theirs:9} validate {mine:10} {self.table[theirs, mine]:6}" for theirs, mine in pairs),
            f"    subject of TensorFlow's message among ours: {self.subjects[True]} of {self.subjects[True] + self.subjects[False]}",
            f"    TensorFlow's own verdict is not the same each time: {len(self.undecided)}",
            *(f"    missed {count}: {why}" for why, count in self.kinds.most_common()),
        ]
        return "\n".join(lines)


@expanded
class Agreement(Suite):
    def test_agreement_on_seeded_mutants(self):
        rng, rows = np.random.RandomState(SEED), []
        sources = list(originals())
        rng.shuffle(sources)
        share = max(1, COUNT // len(sources) + 1)
        path = folder("mutants")
        for name, graph in sources:
            for done, mutant in mutants.mutants(graph, rng, share):
                if len(rows) == COUNT:
                    break
                try:
                    data = mutant.SerializeToString(deterministic=True)
                except ValueError:
                    continue
                if not data:  # the only node is gone: TensorFlow takes a graph of nothing, and no file is one
                    continue
                with open(os.path.join(path, f"{len(rows)}.pb"), "wb") as file:
                    file.write(data)
                rows.append((f"{name}, {done}", file.name, data))
        tally = Tally()
        for (name, file, data), said in zip(rows, judge_both([file for _, file, _ in rows], whole=True)):
            alike = tally.add(name, file, said, *ours(data))
            if KEPT and not alike:
                os.makedirs(KEPT, exist_ok=True)
                with open(os.path.join(KEPT, os.path.basename(file)), "wb") as kept:
                    kept.write(data)
        NOTES.append(
            tally.text()
            + "".join(f"\n    {line}" for line in tally.missed[: 10 if not KEPT else None])
            + "".join(f"\n    {line} ({count})" for line, count in tally.subjects.items() if isinstance(line, str))
        )
        self.assertEqual([], tally.wrong)  # no alarm about what TensorFlow takes
        self.assertEqual([], tally.unexplained)
        self.assertLessEqual(len(tally.missed), MOST_MISSED * len(rows), tally.text())
