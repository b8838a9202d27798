"""Compares the verdicts of `cryograph compat` on other runtimes with these runtimes (scripts/runtimes.py)."""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

import graphs
import made_graphs
import runtimes
import tfjs_runtime
from tensorflow.core.framework import graph_pb2

SECONDS = 600  # for a graph: a guard against hanging
LARGEST = 150_000_000  # bytes
LEAST = {"tfjs": 0.97, "opencv": 0.95}  # of the verdicts are right
OTHER_LEAST = 0.9
FITTED = ("1.2", "1.4", "1.8", "1.12", "1.15")


class Asked:
    """A graph, its ends, and the verdicts on it."""

    def __init__(self, program, name, path, inputs, outputs):
        self.name, self.path, self.inputs, self.outputs = name, path, inputs, outputs
        self.verdicts = {each["name"]: each for each in report(program, "compat", path)["targets"]} if inputs else {}

    def is_asked(self):
        """Returns true if it is a graph of use that TensorFlow itself runs. Without inputs it is a constant."""
        latest = [name for name in self.verdicts if name.startswith("tensorflow-")][-1] if self.inputs else ""
        return bool(latest) and self.verdicts[latest]["runs"] and self.path.stat().st_size < LARGEST

    def answer(self, runtime):
        """Returns "" if the runtime takes it, else why not; None if that could not be found out."""
        if runtime == "tfjs":
            return tfjs_runtime.answer(self.path, self.inputs, self.outputs)

        def asked():
            graph = graph_pb2.GraphDef.FromString(self.path.read_bytes())
            try:
                runtimes.ASK[runtime](graph, self.inputs, self.outputs)
            except runtimes.Refused as error:
                return str(error) or "refused"
            except KeyError:  # an output that is no tensor
                return None
            except Exception as error:  # of another kind for each runtime
                return None if "Inputs/Outputs Not Found" in str(error) else f"{type(error).__name__}: {error}"
            return ""

        answer = runtimes.in_child(asked, SECONDS)
        return "it ends the process" if answer is None and runtime in runtimes.CRASHING else answer


def frozen(program, name, path):
    """Returns a model as `cryograph freeze` makes it. It has no inputs if it cannot be frozen."""
    folder, _, inside = name.partition("/")
    source = os.path.join(graphs.FOLDERS[folder], inside.partition("#")[0])
    if os.path.basename(source).startswith("saved_model."):
        source = os.path.dirname(source)
    return frozen_with(program, name, source, path) or Asked(program, name, path, [], [])


def frozen_with(program, name, source, path, *options):
    """Returns what `cryograph freeze` makes of a file with some options; None if it refuses."""
    freeze = [program, "freeze", source, "-o", path, "--force", "--quiet", *options]
    if subprocess.run(freeze, **quiet(), check=False).returncode:
        return None
    model = report(program, "inspect", path)
    return Asked(program, name, path, *([tensor(each["name"]) for each in model[end]] for end in ("inputs", "outputs")))


def least(runtime):
    """Returns the part of the verdicts on a runtime that have to be right."""
    return LEAST.get(runtime, OTHER_LEAST)


def quiet():
    return {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def report(program, verb, path):
    said = subprocess.run(
        [program, verb, path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    return json.loads(said.stdout)


def tensor(name):
    return name if ":" in name else f"{name}:0"


def compare(program, names, folders):
    """Yields (runtime, how many verdicts are right, how many there are, a line for each that is wrong)."""
    with tempfile.TemporaryDirectory() as work:
        chosen = [name for name, _ in graphs.found() if name.split("/")[0] in folders]
        paths = [pathlib.Path(work) / f"{place}.pb" for place in range(len(chosen))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda name, path: frozen(program, name, path), chosen, paths))
        found = [each for each in distinct(found) if each.is_asked()]
        if "corpus" in folders:
            print_repaired(program, found, pathlib.Path(work))
        for runtime in names:
            made = made_graphs.running(work) if runtime in ("tfjs", "opencv") else []
            asked = found + [Asked(program, name, path, inputs, ["probe:0"]) for name, path, inputs in made]
            answers = [(each, each.answer(runtime)) for each in asked]
            wrong = []
            for each, answer in answers:
                verdict = each.verdicts[runtime]
                if answer is None or verdict["runs"] == (answer == ""):
                    continue
                said = "; ".join(f"{cause['op']}: {cause['why']}" for cause in verdict["blockers"][:3]) or "runs"
                wrong.append(f"{runtime}\t{each.name}\t{said}\t{' '.join(answer.split())[:300] or 'runs'}")
            known = sum(answer is not None for _, answer in answers)
            right = known - len(wrong)
            if "corpus" in folders:
                wrong += refused_fixes(program, found, runtime, pathlib.Path(work))
            yield runtime, right, known, wrong


def words_of(fix):
    """Returns the options of "freeze with --a x and --b", and of a cut: "without ...: freeze with --a x". "freeze it" has none."""
    return [word for word in shlex.split(fix.partition("freeze with ")[2]) if word != "and"]


def fix_of(verdict):
    """Returns the fix or the cut that a verdict names; "" if there is none that is an option of freeze."""
    fix = verdict.get("fix") or verdict.get("cut", "")
    return fix if "freeze" in fix else ""


def refused_fixes(program, found, runtime, work):
    """Prints how many graphs that freeze makes with the fixes for a runtime it takes. Yields a line for each of the others."""
    fixes = [(each, fix_of(each.verdicts[runtime])) for each in found]
    fixes = [(each, fix) for each, fix in fixes if fix]
    made, taken = 0, 0
    for each, fix in fixes:
        fixed = frozen_with(program, each.name, each.path, work / "fixed.pb", *words_of(fix))
        if not fixed:
            continue
        answer = fixed.answer(runtime)
        made += 1
        taken += answer == ""
        if answer:
            yield f"{runtime}\t{each.name}\t{fix}\t{' '.join(answer.split())[:300]}"
    print(f"{runtime}: of {len(fixes)} fixes freeze does {made}, and {taken} results run")


def print_repaired(program, found, work):
    """Prints how many of the graphs that a release does not load `freeze --for` makes load."""
    for release in FITTED:
        target = f"tensorflow-{release}"
        options = ["-o", work / "fitted.pb", "--force", "--for", target, "--drop-checks", "--quiet"]
        refused = [each for each in found if not each.verdicts[target]["loads"]]
        codes = [subprocess.run([program, "freeze", each.path, *options], **quiet(), check=False) for each in refused]
        fitted = sum(each.returncode == 0 for each in codes)
        print(f"{release}: of {len(refused)} frozen graphs that do not load, freeze --for makes {fitted} load")


def distinct(found):
    """Yields one of those with the same bytes."""
    seen = set()
    for each in found:
        key = each.path.read_bytes() if each.inputs else b""
        if hash(key) not in seen:
            seen.add(hash(key))
            yield each
