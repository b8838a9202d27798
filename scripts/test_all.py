#!/usr/bin/env python3
"""Builds and runs suites (scripts/suites.py), as many at a time as the machine has processors, and ends with a table of them.

    test_all.py [--again] [SUITE...]     without names: all; --again: also those whose inputs are as they were when it last passed
    test_all.py --list

A build starts when those that it needs are done, a suite when its builds are. A suite's log is build/test/NAME.log.
"""

import dataclasses
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import suites

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build/test"
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
# Lines about what was not tried, which are printed where a suite passed; its file has the rest.
LOUD = re.compile(r"skipped|not tried|not run|without|absent|no corpus", re.IGNORECASE)
AFTER = {"js": ["release", "wasm"]}  # builds that need other presets
# One more than there are: a suite that keeps all busy ends with one test, and begins by starting programs.
CORES = (os.cpu_count() or 1) + 1


@dataclasses.dataclass
class Task:
    """A build or a suite."""

    name: str
    command: str
    cores: int = 1
    after: list = dataclasses.field(default_factory=list)  # names of tasks
    suite: suites.Suite = None
    result: str = ""
    passed: int = 0
    failed: int = 0
    seconds: float = 0
    processor_seconds: float = 0

    @property
    def ok(self):
        return self.result in ("passed", "unchanged", "built")

    @property
    def row(self):
        counts = f"{self.passed:8} {self.failed:8}" if self.suite else " " * 17
        return f"{self.name:32} {self.result:9} {counts} {self.seconds:6.0f} {self.processor_seconds:6.0f}"


