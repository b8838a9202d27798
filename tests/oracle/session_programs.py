"""Programs in TensorFlow 1's style, as people write them, each with the outputs and inputs that its author would name.

A program is a function that builds the default graph and returns (outputs, inputs): names of tensors, without ":0".
"""

from graphs import tf, tf1
from session_layers import conv, dense, train, zero_fractions


def classifier_with_training():
    """slim: end points with summaries, batch norm with a training switch, regularizers, an auxiliary head."""
    images = tf1.placeholder(tf.float32, [None, 16, 16, 3], "input")
    labels = tf1.placeholder(tf.int64, [None], "labels")
    training = tf1.placeholder(tf.bool, [], "is_training")
    with tf1.variable_scope("Net"):
        first = conv(images, 8, "Conv_1", training, 2)
        second = conv(first, 8, "Conv_2", training, 2)
        with tf1.variable_scope("AuxLogits"):
            auxiliary = dense(tf.reduce_mean(first, [1, 2]), 5, "fc")
        pooled = tf.nn.dropout(tf.reduce_mean(second, [1, 2], name="AvgPool"), 0.2)
        logits = dense(pooled, 5, "Logits", regularized=True)
        with tf1.name_scope("Predictions"):
            flat = tf.reshape(logits, [-1, 5])
            predictions = tf.reshape(tf.nn.softmax(flat), tf.shape(logits), name="Reshape_1")
    zero_fractions(first, second, pooled, logits, predictions)
    tf1.losses.sparse_softmax_cross_entropy(labels, logits)
    tf1.losses.sparse_softmax_cross_entropy(labels, auxiliary, weights=0.4)
    train(tf.add_n([tf1.losses.get_total_loss(), *tf1.get_collection("losses")], name="total_loss"))
    correct = tf.equal(tf.argmax(predictions, 1), labels)
    tf.reduce_mean(tf.cast(correct, tf.float32), name="accuracy")
    tf1.train.Saver()
    return [predictions], [images]


def classifier_by_argmax():
    """The prediction is an inner node: its class feeds the accuracy."""
    x = tf1.placeholder(tf.float32, [None, 784], "x")
    y_ = tf1.placeholder(tf.float32, [None, 10], "y_")
    keep_prob = tf1.placeholder(tf.float32, name="keep_prob")
    hidden = tf1.nn.dropout(dense(x, 32, "fc1", tf.nn.relu), keep_prob)
    y = tf.nn.softmax(dense(hidden, 10, "fc2"), name="y")
    cross_entropy = -tf.reduce_sum(y_ * tf1.log(y))
    tf1.train.GradientDescentOptimizer(0.01).minimize(cross_entropy)
    tf.reduce_mean(tf.cast(tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1)), tf.float32))
    tf1.train.Saver()
    return [y], [x, keep_prob]


