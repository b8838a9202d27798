#!/usr/bin/env python3
"""Cuts protoc's descriptor set down to the messages that core has classes for, where size counts (WebAssembly).

    lite_classes.py descriptors.pb lite.pb && protoc --descriptor_set_in=lite.pb --cpp_out=lite:OUT *.proto

A field of any other message becomes `bytes`, which is the same on the wire: MetaGraphDef.graph_def, say, of which core reads
the nodes itself. The schema table is made from the whole set, so nothing is forgotten of the formats.
"""

import sys

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

WANTED = {
    "Any",
    "AssetFileDef",
    "BundleEntryProto",
    "BundleHeaderProto",
    "CollectionDef",
    "MetaGraphDef",
    "SaveSliceInfoDef",
    "SaverDef",
    "SignatureDef",
    "TensorInfo",
    "TensorShapeProto",
    "TensorSliceProto",
    "VariableDef",
    "VersionDef",
}
# Messages that only tests make: core does not refer to them, so they are not linked into it.
TESTED = {"TensorProto"}


def wanted(type_name):
    """ ".tensorflow.SaverDef", ".tensorflow.MetaGraphDef.MetaInfoDef": what is nested in a wanted message is wanted."""
    return type_name.removeprefix(".google").split(".")[2] in WANTED


def cut_message(message):
    for field in message.field:
        if field.type == FieldDescriptorProto.TYPE_MESSAGE and not wanted(field.type_name):
            field.type = FieldDescriptorProto.TYPE_BYTES
            field.ClearField("type_name")
    for nested in message.nested_type:
        cut_message(nested)


def cut_file(file):
    kept = [message for message in file.message_type if message.name in WANTED | TESTED]
    for message in kept:
        cut_message(message)
    del file.message_type[:]
    file.message_type.extend(kept)


def main(source, target):
    with open(source, "rb") as file:
        files = FileDescriptorSet.FromString(file.read())
    for file in files.file:
        cut_file(file)
    with open(target, "wb") as file:
        file.write(files.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
