"""Runs the suite: `build/tensorflow/bin/python tests/oracle [part of a test's name ...]`.

CRYOGRAPH names the program (default build/release/cryograph). The last lines are the table of the corpus, notes, and counts.
Each processor has a process, which takes one module of tests after the other. All are forks of this one, which has imported
TensorFlow and the tests.
"""

import collections
import concurrent.futures
import multiprocessing
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program  # noqa: E402  (the path comes first)
import tensorflow2  # noqa: E402


def main():
    if not os.path.exists(program.CRYOGRAPH):
        sys.exit(f"there is no program at {program.CRYOGRAPH}: build it, or set CRYOGRAPH")
    started = time.time()
    context, processes = multiprocessing.get_context("fork"), os.cpu_count()
    tensorflow2.start(processes)
    import share
    import suite
    import tables

    share.load(sys.argv[1:], context.Value("i", 0))
    with concurrent.futures.ProcessPoolExecutor(processes, context) as pool:
        shares = list(pool.map(share.run, range(processes)))
    tensorflow2.stop()
    reasons = collections.Counter()
    for each in shares:
        suite.merge(each["found"])
        reasons.update(each["reasons"])
    failed = [test for each in shares for test in each["failed"]]
    for test, trace in failed:
        print(f"\nFAILED: {test}\n{trace}")
    tables.print_all()
    for reason, count in sorted(reasons.items()):
        print(f"skipped {count}: {reason}")
    for note in dict.fromkeys(suite.NOTES):
        print(note)
    tests, skipped = sum(each["tests"] for each in shares), sum(reasons.values())
    used = sum(os.times()[:4])  # with the children's
    print(f"{skipped} skipped of {tests}, in {time.time() - started:.0f} s, {used:.0f} s of processors")
    print(f"{tests - len(failed) - skipped} passed, {len(failed)} failed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