def detector():
    """The Object Detection API's exporter: the post-processing maps over images, and four results stand last at the root."""
    images = tf1.placeholder(tf.uint8, [None, None, None, 3], "image_tensor")
    with tf1.name_scope("Preprocessor"):
        resized = tf.map_fn(
            lambda image: tf.image.resize(tf.cast(image, tf.float32), [16, 16]), images, dtype=tf.float32
        )
    with tf1.control_dependencies([tf1.assert_equal(tf.shape(resized)[3], 3), tf1.assert_rank(resized, 4)]):
        features = conv(tf.identity(resized), 8, "FeatureExtractor", stride=4)
    boxes = tf.reshape(conv(features, 8, "BoxPredictor_0/BoxEncoding"), [-1, 32, 4])
    scores = tf.reshape(conv(features, 6, "BoxPredictor_0/ClassPredictor"), [-1, 32, 3])
    with tf1.name_scope("MultipleGridAnchorGenerator"):
        grid = tf.cast(tf.stack(tf.meshgrid(tf.range(4), tf.range(8), indexing="ij"), -1), tf.float32)
        anchors = tf.reshape(tf.tile(tf.reshape(grid, [-1, 2]), [1, 2]), [32, 4])
        tf1.assert_equal(tf.shape(anchors)[0], 32)
    with tf1.name_scope("Postprocessor"):
        decoded = tf.add(boxes * 0.1, anchors, name="raw_boxes")
        probabilities = tf.sigmoid(scores, name="convert_scores")

        def suppressed(pair):
            box, score = pair
            best = tf.reduce_max(score, 1)
            chosen = tf.image.non_max_suppression(box, best, 10)
            pad = [[0, 10 - tf.shape(chosen)[0]]]
            found = (
                tf.pad(tf.gather(box, chosen), pad + [[0, 0]]),
                tf.pad(tf.gather(best, chosen), pad),
                tf.pad(tf.cast(tf.gather(tf.argmax(score, 1), chosen), tf.float32), pad),
                tf.shape(chosen)[0],
            )
            return [tf.ensure_shape(found[0], [10, 4]), *found[1:]]

        with tf1.name_scope("BatchMultiClassNonMaxSuppression"):
            results = tf.map_fn(
                suppressed, (decoded, probabilities), dtype=[tf.float32, tf.float32, tf.float32, tf.int32]
            )
        classes, count = results[2] + 1.0, tf.cast(results[3], tf.float32)
    named = [
        ("detection_boxes", results[0]),
        ("detection_scores", results[1]),
        ("detection_classes", classes),
        ("num_detections", count),
    ]
    tf1.train.Saver()
    return [tf.identity(tensor, name=name) for name, tensor in named], [images]


def canned_head():
    """An estimator's classifier: features parsed from examples, a vocabulary of labels, streaming metrics, an exporter's extras."""
    examples = tf1.placeholder(tf.string, [None], "input_example_tensor")
    keys = [f"f{at}" for at in range(4)]
    parsed = tf1.io.parse_example(
        examples, {key: tf1.io.FixedLenFeature([1], tf.float32) for key in [*keys, "label"]}, name="ParseExample"
    )
    x = tf.concat([parsed[key] for key in keys], 1, name="input_layer/concat")
    with tf1.variable_scope("dnn"):
        first = dense(x, 8, "hiddenlayer_0", tf.nn.relu)
        second = dense(first, 8, "hiddenlayer_1", tf.nn.relu)
        deep = dense(second, 1, "logits")
        with tf1.name_scope("zero_fraction"):
            large = tf.size(second, out_type=tf.int64) < 2**31 - 1
            zeros = tf1.cond(
                large,
                lambda: tf.cast(tf.math.count_nonzero(second, dtype=tf.int32), tf.int64),
                lambda: tf.math.count_nonzero(second, dtype=tf.int64),
            )
            fraction = tf.subtract(
                1.0, tf.cast(zeros, tf.float32) / tf.cast(tf.size(second), tf.float32), name="fraction"
            )
        tf1.summary.scalar("dnn/hiddenlayer_1/fraction_of_zero_values", fraction)
        tf1.summary.histogram("dnn/hiddenlayer_1/activation", second)
    logits = tf.add(deep, dense(x, 1, "linear"), name="add")
    with tf1.name_scope("head"):
        with tf1.name_scope("logits"):
            shape = tf.shape(logits)
            with tf1.control_dependencies([tf1.assert_rank(logits, 2)]):
                logits_checked = tf.identity(logits)
        with tf1.name_scope("predictions"):
            logistic = tf.sigmoid(logits_checked, name="logistic")
            two = tf.concat([tf.zeros_like(logits_checked), logits_checked], -1, name="two_class_logits")
            probabilities = tf.nn.softmax(two, name="probabilities")
            ids = tf.argmax(two, -1, name="class_ids")
            ids = tf.expand_dims(ids, -1, name="ExpandDims")
            strings = tf.as_string(ids, name="str_classes")
        tiled = tf.tile(tf.expand_dims(tf.constant(["0", "1"]), 0), [tf.shape(probabilities)[0], 1], name="Tile")
    del shape
    tf1.train.get_or_create_global_step()
    tf1.train.Saver()
    return [logistic, probabilities, ids, strings, tiled, logits], [examples]


