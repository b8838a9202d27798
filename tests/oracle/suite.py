"""Helpers for the tests: one test a case, a folder for outputs, and cached answers."""

import functools
import glob
import os
import re
import tempfile
import unittest

import graphs
import kept
from cases import CORPUS
from program import ROOT, call

FOLDERS = [tempfile.TemporaryDirectory(prefix="cryograph-oracle-")]  # the last is this process'
TABLE = {}  # model with true outputs -> {nodes before and after, variables, ...} of its freeze
CORPUS_ROWS = {}  # model of the corpus -> {kind, counts, verdict}
FAILED = {}  # case -> the tests it failed
NOTES = []  # lines for the end of the report


def own_folder():
    """Gives this process a folder of its own, within that of the process it was forked from."""
    FOLDERS.append(tempfile.TemporaryDirectory(dir=FOLDERS[0].name))


def found():
    """Returns the results of this process, for another to merge."""
    return {"TABLE": TABLE, "CORPUS_ROWS": CORPUS_ROWS, "FAILED": FAILED, "NOTES": NOTES}


def merge(other):
    # A row is begun in every process, and filled in where its tests ran.
    TABLE.update({name: row for name, row in other["TABLE"].items() if row["after"] or name not in TABLE})
    CORPUS_ROWS.update(other["CORPUS_ROWS"])
    for case, tests in other["FAILED"].items():
        FAILED.setdefault(case, []).extend(tests)
    NOTES.extend(other["NOTES"])


def for_each(cases):
    """A method `test_x(self, case)` becomes one test a case, named `test_x [case]`."""

    def mark(method):
        method.cases = list(cases)
        return method

    return mark


def expanded(class_):
    for name, method in list(vars(class_).items()):
        if not hasattr(method, "cases"):
            continue
        delattr(class_, name)
        for case in method.cases:

            def one(self, method=method, case=case):
                try:
                    method(self, case)
                except unittest.SkipTest:
                    raise
                except BaseException:
                    FAILED.setdefault(getattr(case, "name", str(case)), []).append(name_of(method))
                    raise

            one.__doc__ = None
            setattr(class_, f"{name} [{case}]", one)
    return class_


def name_of(method):
    return method.__name__.removeprefix("test_").replace("_", " ")


def folder(*parts):
    path = os.path.join(FOLDERS[-1].name, *[re.sub(r"[^\w.-]", "_", part) for part in parts])
    os.makedirs(path, exist_ok=True)
    return path


@functools.lru_cache(None)
def original(case):
    return graphs.read_graph(case.graph)


def of_files(ask, case):
    """Returns ask(case), which may be kept if no test makes the case's files."""
    if not case.graph.startswith((ROOT, CORPUS)):
        return ask(case)
    read = kept.files(*sorted({case.graph, *glob.glob(glob.escape(case.prefix) + "*")}))
    return kept.answer((read, case.outputs, case.inputs, case.shapes, case.spans), ask, case)


@functools.lru_cache(None)
def feeds(case):
    return of_files(made_feeds, case)


def made_feeds(case):
    return [graphs.feeds_of(original(case), case, seed) for seed in (0, 1)]


@functools.lru_cache(None)
def reference(case):
    """The bits of the case's outputs, as TensorFlow computes them from the files as they are."""
    return of_files(computed, case)


def computed(case):
    if case.meta:
        return graphs.run_restored(case.meta, case.prefix, case, feeds(case))
    return graphs.run_graph(original(case), case, feeds(case))


@functools.lru_cache(None)
def values(case):
    return of_files(restored_values, case)


def restored_values(case):
    return graphs.variable_values(case.meta, case.prefix)


@functools.lru_cache(None)
def frozen(case):
    """(answer, path): the program's freeze of the case to its outputs."""
    path = os.path.join(folder(case.name), "frozen.pb")
    return call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs)), path


class Suite(unittest.TestCase):
    maxDiff = None

    def done(self, answer):
        """The program did it; or it said clearly that it cannot, where the case is known to be beyond it."""
        self.assertEqual(answer.status, 0, answer)
        self.assertTrue(answer.report.get("verb"), answer)
        self.assertEqual([], answer.codes("error"), answer)
        for output in answer.report.get("outputs", []) if answer.report["verb"] != "inspect" else []:
            self.assertEqual(os.path.getsize(output["path"]), int(output["bytes"]), answer)

    def refused(self, answer, directory=None):
        """Status 3, a diagnostic with advice, and nothing written."""
        self.assertEqual(answer.status, 3, answer)
        self.assertTrue(answer.codes("error") or answer.errors.strip(), answer)
        if directory:
            self.assertEqual([], os.listdir(directory), answer)

    def same_outputs(self, expected, found, said):
        for before, after in zip(expected, found):
            self.assertEqual(set(before), set(after), said)
            for tensor in before:
                self.assertEqual(before[tensor][:2], after[tensor][:2], f"{tensor} after {said}")
                self.assertTrue(before[tensor] == after[tensor], f"{tensor} has other bits after {said}")

    def same(self, mine, theirs, said=""):
        self.assertEqual([], graphs.differences(mine, theirs), said)
