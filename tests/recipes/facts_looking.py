"""Facts of docs/recipes/inspect.md, concepts.md and the pages without a subject of their own."""

import fnmatch
import xml.etree.ElementTree

import tensorflow as tf
from recipe import ROOT


def inspect_checkpoint(place):
    assert "27, 29793 parameters" in place.printed  # the page shows all that matters


def names(place):
    assert place.printed.startswith("image ")


def signatures(place):
    signature = tf.saved_model.load(place.path("saved_model")).signatures["serving_default"]
    assert list(signature.structured_outputs) == ["output_0"] and "out  output_0" in place.printed


def list_weights(place):
    listed = {line.split()[0] for line in place.printed.splitlines() if "  checkpoint  " in line}
    held = {name for name, _ in tf.train.list_variables(place.path("model.ckpt"))}
    assert listed == {name for name in held if fnmatch.fnmatch(name, "readout/*") and name.count("/") == 1}


def find_nodes(place):
    assert len(place.printed.splitlines()) == 4


def picture(place):
    assert xml.etree.ElementTree.parse(place.path("model.svg")).getroot().tag.endswith("svg")
    html = (place.folder / "model.html").read_text()
    assert "<html" in html and "https://" not in html


def draw_concepts(place):
    """The pictures of docs/concepts.md are what its commands draw."""
    for name in ("training", "inference", "freezing"):
        kept = (ROOT / f"docs/pictures/{name}.svg").read_text()
        drawn = (place.folder / f"{name}.svg").read_text()
        assert kept == drawn, f"docs/pictures/{name}.svg is not what the page's commands draw"