def estimator_in_evaluation():
    """An iterator, predictions, a loss and streaming metrics, as an estimator's eval graph has them."""
    data = tf1.data.make_initializable_iterator(
        tf1.data.Dataset.from_tensor_slices((tf.zeros([32, 6]), tf.zeros([32], tf.int64))).batch(4)
    )
    features, labels = data.get_next()
    hidden = dense(features, 8, "hidden", tf.nn.relu, regularized=True)
    logits = dense(hidden, 3, "logits")
    probabilities = tf.nn.softmax(logits, name="softmax_tensor")
    classes = tf.argmax(logits, 1, name="classes")
    loss = tf1.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf1.name_scope("metrics"):
        tf1.metrics.accuracy(labels, classes)
        tf1.metrics.mean(loss)
        tf1.metrics.auc(tf.equal(labels, 1), probabilities[:, 1])
    tf1.train.get_or_create_global_step()
    tf1.train.Saver()
    return [probabilities, classes], [features]


def generative_nets():
    """A GAN: what it makes is an inner node, which the other net judges."""
    z = tf1.placeholder(tf.float32, [None, 8], "z")
    real = tf1.placeholder(tf.float32, [None, 16], "real_images")

    def judged(x):
        with tf1.variable_scope("discriminator", reuse=tf1.AUTO_REUSE):
            return dense(dense(x, 8, "h", tf.nn.leaky_relu), 1, "logit")

    with tf1.variable_scope("generator"):
        made = tf.tanh(dense(dense(z, 8, "h", tf.nn.relu), 16, "out"), name="generated")
    on_real, on_made = judged(real), judged(made)

    def entropy(logits, of):
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=of(logits)))

    d_loss = tf.add(entropy(on_real, tf.ones_like), entropy(on_made, tf.zeros_like), name="d_loss")
    g_loss = entropy(on_made, tf.ones_like)
    for loss, scope in ((d_loss, "discriminator"), (g_loss, "generator")):
        tf1.train.AdamOptimizer(1e-3).minimize(
            loss, var_list=tf1.get_collection(tf1.GraphKeys.TRAINABLE_VARIABLES, scope)
        )
    tf1.train.Saver()
    return [made], [z]


def sequences():
    """seq2seq: an encoder in a loop, a decoder that feeds its own words back, counters on the way."""
    source = tf1.placeholder(tf.int32, [None, None], "source")
    length = tf1.placeholder(tf.int32, [], "target_length")
    table = tf1.get_variable("embedding", [20, 8])
    embedded = tf.transpose(tf.nn.embedding_lookup(table, source), [1, 0, 2])
    inner, outer = tf1.get_variable("kernel", [16, 8]), tf1.get_variable("projection", [8, 20])

    def encode(at, state):
        return at + 1, tf.tanh(tf.matmul(tf.concat([embedded[at], state], 1), inner))

    zero = tf.zeros([tf.shape(source)[0], 8])
    _, state = tf.while_loop(
        lambda at, _: at < tf.shape(embedded)[0],
        encode,
        [0, zero],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 8])],
    )

    def decode(at, word, state, words, scores):
        state = tf.tanh(tf.matmul(tf.concat([tf.nn.embedding_lookup(table, word), state], 1), inner))
        score = tf.matmul(state, outer)
        word = tf.argmax(score, 1, output_type=tf.int32)
        return at + 1, word, state, words.write(at, word), scores.write(at, score)

    arrays = [
        tf.TensorArray(kind, length, element_shape=shape)
        for kind, shape in ((tf.int32, [None]), (tf.float32, [None, 20]))
    ]
    start = tf.zeros([tf.shape(source)[0]], tf.int32)
    with tf1.name_scope("decoder"):
        loop = tf.while_loop(
            lambda at, *_: at < length,
            decode,
            [0, start, state, *arrays],
            shape_invariants=[
                tf.TensorShape([]),
                tf.TensorShape([None]),
                tf.TensorShape([None, 8]),
                tf.TensorShape(None),
                tf.TensorShape(None),
            ],
        )
        logits = tf.transpose(loop[4].stack(), [1, 0, 2], name="logits")
        words = tf.transpose(loop[3].stack(), [1, 0], name="sample_id")
    tf1.train.Saver()
    return [words, logits], [source, length]


