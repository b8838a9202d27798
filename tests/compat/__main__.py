"""Compares core/data/op_histories.bin, and `cryograph compat`, with real TensorFlows.

    build/tensorflow/bin/python tests/compat               the installed TensorFlow, and those that scripts/setup --tests brings
    build/tensorflow/bin/python tests/compat --all         downloads more (0.9 GB), asks all runtimes for all graphs, and writes
                                                           build/compat/verdicts.tsv and runtimes.tsv
    build/tensorflow/bin/python tests/compat 1.4.0 2.4.0   downloads these

Fails if a release has other ops or kernels than the file, or if a verdict is wrong where the rules decide.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../data/fixtures"), os.path.join(HERE, "../../scripts")]
import graphs  # noqa: E402  (the path comes first)
import histories  # noqa: E402
import importer  # noqa: E402
import made_graphs  # noqa: E402
import newer_graphs  # noqa: E402
import numpy as np  # noqa: E402
import op_histories  # noqa: E402
import other_runtimes  # noqa: E402
import runner  # noqa: E402
import runtime_ops  # noqa: E402
import runtimes  # noqa: E402
import tensorflow_releases  # noqa: E402

PROGRAM = os.path.join(HERE, "../../build/release/cryograph")
ALL = ("1.2.0", "1.4.0", "1.8.0", "1.12.0", "1.15.0", "2.4.0", "2.12.0")
INSTALLED = "installed"
LOADS, RUNS = 0.98, 0.97  # of the verdicts are right
FEWEST = 50  # of fewer graphs that load, as without the corpus, the share that runs says nothing

# Refusals by shape functions of TensorFlow 1.2 that later releases made less strict. The verdict has the latest release's.
# An annotation that contradicts what a release infers counts for the latest release alone: earlier ones infer fewer shapes.
OLD_SHAPES = re.compile(
    r"Dimension size, given by scalar input 2, must be non-negative"
    r"|Trying to initialize handle for variable with wrong dtype|has an _output_shapes attribute inconsistent"
)
RUN_ON_XLA = ("1.12",)  # has kernels for XLA's CPU, and its C API cannot choose the device
LACKING = ("no-checkpoint", "no-outputs")  # freeze needs what the graph alone does not have
NO_KERNEL = re.compile("No OpKernel was registered|no supported kernel")


def is_known_gap(name, message):
    """Returns true if a release may refuse a graph that has the verdict "loads": by a shape function of 1.2, or by that of an op
    of which cryograph does not infer shapes, in a made graph.
    """
    return bool(OLD_SHAPES.search(message)) or name.startswith("made/")


def fitted_to(release, path, *options):
    """Writes the graph PATH.pb as `freeze --for` makes it for a release; returns its path, None if it is refused."""
    out = f"{path}.{release}.pb"
    said = subprocess.run(
        [PROGRAM, "freeze", f"{path}.pb", "-o", out, "--for", f"tensorflow-{release}", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return out if said.returncode == 0 else None


def repaired(path, release, fix):
    """Writes the graph PATH.pb as freeze makes it with the options of a target's fix; returns its path and the errors."""
    words = other_runtimes.words_of(fix)
    out = f"{path}.{release}.fixed.pb"
    done = subprocess.run(
        [PROGRAM, "freeze", f"{path}.pb", "-o", out, *words, "--json"], stdout=subprocess.PIPE, check=False
    )
    errors = [each for each in json.loads(done.stdout)["diagnostics"] if each["severity"] == "error"]
    return out, errors


