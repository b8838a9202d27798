"""Compares the verdicts of `cryograph compat` on other runtimes with these runtimes (scripts/runtimes.py)."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import graphs
import runtimes
from tensorflow.core.framework import graph_pb2

SECONDS = 120  # for a graph
LARGEST = 150_000_000  # bytes
LEAST = 0.9  # of the verdicts are right


class Frozen:
    """A model as `cryograph freeze` makes it, its ends, and the verdicts on it."""

    def __init__(self, program, name, path):
        self.name, self.path, self.inputs = name, path, []
        folder, _, inside = name.partition("/")
        source = os.path.join(graphs.FOLDERS[folder], inside.partition("#")[0])
        if os.path.basename(source).startswith("saved_model."):
            source = os.path.dirname(source)
        if subprocess.run([program, "freeze", source, "-o", path, "--quiet"], **quiet(), check=False).returncode:
            return
        model = report(program, "inspect", path)
        self.inputs, self.outputs = ([tensor(each["name"]) for each in model[end]] for end in ("inputs", "outputs"))
        self.verdicts = {each["name"]: each for each in report(program, "compat", path)["targets"]}

    def is_asked(self):
        """Returns true if it is a graph of use that TensorFlow itself runs. Without inputs it is a constant."""
        latest = [name for name in self.verdicts if name.startswith("tensorflow-")][-1] if self.inputs else ""
        return bool(latest) and self.verdicts[latest]["runs"] and self.path.stat().st_size < LARGEST

    def answer(self, runtime):
        """Returns "" if the runtime takes it, else why not; None if that could not be found out."""

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

        return runtimes.in_child(asked, SECONDS)


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
            found = list(pool.map(lambda name, path: Frozen(program, name, path), chosen, paths))
        found = [each for each in distinct(found) if each.is_asked()]
        for runtime in names:
            answers = [(each, each.answer(runtime)) for each in found]
            wrong = []
            for each, answer in answers:
                verdict = each.verdicts[runtime]
                if answer is None or verdict["runs"] == (answer == ""):
                    continue
                said = "; ".join(f"{cause['op']}: {cause['why']}" for cause in verdict["blockers"][:3]) or "runs"
                wrong.append(f"{runtime}\t{each.name}\t{said}\t{' '.join(answer.split())[:300] or 'runs'}")
            known = sum(answer is not None for _, answer in answers)
            yield runtime, known - len(wrong), known, wrong


def distinct(found):
    """Yields one of those with the same bytes."""
    seen = set()
    for each in found:
        key = each.path.read_bytes() if each.inputs else b""
        if hash(key) not in seen:
            seen.add(hash(key))
            yield each
