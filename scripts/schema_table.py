#!/usr/bin/env python3
"""Writes the schema table (core/wire/schema.h) and the field numbers (wire/fields.h) from protoc's descriptor set.

    protoc --include_imports --descriptor_set_out=descriptors.pb *.proto
    schema_table.py descriptors.pb schema_table.cc fields.h

A map is declared as a repeated message that is nested next to its field and named as protoc itself names a map's entry:
`message ArgAttrEntry { key = 1, value = 2 }` for `repeated ArgAttrEntry arg_attr`. A message named ...Entry that is anything
else is an error here, so the table cannot take one for the other.
"""

import sys

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

PAYLOAD = "tensorflow.TensorProto.payload"  # ours, not TensorFlow's: a file's field of that number is unknown
REPEATED = FieldDescriptorProto.LABEL_REPEATED
MESSAGE, ENUM = FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_ENUM
TYPES = {
    1: "kDouble",
    2: "kFloat",
    3: "kInt64",
    4: "kUint64",
    5: "kInt32",
    6: "kFixed64",
    7: "kFixed32",
    8: "kBool",
    9: "kString",
    11: "kMessage",
    12: "kBytes",
    13: "kUint32",
    14: "kEnum",
    18: "kSint64",
}
PACKABLE = set(TYPES) - {9, 11, 12}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class Table:
    def __init__(self, descriptor_set):
        self.messages, self.enums, self.map_entries = {}, {}, set()
        for file in FileDescriptorSet.FromString(descriptor_set).file:
            self.proto3 = file.syntax == "proto3"
            self.add_types(file.package, file.message_type, file.enum_type)
        entries = {name for name in self.messages if name.endswith("Entry")}
        assert entries == self.map_entries, f"not the entries of one map each: {entries ^ self.map_entries}"

    def add_types(self, scope, messages, enums):
        for enum in enums:
            self.enums[f"{scope}.{enum.name}"] = [(value.name, value.number) for value in enum.value]
        for message in messages:
            name = f"{scope}.{message.name}"
            self.add_types(name, message.nested_type, message.enum_type)
            fields = [self.field(name, field) for field in message.field]
            fields = [field for field in fields if f"{name}.{field['name']}" != PAYLOAD]
            self.messages[name] = sorted(fields, key=lambda field: field["number"])

    def field(self, parent, field):
        name, kind, target = field.name, field.type, field.type_name.lstrip(".")
        assert kind in TYPES, f"{parent}.{name}: a type that no schema table has"
        repeated = field.label == REPEATED
        packed = field.options.packed if field.options.HasField("packed") else self.proto3
        if repeated and kind in PACKABLE and f"{parent}.{name}" != PAYLOAD:
            assert packed, f"{parent}.{name}: repeated numbers must be packed, as TensorFlow's are"
        explicit = field.proto3_optional  # makes a oneof of its own that nobody else has
        in_oneof = field.HasField("oneof_index")
        is_map = repeated and target == f"{parent}.{camel(name)}Entry"
        if is_map:
            self.check_entry(target)
        return {
            "name": name,
            "number": field.number,
            "type": kind,
            "repeated": repeated,
            "map": is_map,
            "presence": not repeated and (not self.proto3 or explicit or in_oneof or kind == MESSAGE),
            "oneof": field.oneof_index if in_oneof and not explicit else -1,
            "message": target if kind == MESSAGE else None,
            "enum": target if kind == ENUM else None,
        }

    def check_entry(self, name):
        """Entries keep what a file says, a default included: key and value have presence."""
        shape = [(field["name"], field["number"], field["presence"]) for field in self.messages[name]]
        assert shape == [("key", 1, True), ("value", 2, True)], f"{name} is no map entry: {shape}"
        assert name not in self.map_entries, f"{name} is the entry of two fields"
        self.map_entries.add(name)


def row(field, messages, enums):
    flag = lambda key: str(field[key]).lower()
    message = f"&kMessages[{messages.index(field['message'])}]" if field["message"] else "nullptr"
    enum = f"&kEnums[{enums.index(field['enum'])}]" if field["enum"] else "nullptr"
    return (
        f'    {{"{field["name"]}", {field["number"]}, FieldType::{TYPES[field["type"]]}, {flag("repeated")}, '
        f"{flag('map')}, {flag('presence')}, {field['oneof']}, {message}, {enum}}},"
    )


def spans(array, owners):
    """One row an owner: its name and its part of the one array of all owners' members."""
    at = 0
    for name, members in owners:
        # `{array, 0}` would be ambiguous: 0 is a pointer, too.
        part = f"{{{array} + {at}, {len(members)}}}" if members else "{}"
        yield f'    {{"{name}", {part}}},'
        at += len(members)


def source(table):
    messages, enums = sorted(table.messages), sorted(table.enums)
    fields = [row(field, messages, enums) for name in messages for field in table.messages[name]]
    values = [f'    {{"{name}", {value}}},' for enum in enums for name, value in table.enums[enum]]
    return "\n".join(
        [
            "// Generated by scripts/schema_table.py.",
            '#include "wire/schema.h"',
            "",
            "namespace cryo {",
            "namespace {",
            "",
            f"extern const MessageSchema kMessages[{len(messages)}];",
            "",
            "constexpr EnumValueSchema kValues[] = {",
            *values,
            "};",
            "",
            "constexpr EnumSchema kEnums[] = {",
            *spans("kValues", [(name, table.enums[name]) for name in enums]),
            "};",
            "",
            "constexpr FieldSchema kFields[] = {",
            *fields,
            "};",
            "",
            f"constexpr MessageSchema kMessages[{len(messages)}] = {{",
            *spans("kFields", [(name, table.messages[name]) for name in messages]),
            "};",
            "",
            "}  // namespace",
            "",
            "std::span<const MessageSchema> message_schemas() { return kMessages; }",
            "",
            "}  // namespace cryo",
            "",
        ]
    )


def constants(table, name, indent):
    """The lines of `struct NodeDef { kName = 1, ... }`, with the messages that are nested in it."""
    pad = "  " * indent
    yield f"{pad}struct {name.rsplit('.', 1)[-1]} {{"
    for field in table.messages[name]:
        yield f"{pad}  static constexpr uint32_t k{camel(field['name'])} = {field['number']};"
    for nested in sorted(set(table.messages) - table.map_entries):
        if nested.rsplit(".", 1)[0] == name:
            yield from constants(table, nested, indent + 1)
    yield f"{pad}}};"


def numbers(table):
    """A struct for each message, nested as they are; all entries of maps are one."""
    lines = [
        "// Generated by scripts/schema_table.py.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        "// The numbers of protobuf fields, by message: fields::FunctionDef::kNodeDef, fields::OpDef::ArgDef::kName. Entries of",
        "// maps are fields::MapEntry.",
        "namespace cryo::fields {",
        "",
        "struct MapEntry {",
        "  static constexpr uint32_t kKey = 1, kValue = 2;",
        "};",
    ]
    for name in sorted(table.messages):
        if name.startswith("tensorflow.") and name.count(".") == 1 and table.messages[name]:
            lines += ["", *constants(table, name, 0)]
    return "\n".join(lines + ["", "}  // namespace cryo::fields", ""])


def main(descriptors, schema, fields):
    with open(descriptors, "rb") as file:
        table = Table(file.read())
    for path, text in ((schema, source(table)), (fields, numbers(table))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