class Product:
    """The report of `cryograph compat` on a graph, by release."""

    def __init__(self, path):
        self.path = path
        os.symlink(path, f"{path}.pb")
        said = subprocess.run([PROGRAM, "compat", f"{path}.pb", "--json"], stdout=subprocess.PIPE, check=False)
        report = json.loads(said.stdout)
        self.targets = {each["name"]: each for each in report.get("targets", [])}
        self.error = "" if self.targets else report["diagnostics"][-1]["message"]

    def refusal(self, release):
        """Returns why the release does not load the graph; "" if it does."""
        target = self.targets.get(f"tensorflow-{release}")
        if not target:
            return f"cannot: {self.error}"
        return "" if target["loads"] else json.dumps(target["blockers"][:3])

    def fix(self, release):
        """Returns the fix or cut of a release that does not run the graph; "" if none is named."""
        return other_runtimes.fix_of(self.targets.get(f"tensorflow-{release}", {}))

    def runs(self, release):
        return self.targets[f"tensorflow-{release}"]["runs"]

    def obstacle(self, release):
        """Returns what keeps a graph that loads from running; "" if nothing does."""
        return "" if self.runs(release) else json.dumps(self.targets[f"tensorflow-{release}"]["blockers"][:3])

    def lacks_kernel(self, release):
        """In the graph itself: TensorFlow looks for a function's kernels when it runs it."""
        blockers = self.targets[f"tensorflow-{release}"]["blockers"]
        return any("no kernel" in each["why"] and not each.get("function") for each in blockers)


