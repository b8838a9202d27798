"""A process's share of the tests: it takes one module after the other."""

import collections
import io
import os
import time
import unittest

import suite

counter = None  # of the modules that were taken, shared by the processes


def chosen(tests, parts):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from chosen(test, parts)
        elif not parts or any(part.replace(" ", "_") in test.id().replace(" ", "_") for part in parts):
            yield test


def modules(parts):
    """The tests of each module, the largest first, so that none is left for the end."""
    loaded = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    found = collections.defaultdict(unittest.TestSuite)
    for test in chosen(loaded, parts):
        found[type(test).__module__].addTest(test)
    return sorted(found.items(), key=lambda item: (-item[1].countTestCases(), item[0]))


def share_by(number):
    global counter
    counter = number


def take():
    with counter:
        counter.value += 1
        return counter.value - 1


def run(parts):
    failed, reasons, tests = [], collections.Counter(), 0
    todo = modules(parts)
    while (index := take()) < len(todo):
        name, group = todo[index]
        started = time.time()
        result = unittest.TextTestRunner(verbosity=0, stream=io.StringIO()).run(group)
        bad = [*result.failures, *result.errors]
        print(f"{name:28} {result.testsRun:5} tests, {len(bad)} failed, {time.time() - started:4.0f} s", flush=True)
        failed += [(str(test), trace) for test, trace in bad]
        reasons.update(reason for _, reason in result.skipped)
        tests += result.testsRun
    return {"tests": tests, "failed": failed, "reasons": reasons, "found": suite.found()}
