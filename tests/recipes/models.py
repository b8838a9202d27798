"""Models that recipes start from and that no fixture is: each written by TensorFlow when it is first used."""

import atexit
import functools
import pathlib
import shutil
import tempfile
import zipfile

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf.get_logger().setLevel("ERROR")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="cryograph-models-"))
atexit.register(shutil.rmtree, FOLDER)


@functools.cache
def made(path):
    """Returns the folder with the model made/NAME."""
    name = path.removeprefix("made/")
    folder = FOLDER / name
    folder.mkdir()
    with tf.Graph().as_default():
        MODELS[name](str(folder))
    return folder


def save(folder, saver=None):
    """Saves the default graph's variables after their initializers ran."""
    with tf1.Session() as session:
        tf1.set_random_seed(1)
        session.run(tf1.global_variables_initializer())
        (saver or tf1.train.Saver()).save(session, f"{folder}/model.ckpt", write_state=False)


def three_steps(folder):
    """Three checkpoints of one model, without their graph, as training leaves them."""
    step = tf1.train.get_or_create_global_step()
    names = {"net/w": [6, 4], "net/b": [4], "head/w": [4, 2]}
    variables = [tf1.get_variable(name, shape) for name, shape in names.items()]
    train = tf.group(*(v.assign_add(v * 0.1) for v in variables), step.assign_add(1))
    with tf1.Session() as session:
        tf1.set_random_seed(1)
        session.run(tf1.global_variables_initializer())
        for at in (1, 2, 3):
            session.run(train)
            saver = tf1.train.Saver()
            saver.save(session, f"{folder}/model.ckpt", at, write_state=False, write_meta_graph=False)


def save_three_weights(folder):
    names = {"head/w": [4, 2], "net/b": [6], "net/w": [6, 4]}
    save(folder, tf1.train.Saver([tf1.get_variable(name, shape) for name, shape in names.items()]))


def cut_short(folder):
    """A checkpoint whose data file lacks its end."""
    save_three_weights(folder)
    with open(f"{folder}/model.ckpt.data-00000-of-00001", "r+b") as file:
        file.truncate(100)


def cut_archive(folder):
    """A checkpoint in a zip file and arrays in a .npz, both without their ends."""
    save_three_weights(folder)
    with zipfile.ZipFile(f"{folder}/cut.zip", "w") as archive:
        for ending in ("index", "data-00000-of-00001"):
            archive.write(f"{folder}/model.ckpt.{ending}", f"model.ckpt.{ending}")
    np.savez(f"{folder}/cut.npz", a=np.ones(100, "f"), b=np.ones(100, "f"))
    for name in ("cut.zip", "cut.npz"):
        path = pathlib.Path(folder, name)
        content = path.read_bytes()
        path.write_bytes(content[: content.index(b"PK\1\2") - 40])
    for path in pathlib.Path(folder).glob("model.ckpt*"):
        path.unlink()


def trained_text(folder):
    """A classifier of texts with an embedding, dropout, and moving averages of its weights."""
    words = tf1.placeholder(tf.int32, [None, 8], "words")
    keep_prob = tf1.placeholder_with_default(1.0, [], "keep_prob")
    rows = np.random.RandomState(1)
    table = tf1.get_variable("embedding/table", initializer=rows.rand(1000, 16).astype("f"), use_resource=False)
    kernel = tf1.get_variable("scores/kernel", initializer=rows.rand(16, 3).astype("f"), use_resource=False)
    mean = tf.reduce_mean(tf1.nn.embedding_lookup(table, words), 1, name="mean")
    dropped = tf1.nn.dropout(mean, rate=1 - keep_prob, name="dropout")
    tf.matmul(dropped, kernel, name="scores")
    average = tf1.train.ExponentialMovingAverage(0.9)
    with tf1.control_dependencies([kernel.assign(kernel * 0.5)]):
        update = average.apply([kernel])
    with tf1.Session() as session:
        session.run([table.initializer, kernel.initializer])
        session.run(tf1.variables_initializer([average.average(kernel)]))  # which starts as the kernel
        session.run(update)
        tf1.train.Saver().save(session, f"{folder}/model.ckpt", write_state=False)


