"""Runs the suite: `build/tensorflow/bin/python tests/oracle [part of a test's name ...]`.

CRYOGRAPH names the program (default build/release/cryograph). The last lines are the table of the corpus, notes, and counts.
"""
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program  # noqa: E402  (the path comes first)

if not os.path.exists(program.CRYOGRAPH):
    sys.exit(f"there is no program at {program.CRYOGRAPH}: build it, or set CRYOGRAPH")

import suite  # noqa: E402
import tables  # noqa: E402


def chosen(tests, parts):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from chosen(test, parts)
        elif not parts or any(part.replace(" ", "_") in test.id().replace(" ", "_") for part in parts):
            yield test


def main():
    started = time.time()
    loaded = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(unittest.TestSuite(chosen(loaded, sys.argv[1:])))
    tables.print_all()
    reasons = {}
    for _, reason in result.skipped:
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in sorted(reasons.items()):
        print(f"skipped {count}: {reason}")
    for note in suite.NOTES:
        print(note)
    bad = len(result.failures) + len(result.errors)
    print(f"{len(result.skipped)} skipped of {result.testsRun}, in {time.time() - started:.0f} s")
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(1 if bad or not result.testsRun else 0)


main()
