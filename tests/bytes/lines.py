"""The command lines that are compared: over the models of tests/data, web/samples and the corpus, where it is there."""

import json
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
CORPUS = ROOT.parent / "shared" / "corpus"
OF_A_LINE = 8  # models


def known_outputs():
    """Returns the outputs of the fixtures by their paths; a frozen graph has those of its folder."""
    known = {ROOT / "web/samples/digits/model.ckpt.meta": ["probabilities"]}
    for fixture in json.loads((DATA / "fixtures.json").read_text()).values():
        path = DATA / fixture["path"]
        known[path] = fixture["outputs"]
        if "latest" in fixture:
            known[path / f"{fixture['latest']}.meta"] = fixture["outputs"]
        if "frozen" in fixture:
            known[path.parent / fixture["frozen"]] = fixture["outputs"]
    return known


def models():
    """Returns the laws' models, and files of the same endings that are no models: all programs must then say so."""
    found = []
    for folder in [DATA, ROOT / "web/samples", CORPUS]:
        found += sorted(path for path in folder.rglob("*") if path.suffix in {".meta", ".pb"} and path.is_file())
    return found


def interrupted(folder):
    """Makes a folder as a save leaves it that was interrupted before it merged its parts. Returns the graph's path."""
    parts = folder / "model.ckpt_temp_4f1c"
    parts.mkdir(parents=True, exist_ok=True)
    for name, to in [
        ("model.ckpt.meta", folder / "model.ckpt.meta"),
        ("model.ckpt.index", parts / "part-00000-of-00001.index"),
        ("model.ckpt.data-00000-of-00001", parts / "part-00000-of-00001.data-00000-of-00001"),
    ]:
        shutil.copy(DATA / "ref" / name, to)
    return folder / "model.ckpt.meta"


def lines_about_folders(made):
    """Returns lines about which files belong to a path: each host lists the folders. `made`: a folder for files."""
    graph = interrupted(made / "interrupted")
    folders = sorted(path for path in DATA.rglob("*") if path.is_dir())
    for first in range(0, len(folders), OF_A_LINE):
        yield ["inspect", *folders[first : first + OF_A_LINE], "--json"]
    for path in [graph, graph.with_suffix(""), graph.parent, f"{graph.parent}/", DATA / "saved_models/none"]:
        yield ["inspect", path, "--json"]
        yield ["freeze", path, "-o", "out.pb", "--json"]
        yield ["list", path, "weights", "--json"]
    for path in sorted(DATA.glob("saved_models/**/saved_model.pb")):
        yield ["list", path, "weights", "--json"]
        yield ["freeze", path, "-o", "out.pb", "--json"]
    yield ["freeze", DATA / "ref/model.ckpt.meta", "--checkpoint", graph.with_suffix(""), "-o", "out.pb", "--json"]


def lines_about_formats():
    """Returns lines whose format holds less than the model, and pictures: what the programs refuse, and report."""
    graph = DATA / "ref/model.ckpt.meta"
    for out in ["out.npz", "out.safetensors", "out.pkl"]:
        yield ["freeze", graph, "-o", out, "--json"]
        yield ["validate", graph, "--fix", "-o", out, "--json"]
        yield ["convert", graph, "-o", out, "--json"]
    yield ["edit", graph, "--add-signature", "serve=x->y", "-o", "out.pb", "--json"]
    for out in ["out.json", "out.svg", "out.html", "out.png"]:
        yield ["draw", graph, "-o", out, "--json"]
    yield ["draw", graph, "--against", DATA / "ref/frozen.pb", "-o", "out.json", "--json"]
    yield ["convert", graph, "-o", "out.meta", "--snippet", "--json"]


def command_lines(made):
    """Each writes to `out`, in a directory of its own. A line inspects several models: its report has one of each."""
    known = known_outputs()
    paths = models()
    for verb in ["inspect", "validate"]:
        for first in range(0, len(paths), OF_A_LINE):
            yield [verb, *paths[first : first + OF_A_LINE], "--json"]
    yield from lines_about_folders(made)
    yield from lines_about_formats()
    for path in paths:
        outputs = known.get(path, [])
        wanted = ["--outputs", ",".join(outputs)] if outputs else []
        yield ["prune", path, "-o", "out.pb", "--json", *wanted]
        if path.suffix == ".meta":
            yield ["freeze", path, "-o", "out.pb", "--json", *wanted]
        else:
            yield ["unfreeze", path, "-o", "out.ckpt", "--json"]


# The lines of a snapshot for every model; `{}` are its known outputs. A model without known outputs has no lines with `{}`.
OF_ALL = """
inspect --json --checksum
list nodes
list ops
list weights --json
list inputs
list outputs --json
list signatures
list functions
compat --json
compat
validate
validate --json --fix -o out.pb
draw -o out.json
draw -o out.svg
draw -o out.svg --raw --depth 2
prune -o out.pb
prune -o out.pbtxt --json --outputs {}
prune -o out.pb --json --inference --drop-checks --splice-identities --clear-devices --strip-defaults --outputs {}
prune -o out.pb --json --like-tensorflow --outputs {}
freeze -o out.pb
freeze -o out.pb --json --verbose --outputs {}
freeze -o out.pb --json --like-tensorflow --outputs {}
freeze -o out.meta --json --inference --fold-batch-norm --fold-constants --merge-duplicates --quantize-weights
freeze -o out.pb --json --inference --drop-checks --splice-identities --clear-devices --strip-defaults --no-record --outputs {}
freeze -o out.pb --json --no-inline --fold-assets
freeze -o out.pb --json --lower-control-flow --ema
freeze -o out.pb --json --for tensorflow-1.12
freeze -o out.ckpt --json --keep-variables **/*ias* --cast float32=float16
freeze -o saved/ --json
freeze -o out.json --json
unfreeze -o out.ckpt --json --verbose
unfreeze -o saved/ --json --style resource --resource-gather
unfreeze -o out.ckpt --json --style ref --initial-values --rename **=scope/**
edit -o out.meta --json --batch 3
edit -o out.pb --json --redact
edit -o out.pb --json --rename **=scope/**
weights -o out.npz --json
weights -o out.safetensors --json --no-slots --ema
weights -o out.ckpt --json --salvage --cast float32=float16
convert -o out.pbtxt --json
convert -o out.json --json
convert -o out.meta --json --salvage
""".strip().splitlines()
OF_PAIRS = ["diff {} {} --json", "diff {} {}", "transfer --from {} --into {} -o out.ckpt --json"]


def opened():
    """Returns everything below the data that a person might open: files of models, and their folders."""
    endings = set(".meta .pb .pbtxt .index .json .npz .safetensors .zip .gz .tar .tflite .cpb".split())
    for folder in [DATA, ROOT / "web/samples", CORPUS]:
        for path in sorted(folder.rglob("*")):
            if path.suffix in endings if path.is_file() else (path / "saved_model.pb").exists():
                yield path


def all_lines():
    """Returns the lines of a snapshot: main options of each verb over everything."""
    known, last = known_outputs(), None
    for path in opened():
        outputs = ",".join(known.get(path, []))
        for line in OF_ALL:
            if "{}" not in line or outputs:
                verb, *rest = line.split()
                yield [verb, path, *(word.replace("{}", outputs) for word in rest)]
        for line in OF_PAIRS if last else []:
            words = iter([last, path])
            yield [next(words) if word == "{}" else word for word in line.split()]
        last = path