def apart(folder):
    """A graph as text, and a checkpoint that was saved without it."""
    x = tf1.placeholder(tf.float32, [None, 4], "x")
    w = tf1.get_variable("w", initializer=np.arange(8, dtype="f").reshape(4, 2), use_resource=False)
    tf.nn.softmax(tf.matmul(x, w), name="y")
    tf.io.write_graph(tf1.get_default_graph().as_graph_def(), folder, "graph.pbtxt")
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, f"{folder}/weights-900", write_meta_graph=False, write_state=False)


def new_head(folder):
    """The digits' network up to `hidden`, under names of its own, with a head for three classes."""
    body = [("conv1/weights", [5, 5, 1, 8]), ("conv1/biases", [8]), ("conv2/weights", [3, 3, 8, 16])]
    body += [("conv2/biases", [16]), ("hidden/weights", [256, 32]), ("hidden/biases", [32])]
    image = tf1.placeholder(tf.float32, [None, 28, 28, 1], "image")
    zeros = tf1.zeros_initializer()
    values = {name: tf1.get_variable(f"body/{name}", shape, initializer=zeros) for name, shape in body}
    x = tf1.nn.conv2d(image, values["conv1/weights"], [1, 2, 2, 1], "SAME") + values["conv1/biases"]
    x = tf1.nn.max_pool(tf.nn.relu(x), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    x = tf1.nn.conv2d(x, values["conv2/weights"], [1, 1, 1, 1], "SAME") + values["conv2/biases"]
    x = tf1.nn.max_pool(tf.nn.relu(x), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    x = tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 256]), values["hidden/weights"]) + values["hidden/biases"])
    tf.matmul(x, tf1.get_variable("head/kernel", [32, 3], initializer=zeros), name="scores")
    save(folder)
    for part in (".index", ".data-00000-of-00001"):
        pathlib.Path(folder, f"model.ckpt{part}").unlink()
    pathlib.Path(folder, "model.ckpt.meta").rename(f"{folder}/new.meta")


def wide(folder):
    """A checkpoint of float64."""
    tf1.get_variable("w", initializer=np.linspace(0, 1, 7), use_resource=False)
    save(folder)


def images(folder):
    """A frozen network for one image of 8 by 8, in a scope, with batch normalization, and the batch in a constant."""
    rows = np.random.RandomState(3)
    image = tf1.placeholder(tf.float32, [1, 8, 8, 3], "image")
    with tf1.name_scope("net"):
        x = tf.nn.conv2d(image / 255.0, tf.constant(rows.rand(3, 3, 3, 16).astype("f")), 1, "SAME")
        normalizers = [tf.constant(rows.rand(16).astype("f") + 0.5) for _ in range(4)]
        x, _, _ = tf1.nn.fused_batch_norm(x, *normalizers, is_training=False)
        x = tf.reshape(tf.nn.relu(x), tf.constant([1, 1024]))
        x = tf.matmul(x, tf.constant(rows.rand(1024, 10).astype("f") - 0.5))
    tf.multiply(x, tf.constant(2.0, name="factor"), name="y")
    tf.io.write_graph(tf1.get_default_graph().as_graph_def(), folder, "model.pb", as_text=False)


def preprocessing(folder):
    """A graph that makes of the bytes of an image what the network of `images` takes."""
    pixels = tf1.placeholder(tf.uint8, [1, 16, 16, 3], "pixels")
    tf.identity(tf.cast(pixels[:, ::2, ::2, ::-1], tf.float32), "scaled")
    tf.io.write_graph(tf1.get_default_graph().as_graph_def(), folder, "preprocessing.pb", as_text=False)


MODELS = {
    "images": images,
    "preprocessing": preprocessing,
    "text": trained_text,
    "apart": apart,
    "new_head": new_head,
    "three_steps": three_steps,
    "cut_archive": cut_archive,
    "cut_short": cut_short,
    "wide": wide,
}
