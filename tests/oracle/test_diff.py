"""diff: compares its report on two checkpoints with NumPy's on the arrays that TensorFlow reads from them."""

import os

import graphs
import numpy as np
from cases import FROZEN, WITH_WEIGHTS
from changed import changed, held, places_of
from program import call
from suite import Suite, expanded, folder, for_each, frozen

CASES = [case for case in WITH_WEIGHTS if not case.name.startswith("v1") and case.name not in ("types_v1", "renamed")]


def plain(array):
    """Returns an array as numbers that NumPy subtracts; quantized types are records of one field."""
    array = np.asarray(array)
    if array.dtype.names:
        array = array.view(array.dtype[0])
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    return array.astype(object) if array.dtype.kind in "iu" else array.astype(wide)


@expanded
class Diff(Suite):
    @for_each([case for case in [*CASES, *FROZEN]])
    def test_a_model_is_equal_to_itself(self, case):
        answer = call("diff", case.path, case.path)
        self.assertEqual(answer.status, 0, answer)
        self.assertTrue(answer.report["equal"], answer)

    @for_each(WITH_WEIGHTS)
    def test_weights_alone_are_equal_to_those_of_the_frozen_form(self, case):
        answer, path = frozen(case)
        if answer.status:
            self.skipTest("it cannot be frozen")
        answer = call("diff", case.path, path, "--weights")
        weights = answer.report["weights"]
        self.assertEqual([], weights["differing"] + weights["extra"], answer)
        self.assertIsNone(answer.report["structure"], answer)
        self.assertEqual(answer.status == 0, not weights["missing"], answer)
        whole = call("diff", case.path, path)
        self.assertEqual(1, whole.status, whole)

    @for_each(CASES)
    def test_differences_are_those_numpy_finds(self, case):
        arrays, _ = held(case)
        prefix, new = changed(case)
        alone = os.path.join(folder("diff", case.name), "weights.ckpt")
        # The keys as they are, without the graph that names them otherwise.
        for ending in sorted(os.listdir(os.path.dirname(case.prefix))):
            if ending.startswith(os.path.basename(case.prefix) + ".") and not ending.endswith((".meta", ".pbtxt")):
                link = alone + ending.removeprefix(os.path.basename(case.prefix))
                os.path.lexists(link) or os.symlink(os.path.join(os.path.dirname(case.prefix), ending), link)
        answer = call("diff", alone, prefix)
        self.assertEqual(answer.status, 1 if any(array.size for array in new.values()) else 0, answer)
        self.assertIsNone(answer.report["structure"], answer)
        differing = {each["name"]: each for each in answer.report["weights"]["differing"]}
        name_of = {key: key.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for key in arrays}
        self.assertEqual(set(differing), {name_of[key] for key in arrays if arrays[key].size}, answer)
        for key, array in arrays.items():
            if array.size:
                self.compare(differing[name_of[key]], array, new[key])

    def compare(self, found, a, b):
        places = places_of(a)
        self.assertEqual(int(found["count"]), len(places), found)
        self.assertEqual(int(found["firstIndex"]), places[0], found)
        self.assertEqual(
            found["firstPosition"], [int(one) for one in np.unravel_index(places[0], a.shape)] if a.shape else [], found
        )
        if a.dtype == object:
            return
        apart = [abs(plain(a).reshape(-1)[place] - plain(b).reshape(-1)[place]) for place in places]
        finite = [float(one) for one in apart if one == one]
        if finite and np.isfinite(max(finite)):
            self.assertAlmostEqual(found["largestAbsolute"], max(finite), delta=1e-12 * max(finite), msg=found)

    @for_each(CASES)
    def test_a_frozen_graph_holds_the_weights_of_its_checkpoint(self, case):
        freezing, path = frozen(case)
        if freezing.status != 0 or not freezing.report["converted"]:
            self.skipTest("was not frozen")
        answer = call("diff", path, case.path)
        self.assertIn(answer.status, (0, 1), answer)
        self.assertEqual([], answer.report["weights"]["differing"], answer)
        equal = {name for each in answer.report["weights"]["equal"] for name in (each["name"], each.get("other"))}
        parts = {each["name"] for each in freezing.report["converted"] if "/part_" in each["name"]}
        self.assertLessEqual({each["name"] for each in freezing.report["converted"]} - parts, equal, answer)

    @for_each([case for case in CASES if case.frozen])
    def test_structure_is_what_the_two_graphs_have(self, case):
        mine, theirs = graphs.read_graph(case.meta), graphs.read_graph(case.frozen)
        answer = call("diff", case.path, case.frozen)
        structure = answer.report["structure"]
        names, others = ({node.name for node in graph.node} for graph in (mine, theirs))
        of_graph = lambda nodes: {each["name"] for each in nodes if "function" not in each}  # noqa: E731
        self.assertEqual(of_graph(structure["added"]), others - names, answer)
        self.assertEqual(of_graph(structure["removed"]), names - others, answer)
        ops = ({node.name: node.op for node in graph.node} for graph in (mine, theirs))
        was, now = ops
        self.assertEqual(
            {each["name"]: each["op"] for each in structure["changed"] if "op" in each and "function" not in each},
            {name: [was[name], now[name]] for name in names & others if was[name] != now[name]},
            answer,
        )


class Damage(Suite):
    def test_a_bad_checksum_is_found_where_a_weight_is_read(self):
        here = folder("diff", "damage")
        prefix = os.path.join(here, "a.ckpt")
        case = next(case for case in CASES if case.name == "ref")
        for name in os.listdir(os.path.dirname(case.prefix)):
            if name.startswith("model.ckpt."):
                with open(os.path.join(os.path.dirname(case.prefix), name), "rb") as file:
                    content = bytearray(file.read())
                if ".data-" in name:
                    content[3] ^= 16
                with open(os.path.join(here, name.replace("model.ckpt", "a.ckpt")), "wb") as out:
                    out.write(content)
        answer = call("diff", prefix, case.path)
        self.assertEqual((answer.status, answer.codes()), (3, ["checksum"]), answer)
