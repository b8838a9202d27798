// The decoder of what scripts carry inside, against what xz makes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { packedBytes } from "../../scripts/bundle_core.mjs";
import { root } from "./support.mjs";

const {
  outputFiles: [script],
} = await build({
  stdin: {
    contents: 'export * from "./lzma.js"; export * from "./unpack.js";',
    resolveDir: join(root, "wasm/package/core"),
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const { unlzma, unpack } = await import(`data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`);

const kSize = 5; // its place in an .lzma file
const kEndMark = 16; // at most so many bytes: of the mark, and of the range coder behind it

function lzma(bytes, options) {
  const file = execFileSync("xz", ["--format=lzma", `--lzma1=${options}`, "--stdout"], {
    input: bytes,
    maxBuffer: 1 << 26,
  });
  file.writeBigUInt64LE(BigInt(bytes.length), kSize);
  return file;
}

// The same of every run, and nothing in them comes again.
function noise(count) {
  const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, i) =>
    createHash("sha256").update(String(i)).digest(),
  );
  return Buffer.concat(blocks).subarray(0, count);
}

const far = noise(300_000);
const contents = {
  nothing: Buffer.alloc(0),
  "one byte": Buffer.from("a"),
  "one byte often": Buffer.alloc(100_000, 7),
  noise: noise(50_000),
  "a text": readFileSync(join(root, "ARCHITECTURE.md")),
  floats: readFileSync(join(root, "web/samples/digits/model.ckpt.data-00000-of-00001")),
  "what lies far back": Buffer.concat([
    far,
    far.subarray(10, 3000),
    far.subarray(150_001, 150_400),
    far.subarray(10, 500),
  ]),
};

for (const [name, bytes] of Object.entries(contents)) {
  test(`what xz packs is unpacked: ${name}`, async () => {
    for (const options of [
      "preset=9e,lc=4,lp=0,pb=0",
      "preset=6",
      "preset=6,lc=0,lp=2,pb=2",
      "preset=0,lc=1,lp=3,pb=4",
    ]) {
      assert.ok(Buffer.from(unlzma(lzma(bytes, options))).equals(bytes), options);
    }
    assert.ok(Buffer.from(unpack(await packedBytes(bytes))).equals(bytes));
  });
}

test("a file that was cut off is an error, and a damaged one ends", () => {
  const file = lzma(contents["a text"], "preset=9e");
  // Its last bytes are the mark of its end, which a decoder that knows the size does not read.
  for (let size = 0; size < file.length - kEndMark; size += 97)
    assert.throws(() => unlzma(file.subarray(0, size)), `${size} bytes`);
  for (let at = 13; at < file.length; at += 53) {
    const damaged = Buffer.from(file);
    damaged[at] ^= 0x55;
    try {
      assert.equal(unlzma(damaged).length, contents["a text"].length);
    } catch (error) {
      assert.match(String(error), /damaged/);
    }
  }
});
