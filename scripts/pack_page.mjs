// The page as the npm package contains it, for `cryograph serve`: the contents of inline.js and ops.js are replaced by
// placeholders.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packed, packedOps } from "./bundle_core.mjs";

// Files of the page that the package has as its own.
const kOfPackage = ["LICENSE", "THIRD-PARTY-NOTICES.md"];

/** Writes build/web into `out`. wasm/package/command/serve.ts fills in the placeholders. */
export async function packPage(root, core, out) {
  const leftOut = { "@core.wasm@": await packed(join(core, "core.wasm")), "@ops.bin@": await packedOps(root) };
  await mkdir(out, { recursive: true });
  for (const name of await readdir(join(root, "build/web"))) {
    if (kOfPackage.includes(name)) continue;
    let bytes = await readFile(join(root, "build/web", name));
    if (name.endsWith(".js")) {
      let text = bytes.toString();
      for (const [mark, content] of Object.entries(leftOut)) text = text.replaceAll(content, () => mark);
      bytes = text;
    }
    await writeFile(join(out, name), bytes);
  }
}
