// Just enough of protobuf and of the checkpoint format to write models whose weights are holes in sparse files.
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const kFloat = 1;
const kTableMagic = Buffer.from("57fb808b247547db", "hex");

function varint(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}

const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const header = (field, length) => Buffer.concat([varint(field * 8 + 2), varint(length)]);
const bytes = (field, ...parts) => {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([header(field, value.length), value]);
};

const shapeOf = (dims) => Buffer.concat(dims.map((size) => bytes(2, number(1, size))));
const attr = (name, ...value) => bytes(5, bytes(1, name), bytes(2, ...value));
const type = (name) => attr(name, number(6, kFloat));

function node(name, op, inputs, ...attrs) {
  return bytes(1, bytes(1, name), bytes(2, op), ...inputs.map((input) => bytes(3, input)), ...attrs);
}

const input = node("x", "Placeholder", [], type("dtype"));

/** A chain of `count` nodes, which is all structure. */
export function chain(count) {
  const name = (i) => (i < 0 ? "x" : `chain/a_node_with_a_longer_name_${i}`);
  const nodes = Array.from({ length: count }, (_, i) => node(name(i), "Identity", [name(i - 1)], type("T")));
  return Buffer.concat([input, ...nodes]);
}

/** A SavedModel of one graph for each set of tags. */
export function taggedModels(...sets) {
  const graphs = sets.map((tags) => bytes(2, bytes(1, ...tags.map((tag) => bytes(4, tag))), bytes(2, input)));
  return Buffer.concat([number(1, 1), ...graphs]);
}

/** A frozen graph whose one weight of `rows` x 1000 floats is a hole in the file. */
export function writeSparseGraph(path, rows) {
  const size = rows * 4000;
  const content = header(4, size); // TensorProto.tensor_content
  const tensor = Buffer.concat([number(1, kFloat), bytes(2, shapeOf([rows, 1000])), content]);
  const value = header(8, tensor.length + size); // AttrValue.tensor
  const entry = [bytes(1, "value"), header(2, value.length + tensor.length + size), value, tensor];
  const length = (parts) => parts.reduce((sum, part) => sum + part.length, 0);
  const front = [bytes(1, "w"), bytes(2, "Const"), type("dtype"), header(5, length(entry) + size), ...entry];
  const head = Buffer.concat([header(1, length(front) + size), ...front]);
  const rest = Buffer.concat([
    input,
    node("w/read", "Identity", ["w"], type("T")),
    node("y", "MatMul", ["x", "w/read"], type("T")),
  ]);
  writeHole(path, head, size, rest);
}

// BundleEntryProto.crc32c of a billion zeros: fixed32, masked as TensorFlow masks it.
const kChecksumOfGigabyte = Buffer.alloc(5, (6 << 3) | 5);
kChecksumOfGigabyte.writeUInt32LE((((965015365 >>> 15) | (965015365 << 17)) + 0xa282ead8) >>> 0, 1);

/** A .meta and a checkpoint of `count` variables of a gigabyte each, whose data file is a hole. */
export function writeSparseCheckpoint(folder, count) {
  const dims = [250000, 1000];
  const nodes = [input];
  const entries = [["", Buffer.concat([number(1, 1), bytes(3, number(1, 1))])]]; // BundleHeaderProto: one shard
  for (let i = 0; i < count; i++) {
    nodes.push(node(`w${i}`, "VariableV2", [], type("dtype"), attr("shape", bytes(7, shapeOf(dims)))));
    nodes.push(node(`w${i}/read`, "Identity", [`w${i}`], type("T")));
    nodes.push(node(`y${i}`, "MatMul", ["x", `w${i}/read`], type("T")));
    const place = [number(4, i * 1e9), number(5, 1e9), kChecksumOfGigabyte];
    entries.push([`w${i}`, Buffer.concat([number(1, kFloat), bytes(2, shapeOf(dims)), ...place])]);
  }
  writeFileSync(join(folder, "huge.ckpt.meta"), bytes(2, ...nodes));
  writeFileSync(join(folder, "huge.ckpt.index"), table(entries));
  writeHole(join(folder, "huge.ckpt.data-00000-of-00001"), Buffer.alloc(0), count * 1e9, Buffer.alloc(0));
}

function writeHole(path, head, size, rest) {
  const file = openSync(path, "w");
  ftruncateSync(file, head.length + size + rest.length);
  writeSync(file, head, 0, head.length, 0);
  writeSync(file, rest, 0, rest.length, head.length + size);
  closeSync(file);
}

// An SSTable of one block: [block][metaindex][index][footer]
function table(entries) {
  const data = block(entries);
  const meta = block([]);
  const handle = (offset, whole) => Buffer.concat([varint(offset), varint(whole.length - 5)]);
  const index = block([[entries.at(-1)[0], handle(0, data)]]);
  const handles = Buffer.concat([handle(data.length, meta), handle(data.length + meta.length, index)]);
  return Buffer.concat([data, meta, index, handles, Buffer.alloc(40 - handles.length), kTableMagic]);
}

// [shared 0, unshared, length, key, value]... [restart 0] [1] then [compression 0] [masked crc32c]
function block(entries) {
  const records = entries.map(([key, value]) =>
    Buffer.concat([varint(0), varint(key.length), varint(value.length), Buffer.from(key), value]),
  );
  const whole = Buffer.concat([...records, Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 0])]);
  const crc = crc32c(whole);
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return Buffer.concat([whole, trailer]);
}

function crc32c(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}