@functools.cache
def content_hash(path):
    digest = hashlib.sha256()
    with open(ROOT / path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def printed(*command):
    """Returns the lines that a program prints, none where it is not there."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    except FileNotFoundError:
        return []


@functools.cache
def files_of(given):
    """Returns the files below a path: of what is made, all but source maps; else those that git knows or would add."""
    if given.startswith(("build/", "dist")):
        top = ROOT / given
        made = [top] if top.is_file() else (p for p in top.rglob("*") if p.is_file() and p.suffix != ".map")
        return sorted(str(path.relative_to(ROOT)) for path in made)
    listed = printed("git", "ls-files", "-co", "--exclude-standard", "--", given)
    return sorted({name for name in listed if (ROOT / name).is_file()})


@functools.cache
def machine():
    """Returns what is on this machine: tools, browsers, Python's packages, older TensorFlows, the corpus."""
    tools = ["c++", "clang++", "em++", "cmake", "python3", "node", "chromium", "firefox-esr", "WebKitWebDriver"]
    lines = [line for tool in tools for line in printed(tool, "--version")]
    for pattern in ["build/tensorflow/lib/python*/site-packages/*", "build/compat/*/*.so"]:
        lines += sorted(str(path) for path in ROOT.glob(pattern))
    corpus = ROOT.parent / "shared/corpus/FILES.tsv"
    return "\n".join([*lines, corpus.read_text() if corpus.exists() else "no corpus"])


def key_of(suite):
    """Returns a hash of the suite's command, of the content of its inputs and of the machine."""
    digest = hashlib.sha256((suite.command + machine()).encode())
    for path in sorted({path for given in suite.inputs for path in files_of(given)}):
        digest.update(f"{path} {content_hash(path)}\n".encode())
    return digest.hexdigest()


def tasks_of(wanted):
    """Returns the builds that suites need, and the suites. The builds of a preset run one after the other."""
    tasks, last = {}, {}
    for build in [build for suite in wanted for build in suite.builds]:
        if build_name(build) not in tasks:
            preset = build.partition(":")[0]
            before = [last[other] for other in [preset, *AFTER.get(preset, [])] if other in last]
            last[preset] = build_name(build)
            tasks[last[preset]] = Task(last[preset], f"scripts/build {build}", after=before)
    for suite in wanted:
        after = [build_name(build) for build in suite.builds]
        tasks[suite.name] = Task(suite.name, suite.command, suite.cores, after, suite)
    return tasks


def build_name(build):
    return f"build {build}"  # a suite may have the name alone


class Run:
    """Tasks that run at the same time, and their results."""

    def __init__(self, tasks, again):
        self.tasks = tasks
        self.again = again
        self.is_single = sum(task.suite is not None for task in tasks.values()) == 1
        self.free = CORES
        self.changed = threading.Condition()

    def run(self):
        waiting = list(self.tasks.values())
        threads = []
        with self.changed:
            while waiting:
                ready = next((task for task in waiting if self.is_ready(task)), None)
                if ready is None:
                    assert self.free < CORES, f"tasks that wait for each other: {[task.name for task in waiting]}"
                    self.changed.wait()
                    continue
                waiting.remove(ready)
                self.free -= ready.cores
                threads.append(threading.Thread(target=self.finish, args=[ready]))
                threads[-1].start()
        for thread in threads:
            thread.join()

    def is_ready(self, task):
        return task.cores <= self.free and all(self.tasks[name].result for name in task.after)

    def finish(self, task):
        try:
            self.execute(task)
        except Exception as error:  # such as a file that vanished: the table has to come all the same
            print(f"{task.name}: {error!r}")
            task.result, task.failed = "FAILED", 1
        with self.changed:
            self.free += task.cores
            self.changed.notify()

    def execute(self, task):
        log, mark = LOGS / f"{re.sub('[ :,]', '_', task.name)}.log", LOGS / f"{task.name}.passed"
        broken = [name for name in task.after if not self.tasks[name].ok]
        if broken:
            task.result, task.failed = "FAILED", 1
            return say(task, f"not run: {', '.join(broken)} could not be built")
        key = key_of(task.suite) if task.suite else ""
        if task.suite and not self.again and mark.exists() and mark.read_text().split()[0] == key:
            task.result, task.passed = "unchanged", int(mark.read_text().split()[1])
            return None
        mark.unlink(missing_ok=True)
        status = self.spawn(task, log)
        text = log.read_text(errors="replace")
        counts = SUMMARY.findall(text)
        task.passed, task.failed = map(int, counts[-1]) if counts else (0, 0)
        if not task.suite:
            task.result = "FAILED" if status else "built"
            task.failed = int(status != 0)
        elif status or task.failed or not task.passed:
            task.result, task.failed = "FAILED", task.failed or 1  # it ended early, or ran nothing
        else:
            task.result = "passed"
            mark.write_text(f"{key}\n{task.passed}\n")
        if not (self.is_single and task.suite):
            say(task, text if not task.ok else "\n".join(line for line in text.splitlines() if LOUD.search(line)))
        return None

    def spawn(self, task, log):
        """Runs a task's command with its output in `log`, and returns its exit status."""
        start = time.monotonic()
        into = f" 2>&1 | tee {log}" if self.is_single and task.suite else f" >{log} 2>&1"
        process = subprocess.Popen(
            ["bash", "-c", f"set -o pipefail; {{ {task.command}; }}{into}"], cwd=ROOT, stdin=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        task.seconds, task.processor_seconds = time.monotonic() - start, used.ru_utime + used.ru_stime
        return process.returncode


PRINTING = threading.Lock()


def say(task, text):
    with PRINTING:
        print(f"\033[1m{task.row}\033[0m", text, sep="\n" if text else "", flush=True)


def run_and_report(wanted, again):
    """Runs suites, prints a table of them, and returns the exit status."""
    LOGS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    machine()  # before there are threads, each of which would ask every tool
    run = Run(tasks_of(wanted), again)
    run.run()
    tasks = run.tasks.values()
    print(f"\n\033[1m{'':32} {'result':9} {'passed':>8} {'failed':>8} {'secs':>6} {'cpu':>6}\033[0m")
    print("\n".join(task.row for task in tasks))
    print(f"{'all':60} {time.monotonic() - start:6.0f}")
    passed, failed = sum(task.passed for task in tasks if task.suite), sum(task.failed for task in tasks)
    print(f"\n{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def main(arguments):
    if arguments == ["--list"]:
        for suite in suites.SUITES:
            print(f"{suite.name:10} {suite.proves}")
        return 0
    again = arguments[:1] == ["--again"]
    names = arguments[again:]
    unknown = set(names) - {suite.name for suite in suites.SUITES}
    if unknown:
        sys.exit(f"No such suite: {', '.join(sorted(unknown))}. scripts/test --list has them.")
    return run_and_report([suite for suite in suites.SUITES if not names or suite.name in names], again or bool(names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
