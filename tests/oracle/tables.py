"""Prints the tables at the end: the models that were frozen, and the corpus, a row a model."""

import collections
import os

import suite
from program import ROOT

ALL = os.path.join(ROOT, "build", "corpus.tsv")
BULK = ("dl4j_bulk", "graph_pbtxt")  # hundreds of small graphs: only those that failed are printed


def failures(name):
    return "; ".join(sorted(set(suite.FAILED.get(name, []))))


def print_frozen():
    if not suite.TABLE:
        return
    print("\nfrozen model of the corpus nodes  frozen  variables  consts    bytes  verdict")
    for name, row in suite.TABLE.items():
        verdict = "FAILED: " + failures(name) if failures(name) else "ok"
        print(
            f"{name.removeprefix('corpus '):25} {row['before']:6} {row['after'] or '-':>7} {row['variables']:10} "
            f"{row['frozen'] if row['frozen'] is not None else '-':>7} {row['bytes'] or '-':>8}  {verdict}"
        )


def verdict_of(name, row):
    """Also what other tests found of the model."""
    if failures(name) and not row["verdict"].startswith("FAILED"):
        return "FAILED: " + failures(name)
    return row["verdict"]


def sort_of(verdict):
    """Verdicts without what differs from model to model."""
    if verdict.startswith(("FAILED", "refused", "no model", "opens")):
        return verdict.split(":")[0].split()[0].replace("no", "no model")
    return ", ".join("tensors bit for bit" if "tensors" in part else part for part in verdict.split("; "))


def print_corpus():
    if not suite.CORPUS_ROWS:
        return
    rows = {name: {**row, "verdict": verdict_of(name, row)} for name, row in suite.CORPUS_ROWS.items()}
    with open(ALL, "w", encoding="utf-8") as file:
        columns = ["kind", "files", "nodes", "variables", "bytes", "verdict"]
        file.write("\t".join(["model", *columns]) + "\n")
        for name, row in rows.items():
            file.write("\t".join([name, *(str(row[column]) for column in columns)]) + "\n")
    print(f"\n{'model of the corpus':80} {'kind':16} {'nodes':>6} {'variables':>9} {'bytes':>8}  verdict")
    for name, row in rows.items():
        failed, small = row["verdict"].startswith("FAILED"), name.startswith(BULK) or row["kind"] == "-"
        if failed or not small:
            print(
                f"{name[-80:]:80} {row['kind']:16} {row['nodes']:6} {row['variables']:9} {row['bytes']:8}  {row['verdict']}"
            )
    print(f"all rows: {os.path.relpath(ALL, ROOT)}\n{'':16} {'rows':>5} {'files':>6}")
    counted = collections.Counter((name.split("/")[0], sort_of(row["verdict"])) for name, row in rows.items())
    files = collections.Counter()
    for name, row in rows.items():
        files[(name.split("/")[0], sort_of(row["verdict"]))] += row["files"]
    for (top, verdict), count in sorted(counted.items()):
        print(f"{top:16} {count:5} {files[top, verdict]:6}  {verdict}")
    failed = sum(row["verdict"].startswith("FAILED") for row in rows.values())
    models = sum(row["kind"] != "-" for row in rows.values())
    print(
        f"{'corpus':16} {len(rows):5} {sum(files.values()):6}  {models} models, {len(rows) - models} files that are none, {failed} failed"
    )


def print_all():
    print_frozen()
    print_corpus()
