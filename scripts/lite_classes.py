#!/usr/bin/env python3
"""Cuts protoc's descriptor set down to the messages that core has classes for, where size counts (WebAssembly).

    lite_classes.py descriptors.pb lite.pb && protoc --descriptor_set_in=lite.pb --cpp_out=lite:OUT *.proto

A field of any other message becomes `bytes`, which is the same on the wire: MetaGraphDef.graph_def, say, of which core reads
the nodes itself. The schema table is made from the whole set, so nothing is forgotten of the formats.
"""

import sys

WANTED = {"Any", "AssetFileDef", "BundleEntryProto", "BundleHeaderProto", "CollectionDef", "MetaGraphDef",
          "SaveSliceInfoDef", "SaverDef", "SignatureDef", "TensorInfo", "TensorShapeProto", "TensorSliceProto",
          "VariableDef", "VersionDef"}
# Those that only tests make: nothing of core's refers to them, so nothing of them is linked into it.
TESTED = {"TensorProto"}

# descriptor.proto: FileDescriptorProto.message_type; DescriptorProto.name, field, nested_type;
# FieldDescriptorProto.type, type_name
MESSAGES, NAME, FIELDS, NESTED, TYPE, TYPE_NAME = 4, 1, 2, 3, 5, 6
MESSAGE_TYPE, BYTES_TYPE = 11, 12


def take_varint(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def put_varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def parse(data):
    """The fields of a message in order: (number, value), varints as int and all else as bytes."""
    at, fields = 0, []
    while at < len(data):
        tag, at = take_varint(data, at)
        value, at = take_varint(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        fields.append((tag >> 3, value))
    return fields


def serialize(fields):
    out = b""
    for number, value in fields:
        whole = isinstance(value, int)
        out += put_varint(number << 3 | (0 if whole else 2))
        out += put_varint(value) if whole else put_varint(len(value)) + value
    return out


def name_of(message):
    return next(value.decode() for number, value in parse(message) if number == NAME)


def wanted(type_name):
    """".tensorflow.SaverDef", ".tensorflow.MetaGraphDef.MetaInfoDef": what is nested in a wanted message is wanted."""
    return type_name.removeprefix(".google").split(".")[2] in WANTED


def cut_field(field):
    fields = dict(parse(field))
    if fields[TYPE] != MESSAGE_TYPE or wanted(fields[TYPE_NAME].decode()):
        return field
    return serialize([(number, BYTES_TYPE if number == TYPE else value) for number, value in parse(field) if number != TYPE_NAME])


def cut_message(message):
    def cut(number, value):
        return cut_field(value) if number == FIELDS else cut_message(value) if number == NESTED else value
    return serialize([(number, cut(number, value)) for number, value in parse(message)])


def cut_file(file):
    kept = []
    for number, value in parse(file):
        if number != MESSAGES:
            kept.append((number, value))
        elif name_of(value) in WANTED | TESTED:
            kept.append((number, cut_message(value)))
    return serialize(kept)


def main(source, target):
    with open(source, "rb") as file:
        files = parse(file.read())
    with open(target, "wb") as file:
        file.write(serialize([(number, cut_file(value)) for number, value in files]))


if __name__ == "__main__":
    main(*sys.argv[1:])