def queues():
    """Readers and queues feed the net; the labels come out of the same queue."""
    names = tf1.train.string_input_producer(["a.tfrecord"])
    _, record = tf1.TFRecordReader().read(names)
    parsed = tf1.io.parse_single_example(
        record, {"image": tf1.io.FixedLenFeature([], tf.string), "label": tf1.io.FixedLenFeature([], tf.int64)}
    )
    image = tf.reshape(tf.cast(tf1.io.decode_raw(parsed["image"], tf.uint8), tf.float32) / 255.0 - 0.5, [8, 8, 3])
    images, labels = tf1.train.shuffle_batch([image, parsed["label"]], 4, 64, 16)
    tf1.summary.image("images", images)
    logits = dense(tf.reduce_mean(conv(images, 8, "conv1"), [1, 2]), 10, "softmax_linear")
    zero_fractions(logits)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses, name="cross_entropy")
    average = tf1.train.ExponentialMovingAverage(0.9)
    tf1.add_to_collection("updates", average.apply([loss]))
    train(tf.add_n([loss, *tf1.get_collection("losses")], name="total_loss"))
    tf.nn.in_top_k(labels, logits, 1)
    tf1.train.Saver()
    return [logits], [images]


def keras_style():
    """Keras on TensorFlow 1: targets and sample weights are placeholders, losses and metrics have scopes."""
    x = tf1.placeholder(tf.float32, [None, 12], "dense_input")
    phase = tf1.placeholder_with_default(False, [], "keras_learning_phase")
    hidden = dense(x, 8, "dense", tf.nn.relu)
    hidden = tf1.cond(phase, lambda: tf.nn.dropout(hidden, 0.5), lambda: tf.identity(hidden), name="dropout/cond")
    output = tf.nn.softmax(dense(hidden, 4, "dense_1"), name="dense_1/Softmax")
    target = tf1.placeholder(tf.float32, [None, None], "dense_1_target")
    weights = tf1.placeholder(tf.float32, [None], "dense_1_sample_weights")
    with tf1.name_scope("loss/dense_1_loss"):
        clipped = tf.clip_by_value(output / tf.reduce_sum(output, -1, keepdims=True), 1e-7, 1 - 1e-7)
        each = -tf.reduce_sum(target * tf1.log(clipped), -1) * weights
        loss = tf.reduce_mean(each / tf.reduce_mean(tf.cast(tf.not_equal(weights, 0), tf.float32)))
    with tf1.name_scope("metrics/acc"):
        tf.reduce_mean(tf.cast(tf.equal(tf.argmax(target, -1), tf.argmax(output, -1)), tf.float32), name="Mean")
    with tf1.name_scope("training/Adam"):
        for variable, gradient in zip(tf1.trainable_variables(), tf.gradients(loss, tf1.trainable_variables())):
            tf1.assign(variable, variable - 0.01 * gradient)
    tf1.train.Saver()
    return [output], [x]


def fine_tuned_encoder():
    """BERT's classifier: attention has softmaxes of its own, and the prediction's scope is called loss."""
    data = tf1.data.make_one_shot_iterator(
        tf1.data.Dataset.from_tensors(
            (tf.zeros([4, 6], tf.int32), tf.ones([4, 6], tf.int32), tf.zeros([4], tf.int32))
        ).repeat()
    )
    ids, mask, labels = data.get_next()
    x = tf.nn.embedding_lookup(tf1.get_variable("bert/embeddings", [30, 8]), ids)
    for layer in range(2):
        with tf1.variable_scope(f"bert/encoder/layer_{layer}"):
            query, key, value = (tf.reshape(dense(tf.reshape(x, [-1, 8]), 8, name), [-1, 6, 8]) for name in "qkv")
            scores = tf.matmul(query, key, transpose_b=True) + (1.0 - tf.cast(mask[:, None], tf.float32)) * -10000.0
            attended = tf.matmul(tf.nn.dropout(tf.nn.softmax(scores), 0.1), value)
            x = x + tf.reshape(dense(tf.reshape(attended, [-1, 8]), 8, "output"), [-1, 6, 8])
    pooled = dense(tf.squeeze(x[:, 0:1], 1), 8, "bert/pooler", tf.tanh)
    with tf1.variable_scope("loss"):
        logits = dense(tf.nn.dropout(pooled, 0.1), 2, "classifier")
        probabilities = tf.nn.softmax(logits, name="Softmax")
        log_probabilities = tf.nn.log_softmax(logits)
        each = -tf.reduce_sum(tf.one_hot(labels, 2) * log_probabilities, -1)
        train(tf.reduce_mean(each, name="Mean"))
    tf1.train.Saver()
    return [probabilities], [ids, mask]


