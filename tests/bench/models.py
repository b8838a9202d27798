"""Big models for the benchmarks, written without TensorFlow: protobuf's wire format by hand, weights as holes or as one pattern."""

import os
import struct


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def number(field_number, value):
    return varint(field_number << 3) + varint(value)


def attr(key, value):
    return field(5, field(1, key.encode()) + field(2, value))


def node(name, op, inputs=(), attrs=b""):
    return (
        field(1, name.encode()) + field(2, op.encode()) + b"".join(field(3, each.encode()) for each in inputs) + attrs
    )


FLOAT = number(6, 1)


def shape(*dims):
    return b"".join(field(2, number(1, dim)) for dim in dims)


def chain(path, count):
    """A GraphDef of `count` nodes in rows of four attributes, as a training graph has them."""
    attrs = (
        attr("T", FLOAT)
        + attr("_class", field(1, field(2, b"loc:@x")))
        + attr("transpose_a", number(5, 0))
        + attr("k", number(3, 7))
    )
    with open(path, "wb") as out:
        out.write(field(1, node("x", "Placeholder", (), attr("dtype", FLOAT) + attr("shape", field(7, shape(4))))))
        previous = "x"
        for i in range(count - 1):
            name = f"block_{i // 100}/layer_{i % 100}/some/scope/Identity"
            out.write(field(1, node(name, "Identity", [previous], attrs)))
            previous = name
        out.write(field(4, number(1, 1395)))


def layers(path, count):
    """A GraphDef of `count` nodes that TensorFlow imports: MatMul, BiasAdd and Relu by turns, over one weight and one bias."""
    with open(path, "wb") as out:
        out.write(
            field(
                1,
                node(
                    "x", "Placeholder", (), attr("dtype", FLOAT) + attr("shape", field(7, shape(-1 & (1 << 64) - 1, 4)))
                ),
            )
        )
        for name, dims in (("w", (4, 4)), ("b", (4,))):
            tensor = number(1, 1) + field(2, shape(*dims)) + field(5, b"\0\0\0\0")
            out.write(field(1, node(name, "Const", (), attr("dtype", FLOAT) + attr("value", field(8, tensor)))))
        kinds = (
            ("MatMul", ["w"], attr("T", FLOAT) + attr("transpose_a", number(5, 0)) + attr("transpose_b", number(5, 0))),
            ("BiasAdd", ["b"], attr("T", FLOAT) + attr("data_format", field(2, b"NHWC"))),
            ("Relu", [], attr("T", FLOAT)),
        )
        previous = "x"
        for i in range(count - 3):
            op, more, attrs = kinds[i % 3]
            name = f"block_{i // 300}/layer_{i // 3 % 100}/some/scope/{op}"
            out.write(field(1, node(name, op, [previous, *more], attrs)))
            previous = name
        out.write(field(4, number(1, 2474)))


def frozen(path, constants, megabytes):
    """A frozen GraphDef: a chain of MatMuls, each with a weight of so many megabytes."""
    rows = megabytes * 256
    block = os.urandom(1 << 20)
    with open(path, "wb") as out:
        out.write(field(1, node("x", "Placeholder", (), attr("dtype", FLOAT))))
        previous = "x"
        for i in range(constants):
            content = block * megabytes
            tensor = number(1, 1) + field(2, shape(rows, 1024)) + field(4, content)
            out.write(field(1, node(f"w{i}", "Const", (), attr("dtype", FLOAT) + attr("value", field(8, tensor)))))
            # There and back, so that the shapes fit.
            matmul = attr("T", FLOAT) + attr("transpose_a", number(5, 0)) + attr("transpose_b", number(5, i % 2))
            out.write(field(1, node(f"y{i}", "MatMul", [previous, f"w{i}"], matmul)))
            previous = f"y{i}"
        out.write(field(4, number(1, 1395)))


def crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = crc32c_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def table_block(entries):
    body = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in entries)
    restarts = []
    at = 0
    for key, value in entries:
        restarts.append(at)
        at += len(varint(0) + varint(len(key)) + varint(len(value))) + len(key) + len(value)
    restarts = restarts or [0]
    return body + b"".join(struct.pack("<I", each) for each in restarts) + struct.pack("<I", len(restarts))


def index_file(entries):
    """A table of one data block."""
    out = bytearray()

    def write(block):
        handle = varint(len(out)) + varint(len(block))
        out.extend(block + b"\0" + masked_crc(block + b"\0"))
        return handle

    data = write(table_block(entries))
    meta = write(table_block([]))
    index = write(table_block([(entries[-1][0] + b"\xff", data)]))
    footer = (meta + index).ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")
    return bytes(out) + footer


def sparse_checkpoint(prefix, variables, gigabytes):
    """PREFIX.meta, PREFIX.index and PREFIX.data of so many variables of a gigabyte each, all holes."""
    size = gigabytes << 30
    nodes = b""
    entries = [(b"", number(1, 1) + field(3, number(1, 1)))]
    for i in range(variables):
        dims = shape(size // 4)
        nodes += field(1, node(f"v{i}", "VariableV2", (), attr("dtype", FLOAT) + attr("shape", field(7, dims))))
        nodes += field(1, node(f"out{i}", "Identity", [f"v{i}"], attr("T", FLOAT)))
        entry = number(1, 1) + field(2, dims) + (number(4, i * size) if i else b"") + number(5, size)
        entries.append((f"v{i}".encode(), entry + varint(6 << 3 | 5) + b"\0\0\0\0"))
    with open(prefix + ".meta", "wb") as out:
        out.write(field(1, field(5, b"1.15.0")) + field(2, nodes + field(4, number(1, 1395))))
    with open(prefix + ".index", "wb") as out:
        out.write(index_file(entries))
    with open(prefix + ".data-00000-of-00001", "wb") as out:
        out.truncate(variables * size)