class Judged:
    """One release and its verdicts on all graphs."""

    def __init__(self, release, found, paths, products):
        folder = None if release == INSTALLED else str(tensorflow_releases.folder_of(release))
        self.answers = op_histories.answers_of(folder)
        self.name = ".".join(self.answers["version"].split(".")[:2])
        self.history = histories.releases()[self.name]
        self.loads = importer.judge(paths, whole=True, libraries=folder)
        self.refusals = [product.refusal(self.name) for product in products]
        self.found = found
        self.products = products
        self.libraries = folder
        self.loaded = [place for place, said in enumerate(self.loads) if said["code"] == 0]
        chosen = [paths[place] for place in self.loaded]
        self.prepared = importer.judge(chosen, whole=True, libraries=folder, runs=True)

    def agreement(self):
        """Returns (how many verdicts "loads" are right, how many "runs" are, of the graphs that load too)."""
        loads = sum((said["code"] == 0) == (not refusal) for said, refusal in zip(self.loads, self.refusals))
        asked = [self.products[place] for place in self.loaded]
        runs = sum(
            bool(product.targets) and product.runs(self.name) == (said["code"] == 0)
            for product, said in zip(asked, self.prepared)
        )
        return loads, runs

    def summary(self):
        loads, runs = self.agreement()
        right = sum(said["code"] == 0 for said in self.prepared)
        return (
            f"{self.name}: {len(self.loaded)} of {len(self.loads)} load, and the verdict is right for {loads}"
            f" ({loads / len(self.loads):.1%}); {right} of these run, and it is right for {runs}"
            f" ({runs / max(len(self.loaded), 1):.1%})"
        )

    def tests(self):
        numbers = [self.test_numbers] if self.libraries else []  # the installed one is the measure
        return [
            *(self.test_ops, self.test_kernels, self.test_loads, self.test_fitted, self.test_fixes),
            *(self.test_runs, self.test_agreement, *numbers),
        ]

    def test_agreement(self):
        """Its verdicts are right often enough."""
        loads, runs = self.agreement()
        are_few = len(self.loaded) < FEWEST
        enough = loads >= LOADS * len(self.loads) and (are_few or runs >= RUNS * len(self.loaded))
        return [] if enough else [self.summary()]

    def test_ops(self):
        """Its ops are those of the history."""
        ops = op_histories.definitions_of(self.answers)
        wanted = {name: op_histories.definition(op) for name, op in self.history.ops.items()}
        return [f"op {name}" for name in sorted(ops.keys() | wanted) if ops.get(name) != wanted.get(name)]

    def test_kernels(self):
        """Its kernels are those of the history."""
        kernels, wrong = op_histories.kernels_of(self.answers), []
        for name in self.history.ops:
            wanted = [kernel.SerializeToString(deterministic=True) for kernel in self.history.kernels.get(name, [])]
            if kernels.get(name, []) != wanted:
                wrong.append(f"kernels of {name}")
        return wrong

    def test_loads(self):
        """The verdict is the importer's."""
        wrong = []
        for (name, _), said, refusal in zip(self.found, self.loads, self.refusals):
            if refusal and said["code"] == 0:
                wrong.append(f"{name} loads, and the verdict is: {refusal}")
            elif not refusal and said["code"] != 0 and not is_known_gap(name, said["message"]):
                wrong.append(f"{name} is refused: {said['message'][:300]}")
        return wrong

    def test_fitted(self):
        """The release loads and runs each graph that it refused and `freeze --for` takes."""
        refused = [place for place, said in enumerate(self.loads) if said["code"] != 0]
        fitted = [(place, fitted_to(self.name, self.products[place].path, "--drop-checks")) for place in refused]
        fitted = [(place, path) for place, path in fitted if path]
        print(f"{self.name}: of {len(refused)} graphs that do not load, freeze --for makes {len(fitted)} load")
        return self.faults_of(fitted)

    def faults_of(self, made):
        """Returns a line for each graph, of (place, path), that the release does not load or has no kernel for."""
        paths = [path for _, path in made]
        loads = importer.judge(paths, whole=True, libraries=self.libraries)
        runs = importer.judge(paths, whole=True, libraries=self.libraries, runs=True)
        return [
            f"{self.found[place][0]}: {loaded['message'][:300]} {ran['message'][:300]}"
            for (place, _), loaded, ran in zip(made, loads, runs)
            if (loaded["code"] != 0 and not is_known_gap(self.found[place][0], loaded["message"]))
            or NO_KERNEL.search(ran["message"])
        ]

    def test_fixes(self):
        """The release loads and runs what freeze makes of a graph with the options that the verdict names."""
        with_fix = [place for place, product in enumerate(self.products) if product.fix(self.name)]
        fixed, refused = [], []
        for place in with_fix:
            product = self.products[place]
            path, errors = repaired(product.path, self.name, product.fix(self.name))
            if not errors:
                fixed.append((place, path))
            elif errors[0]["code"] not in LACKING:
                refused.append(f"{self.found[place][0]}: {errors[0]['message'][:300]}")
        print(f"{self.name}: of {len(with_fix)} fixes freeze does {len(fixed)}")
        return refused + self.faults_of(fixed)

    def test_runs(self):
        """Nodes without a kernel are those that the history gives none."""
        wrong = []
        for place, said in zip(self.loaded, self.prepared):
            name, product = self.found[place][0], self.products[place]
            if not product.targets:
                continue  # test_loads reports it
            is_missing = bool(NO_KERNEL.search(said["message"]))
            if said["code"] != 0 and not is_missing:
                continue  # it stops before: test_agreement counts it
            if said["code"] == 0 and self.name in RUN_ON_XLA:
                continue
            if product.lacks_kernel(self.name) != is_missing:
                verdict = product.obstacle(self.name) or "runs"
                wrong.append(f"{name}: {verdict}, and TensorFlow: {said['message'][:300]}")
        return wrong

    def test_numbers(self):
        """The numbers: what `freeze --for` makes of newer graphs computes there what they compute here."""
        wrong = []
        with tempfile.TemporaryDirectory() as work:
            names = [each.__name__ for each in newer_graphs.EXACT]
            paths = [os.path.join(work, name) for name in names]
            for name, path in zip(names, paths):
                newer_graphs.write(name, f"{path}.pb")
            fitted = [fitted_to(self.name, path, "--outputs", "y") for path in paths]
            wanted = [newer_graphs.run(f"{path}.pb") for path in paths]
            found = runner.run([path or "" for path in fitted], newer_graphs.X, self.libraries)
            for name, here, there in zip(names, wanted, found):
                if isinstance(there, str):
                    wrong.append(f"{name}: {there[:300]}")
                elif not np.allclose(here.ravel(), there, rtol=1e-4, atol=1e-5, equal_nan=True):
                    wrong.append(f"{name}: up to {np.abs(here.ravel() - there).max()} apart")
        return wrong

    def rows(self):
        """Yields the lines of the table."""
        prepared = dict(zip(self.loaded, self.prepared))
        for place, ((name, _), said, refusal) in enumerate(zip(self.found, self.loads, self.refusals)):
            ran = prepared.get(place, said)
            outcome = "refused" if said["code"] else "loads" if ran["code"] else "runs"
            message = " ".join(ran["message"].split())[:200]
            product = self.products[place]
            verdict = refusal or (product.obstacle(self.name) if product.targets else "")
            yield "\t".join([self.name, name, outcome, message, verdict])


