"""The committed inputs: a file a target, an input a line, in base64."""

import base64
import itertools
import pathlib
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus"
MOST_BYTES = 6000  # of a target's inputs
LONGEST = 256


def inputs(target):
    path = FOLDER / f"{target}.txt"
    return [base64.b64decode(line) for line in path.read_text().splitlines()] if path.exists() else []


def keep(program, target, found):
    """Adds the shortest inputs of the folder `found` that together reach what all of that length reach, as many as there is room for."""
    with tempfile.TemporaryDirectory() as scratch:
        short, merged = pathlib.Path(scratch) / "short", pathlib.Path(scratch) / "merged"
        short.mkdir()
        merged.mkdir()
        for i, content in enumerate(itertools.chain(inputs(target), (path.read_bytes() for path in found.iterdir()))):
            if 0 < len(content) <= LONGEST:
                (short / str(i)).write_bytes(content)
        subprocess.run([program, f"--target={target}", "-merge=1", merged, short], capture_output=True, check=False)
        room, lines = MOST_BYTES, []
        for content in sorted((path.read_bytes() for path in merged.iterdir()), key=lambda each: (len(each), each)):
            room -= len(content)
            if room >= 0:
                lines.append(base64.b64encode(content).decode() + "\n")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{target}.txt").write_text("".join(lines))
    print(f"{target}: {len(lines)} inputs", flush=True)
