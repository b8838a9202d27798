"""How well unfreeze finds weights by itself, over every model whose variables are known: recall, precision, and each miss."""

import os

import graphs
from cases import WITH_WEIGHTS
from corpus import MODELS
from program import call
from suite import NOTES, Suite, folder, original
from test_unfreeze import consts, source

RECALL, PRECISION = 1.0, 0.99
EXPLAINED = {  # (model, constant): why it was found and was no variable, or was one and was not found
    ("shared", "scale"): "made to be a constant in a weight's place"
}
FORMS = ("saved-model", "meta and checkpoint", "meta and checkpoint-v1")


def pairs():
    """(name, graph without records, names of its constants that were variables)"""
    for case in WITH_WEIGHTS:
        path = source(case)
        if not os.path.exists(path):
            continue
        was = {node.name for node in original(case).node if node.op in graphs.VARIABLE_OPS}
        yield case.name, path, was & set(consts(graphs.read_graph(path)))
    known = {case.prefix for case in WITH_WEIGHTS}
    for model in MODELS:
        if model.form not in FORMS or model.path in known:
            continue
        path = os.path.join(folder("detection", model.name), "bare.pb")
        answer = call("freeze", model.path, "-o", path, "--no-record")
        if answer.status == 0:
            yield (
                "corpus " + model.name,
                path,
                {row["name"] for row in answer.report["converted"] if row["to"] == "Const"},
            )


class Detection(Suite):
    def test_nearly_all_weights_are_found_and_hardly_anything_else(self):
        right, wrong, missed, misses, unexplained = {}, {}, 0, [], []
        listed = [0, 0]  # of the constants that are only candidates: those that were variables, and the others
        for name, path, were in pairs():
            answer = call("unfreeze", path, "-o", os.path.join(folder("detection", name), "model.ckpt"))
            rows = {row["name"]: row for row in answer.report["converted"]} if answer.status == 0 else {}
            if answer.status != 0:
                self.assertEqual(answer.codes("error"), ["no-weights"], answer)
            missed += len(were - set(rows))
            for row in answer.report.get("candidates", []):
                listed[row["name"] not in were] += 1
            for constant, row in rows.items():
                counts = right if constant in were else wrong
                counts[row["confidence"]] = counts.get(row["confidence"], 0) + 1
            for constant in sorted(were ^ set(rows)):
                said = f"{rows[constant]['confidence']}: {rows[constant]['why']}" if constant in rows else "missed"
                misses.append(f"    {constant} of {name}, {said}; {EXPLAINED.get((name, constant), 'NOT EXPLAINED')}")
                if (name, constant) not in EXPLAINED:
                    unexplained.append(misses[-1])
        found, false = sum(right.values()), sum(wrong.values())
        recall, precision = found / (found + missed), found / (found + false)
        NOTES.append(
            f"weights found: {found} of {found + missed} ({recall:.2%}), {false} that were no variables (precision {precision:.2%}); "
            + ", ".join(
                f"{level}: {right.get(level, 0)} right, {wrong.get(level, 0)} wrong"
                for level in sorted({**right, **wrong})
            )
            + f"; listed as candidates: {listed[0]} that were variables, {listed[1]} that were not"
        )
        NOTES.extend(misses)
        self.assertEqual([], unexplained)
        self.assertGreaterEqual(recall, RECALL)
        self.assertGreaterEqual(precision, PRECISION)
