"""A process's share of the tests: it takes one module after the other."""

import collections
import io
import os
import time
import unittest

import suite
import tensorflow2

# Modules that take long for the few tests they have. They come first, so that none is left for the end.
LONGEST = ("test_repair", "test_training", "test_redact", "test_snippet", "test_salvage_containers", "test_agreement")

todo = []  # (name, tests) of each module
taken = None  # how many of them were taken, shared by the processes


def chosen(tests, parts):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from chosen(test, parts)
        elif not parts or any(part.replace(" ", "_") in test.id().replace(" ", "_") for part in parts):
            yield test


def place_of(name):
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def order_of(test):
    """Tests of a class by their case, so that what TensorFlow computes of it is computed once; tests without one come last."""
    method, _, case = test.id().partition(" [")
    return type(test).__qualname__, not case, case, method


def load(parts, counter):
    """Finds the tests, for the processes that fork afterwards."""
    global taken
    taken, found = counter, collections.defaultdict(unittest.TestSuite)
    loaded = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    for test in sorted(chosen(loaded, parts), key=order_of):
        found[type(test).__module__].addTest(test)
    todo.extend(sorted(found.items(), key=lambda item: (place_of(item[0]), -item[1].countTestCases(), item[0])))


def take():
    with taken:
        taken.value += 1
        return taken.value - 1


def run(index):
    """Runs a share in the process of that number."""
    tensorflow2.use(index)
    suite.own_folder()
    failed, reasons, tests = [], collections.Counter(), 0
    while (place := take()) < len(todo):
        name, group = todo[place]
        started, before = time.time(), sum(os.times()[:4])
        result = unittest.TextTestRunner(verbosity=0, stream=io.StringIO()).run(group)
        bad = [*result.failures, *result.errors]
        passed, used = time.time() - started, sum(os.times()[:4]) - before
        print(
            f"{name:28} {result.testsRun:5} tests, {len(bad)} failed, {passed:4.0f} s, {used:4.0f} s of a processor",
            flush=True,
        )
        failed += [(str(test), trace) for test, trace in bad]
        reasons.update(reason for _, reason in result.skipped)
        tests += result.testsRun
    return {"tests": tests, "failed": failed, "reasons": reasons, "found": suite.found()}
