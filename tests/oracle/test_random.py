"""Random models of variables, functions, branches and loops: frozen, lowered and unfrozen they compute the bits of the original.

CRYOGRAPH_SEEDS=500 tries so many instead of 36.
"""

import functools
import os

import graphs
from graphs import tf1
from program import call
from random_models import RandomModel
from suite import Suite, expanded, folder, for_each
from test_lower import CALLS, FUNCTIONAL, ops_of

SEEDS = range(int(os.environ.get("CRYOGRAPH_SEEDS", "36")))


@functools.lru_cache(None)
def model_of(seed):
    return RandomModel(seed, folder("random", str(seed)))


def read(path):
    with open(path, "rb") as file:
        return file.read()


@expanded
class Random(Suite):
    def made(self, seed, verb, out, *options, of=None):
        path = os.path.join(folder("random", str(seed)), out)
        answer = call(verb, of or model_of(seed).prefix + ".meta", "-o", path, "--force", *options)
        self.done(answer)
        return path, answer

    def computes_the_same(self, seed, path, said):
        graph = graphs.read_graph(path)
        self.assertFalse(graphs.STATE_OPS & ops_of(graph), said)
        with tf1.Session(graph=graphs.imported(graph), config=graphs.config()) as session:
            found = session.run({"y": "y:0", "z": "z:0"}, {"x:0": RandomModel.x})
        for key, value in model_of(seed).values.items():
            self.assertEqual(graphs.bits(value), graphs.bits(found[key]), said)
        return graph

    @for_each(SEEDS)
    def test_a_frozen_random_model_computes_the_same_bits(self, seed):
        path, answer = self.made(seed, "freeze", "frozen.pb", "--outputs", "y,z")
        self.computes_the_same(seed, path, answer.line)

    @for_each(SEEDS)
    def test_a_lowered_random_model_computes_the_same_bits_without_functions(self, seed):
        path, answer = self.made(seed, "freeze", "lowered.pb", "--outputs", "y,z", "--lower-control-flow")
        graph = self.computes_the_same(seed, path, answer.line)
        self.assertFalse((FUNCTIONAL | CALLS) & ops_of(graph), answer.line)
        self.assertFalse(graph.library.function, answer.line)

    @for_each(SEEDS)
    def test_a_cleaned_random_model_computes_the_same_bits(self, seed):
        path, answer = self.made(seed, "freeze", "clean.pb", "--outputs", "y,z", "--drop-checks", "--splice-identities")
        self.computes_the_same(seed, path, answer.line)
        again, _ = self.made(seed, "freeze", "clean_lowered.pb", "--outputs", "y,z", "--lower-control-flow", of=path)
        self.computes_the_same(seed, again, answer.line)

    @for_each(SEEDS)
    def test_of_a_random_model_prune_and_freeze_commute(self, seed):
        pruned, _ = self.made(seed, "prune", "pruned.ckpt", "--outputs", "y,z")
        # Pruning removes collections, and the record would contain them.
        first, answer = self.made(
            seed, "freeze", "pruned_frozen.pb", "--outputs", "y,z", "--no-record", of=pruned + ".meta"
        )
        frozen, _ = self.made(seed, "freeze", "bare.pb", "--outputs", "y,z", "--no-record")
        second, _ = self.made(seed, "prune", "frozen_pruned.pb", "--outputs", "y,z", of=frozen)
        self.assertEqual(read(first), read(second), answer.line)

    @for_each(SEEDS)
    def test_an_unfrozen_random_model_freezes_back(self, seed):
        for record in ((), ("--no-record",)):
            frozen, _ = self.made(seed, "freeze", "frozen.pb", "--outputs", "y,z", *record)
            unfrozen, answer = self.made(seed, "unfreeze", "unfrozen.ckpt", of=frozen)
            again, _ = self.made(seed, "freeze", "again.pb", "--outputs", "y,z", of=unfrozen + ".meta")
            self.assertEqual(read(frozen), read(again), answer.line)