def test_lists():
    """core/data/runtime_ops.json has the ops that the installed TensorFlow.js and TensorFlow list."""
    written = runtime_ops.written()
    version, names = runtime_ops.listed_by_tfjs()
    same = (written["tfjs"]["version"], written["tfjs"]["ops"].keys()) == (version, set(names))
    return ["tfjs"] * (not same) + ["tflite-select"] * (runtime_ops.report("tflite-select") != written["tflite-select"])


def runtime_tests(everything, table):
    """Yields (name, test) for each runtime. `table`: gets a line for each verdict that is wrong."""
    if everything:
        runtimes.bring()
    names = ["tfjs", *runtimes.ASK] if everything else ["tflite"]
    for name, right, known, wrong in other_runtimes.compare(
        PROGRAM, names, list(graphs.FOLDERS) if everything else ["data"]
    ):
        print(f"{name}: the verdict is right for {right} of {known} graphs")
        table += wrong

        def test(name=name, right=right, known=known, wrong=wrong):
            """Its verdicts are the runtime's own."""
            return [] if known and right >= other_runtimes.least(name) * known else wrong

        yield name, test


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("releases", nargs="*")
    return parser.parse_args()


def chosen_releases(options):
    """Returns the releases to compare with, each in build/compat."""
    if options.all or options.releases:
        for release in options.releases or ALL:
            tensorflow_releases.bring(release)
        return [*(options.releases or ALL), INSTALLED]
    there = [release for release in tensorflow_releases.IN_SUITE if tensorflow_releases.is_there(release)]
    for release in sorted(set(tensorflow_releases.IN_SUITE).difference(there)):
        print(
            f"NOT COMPARED with TensorFlow {release}: build/compat does not have it. scripts/setup --tests brings it."
        )
    return [*there, INSTALLED]


def counted(tests):
    """Runs (name, test) and prints the findings. Returns how many passed, and failed."""
    failed = 0
    for name, test in tests:
        wrong = test()
        failed += bool(wrong)
        if wrong:
            print("\n  ".join([f"FAILED: {name}: {test.__doc__}", *wrong[:20]]))
    return len(tests) - failed, failed


def write_table(name, lines):
    (tensorflow_releases.FOLDER / name).write_text("\n".join([*lines, ""]), encoding="utf-8")


def main():
    options = arguments()
    found, table = [*graphs.found(), *(made_graphs.found() if options.all else ())], []
    if not os.path.isdir(graphs.FOLDERS["corpus"]):
        print("NOT COMPARED on the corpus of real models: it is not here. Shares of so few graphs say little.")
    wrong = []
    passed, failed = counted([("runtimes", test_lists), *runtime_tests(options.all, wrong)])
    with tempfile.TemporaryDirectory() as work:
        paths = [os.path.join(work, str(place)) for place in range(len(found))]
        for path, (_, graph) in zip(paths, found):
            with open(path, "wb") as file:
                file.write(graph.SerializeToString())
        products = [Product(path) for path in paths]
        for release in chosen_releases(options):
            judged = Judged(release, found, paths, products)
            counts = counted([(judged.name, test) for test in judged.tests()])
            passed, failed = passed + counts[0], failed + counts[1]
            print(judged.summary(), flush=True)
            table += judged.rows()
    if options.all:
        write_table("verdicts.tsv", ["release\tgraph\toutcome\tmessage\tverdict", *table])
        write_table("runtimes.tsv", ["runtime\tgraph\tverdict\toutcome", *wrong])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
