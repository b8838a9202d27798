"""Text that libprotobuf itself parses, by an op of TensorFlow: it takes a sixth of the time of Python's text_format."""

import functools

from graphs import config, tf, tf1


@functools.cache
def text_parser():
    """(session, a placeholder of text, the MetaGraphDefs of it) of a graph that parses the text of a SavedModel."""
    with tf1.Graph().as_default() as graph:
        text = tf1.placeholder(tf.string, [])
        parsed = tf.raw_ops.DecodeProtoV2(
            bytes=text,
            message_type="tensorflow.SavedModel",
            field_names=["meta_graphs"],
            output_types=[tf.string],
            message_format="text",
        )
        return tf1.Session(graph=graph, config=config()), text, parsed.values[0]


def meta_graphs_of_text(text):
    """The MetaGraphDefs of a SavedModel in text form, as libprotobuf reads it."""
    session, holder, parsed = text_parser()
    return [tf1.MetaGraphDef.FromString(each) for each in session.run(parsed, {holder: text})]