def two_heads():
    """Age and gender from one trunk, each with a loss of its own."""
    images = tf1.placeholder(tf.float32, [None, 8, 8, 3], "images")
    age, gender = tf1.placeholder(tf.float32, [None, 1], "age"), tf1.placeholder(tf.int64, [None], "gender")
    trunk = tf.reduce_mean(conv(images, 8, "conv"), [1, 2])
    years = dense(dense(trunk, 8, "age_fc", tf.nn.relu), 1, "age_head")
    logits = dense(dense(trunk, 8, "gender_fc", tf.nn.relu), 2, "gender_head")
    likely = tf.nn.softmax(logits, name="gender_probabilities")
    estimate = tf.identity(years, name="age_prediction")
    losses = (
        tf.reduce_mean(tf.square(years - age)),
        tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=gender, logits=logits)),
    )
    train(tf.add_n(losses))
    tf1.train.Saver()
    return [likely, estimate], [images]


def super_resolution():
    """Image to image: the prediction's only consumers are the loss and summaries."""
    low = tf1.placeholder(tf.float32, [None, 8, 8, 1], "low")
    high = tf1.placeholder(tf.float32, [None, 16, 16, 1], "high")
    deep = conv(conv(low, 8, "first"), 4, "second")
    with tf1.variable_scope("last"):
        deep = tf.nn.conv2d(deep, tf1.get_variable("w", [3, 3, 4, 4]), 1, "SAME")
    made = tf.nn.depth_to_space(deep, 2, name="upscaled")
    loss = tf.reduce_mean(tf1.squared_difference(made, high))
    tf1.summary.image("made", made)
    tf1.summary.scalar("psnr", tf.reduce_mean(tf.image.psnr(made, high, 1.0)))
    train(loss)
    tf1.train.Saver()
    return [made], [low]


def segmentation():
    """The class of each pixel is the output; streaming metrics compare it."""
    images = tf1.placeholder(tf.float32, [None, 8, 8, 3], "ImageTensor")
    labels = tf1.placeholder(tf.int64, [None, 8, 8], "annotation")
    logits = tf.image.resize(conv(images, 4, "logits/features", stride=2), [8, 8])
    classes = tf.argmax(logits, 3, name="SemanticPredictions")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    tf1.metrics.mean_iou(labels, classes, 4)
    train(loss)
    tf1.train.Saver()
    return [classes], [images]


PROGRAMS = [
    classifier_with_training,
    classifier_by_argmax,
    detector,
    canned_head,
    estimator_in_evaluation,
    generative_nets,
    sequences,
    queues,
    keras_style,
    fine_tuned_encoder,
    two_heads,
    super_resolution,
    segmentation,
]


def built(program):
    """(MetaGraphDef, outputs, inputs): the program's graph, and names of its tensors."""
    control_flow_v2, resources = tf1.control_flow_v2_enabled(), tf1.resource_variables_enabled()
    tf1.disable_control_flow_v2(), tf1.disable_resource_variables()
    try:
        with tf1.Graph().as_default():
            outputs, inputs = program()
            meta = tf1.train.export_meta_graph()
            return (
                meta,
                {out.name.removesuffix(":0") for out in outputs},
                {each.name.removesuffix(":0") for each in inputs},
            )
    finally:
        if control_flow_v2:
            tf1.enable_control_flow_v2()
        if resources:
            tf1.enable_resource_variables()
