#!/usr/bin/env python3
"""Writes the schema table (core/wire/schema.h) from protoc's descriptor set.

    protoc --include_imports --descriptor_set_out=descriptors.pb *.proto
    schema_table.py descriptors.pb schema_table.cc

A map is declared as a repeated message that is nested beside its field and named as protoc itself names a map's entry:
`message ArgAttrEntry { key = 1, value = 2 }` for `repeated ArgAttrEntry arg_attr`. A message named ...Entry that is anything
else is an error here, so the table cannot take one for the other.
"""

import sys

PAYLOAD = "tensorflow.TensorProto.payload"  # ours, not TensorFlow's: a file's field of that number is unknown
REPEATED, PACKABLE = 3, {1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 18}
MESSAGE, ENUM = 11, 14
TYPES = {1: "kDouble", 2: "kFloat", 3: "kInt64", 4: "kUint64", 5: "kInt32", 6: "kFixed64", 7: "kFixed32", 8: "kBool",
         9: "kString", 11: "kMessage", 12: "kBytes", 13: "kUint32", 14: "kEnum", 18: "kSint64"}


def parse(data):
    """A message as {field number: [value, ...]}; descriptors have varints and length-delimited fields alone."""
    at, fields = 0, {}

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte, at = data[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        value = varint()
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        else:
            assert tag & 7 == 0, f"wire type {tag & 7} in a descriptor"
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def text(fields, number):
    return fields[number][-1].decode() if number in fields else ""


def number(fields, field, default=0):
    value = fields[field][-1] if field in fields else default
    return value - (1 << 64) if value >> 63 else value


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class Table:
    def __init__(self, descriptor_set):
        self.messages, self.enums, self.map_entries = {}, {}, set()
        files = [parse(file) for file in parse(descriptor_set)[1]]
        for file in files:
            self.proto3 = text(file, 12) == "proto3"
            self.add_types(text(file, 2), file, messages=4, enums=5)
        entries = {name for name in self.messages if name.endswith("Entry")}
        assert entries == self.map_entries, f"not the entries of one map each: {entries ^ self.map_entries}"

    def add_types(self, scope, parent, messages, enums):
        for data in parent.get(enums, []):
            enum = parse(data)
            values = [parse(value) for value in enum[2]]
            self.enums[f"{scope}.{text(enum, 1)}"] = [(text(value, 1), number(value, 2)) for value in values]
        for data in parent.get(messages, []):
            message = parse(data)
            name = f"{scope}.{text(message, 1)}"
            self.add_types(name, message, messages=3, enums=4)
            fields = [self.field(name, parse(field)) for field in message.get(2, [])]
            fields = [field for field in fields if f"{name}.{field['name']}" != PAYLOAD]
            self.messages[name] = sorted(fields, key=lambda field: field["number"])

    def field(self, parent, field):
        name, kind, target = text(field, 1), number(field, 5), text(field, 6).lstrip(".")
        assert kind in TYPES, f"{parent}.{name}: a type that no schema table has"
        repeated = number(field, 4) == REPEATED
        packed = number(parse(field[8][-1]), 2, self.proto3) if 8 in field else self.proto3
        if repeated and kind in PACKABLE and f"{parent}.{name}" != PAYLOAD:
            assert packed, f"{parent}.{name}: repeated numbers must be packed, as TensorFlow's are"
        explicit = 17 in field  # proto3's `optional`, which makes a oneof of its own that nobody else has
        is_map = repeated and target == f"{parent}.{camel(name)}Entry"
        if is_map:
            self.check_entry(target)
        return {"name": name, "number": number(field, 3), "type": kind, "repeated": repeated, "map": is_map,
                "presence": not repeated and (not self.proto3 or explicit or 9 in field or kind == MESSAGE),
                "oneof": number(field, 9) if 9 in field and not explicit else -1,
                "message": target if kind == MESSAGE else None, "enum": target if kind == ENUM else None}

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
    return (f'    {{"{field["name"]}", {field["number"]}, FieldType::{TYPES[field["type"]]}, {flag("repeated")}, '
            f'{flag("map")}, {flag("presence")}, {field["oneof"]}, {message}, {enum}}},')


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
    return "\n".join([
        "// Generated by scripts/schema_table.py.", '#include "wire/schema.h"', "", "namespace cryo {", "namespace {", "",
        f"extern const MessageSchema kMessages[{len(messages)}];", "",
        "constexpr EnumValueSchema kValues[] = {", *values, "};", "",
        "constexpr EnumSchema kEnums[] = {", *spans("kValues", [(name, table.enums[name]) for name in enums]), "};", "",
        "constexpr FieldSchema kFields[] = {", *fields, "};", "",
        f"constexpr MessageSchema kMessages[{len(messages)}] = {{",
        *spans("kFields", [(name, table.messages[name]) for name in messages]), "};", "",
        "}  // namespace", "", "std::span<const MessageSchema> message_schemas() { return kMessages; }", "",
        "}  // namespace cryo", ""])


def main(descriptors, out):
    with open(descriptors, "rb") as file:
        table = Table(file.read())
    with open(out, "w", encoding="utf-8") as file:
        file.write(source(table))


if __name__ == "__main__":
    main(*sys.argv[1:])
