"""Checks that TensorFlow imports and then refuses to run the graphs that validate only warns about."""

import os
import sys

import graphs
from cases import DATA
from graphs import tf1
from program import call
from refused_runs import IMPORTS, RUNS, graph_of
from suite import Suite, expanded, folder, for_each

sys.path.insert(0, DATA)
from fixtures.importer import judge  # noqa: E402  (the path comes first)


@expanded
class RefusedRuns(Suite):
    def reported(self, what, text, severity):
        """The graph, which the C++ importer takes and which has this finding."""
        graph = graph_of(text)
        path = os.path.join(folder("refused_runs"), what.replace(" ", "_") + ".pb")
        with open(path, "wb") as file:
            file.write(graph.SerializeToString())
        said = judge([path])[0]
        self.assertEqual(said["code"], 0, f"TensorFlow does not even import it: {said['message']}")
        answer = call("validate", path)
        self.assertEqual(answer.report["valid"], severity == "warning", answer)
        self.assertIn(what.split()[0], answer.codes(severity), answer)
        self.assertEqual(call("validate", path, "--strict").status, 1)
        return graph

    @for_each(sorted(RUNS))
    def test_running_fails_on_what_is_warned_of(self, what):
        graph_def = self.reported(what, RUNS[what], "warning")
        with tf1.Graph().as_default():
            tf1.import_graph_def(graph_def, name="")
            with tf1.Session(config=graphs.config()) as session:
                node = session.graph.get_operation_by_name("n")
                with self.assertRaises(graphs.tf.errors.OpError):
                    session.run(node.outputs or node, options=tf1.RunOptions(timeout_in_ms=20000))

    @for_each(sorted(IMPORTS))
    def test_importing_from_python_fails_on_what_is_an_error(self, what):
        graph_def = self.reported(what, IMPORTS[what], "error")
        with tf1.Graph().as_default(), self.assertRaises(ValueError):
            tf1.import_graph_def(graph_def, name="")
