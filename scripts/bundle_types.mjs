// Makes the declaration files of the npm package: those that an entry point of package.json imports, directly or not. The
// page's entry points are not compiled: TypeScript would name types by them in the others.
import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const kImported = /["'](\.[^"']*)\.js["']/g;

export async function bundleTypes(root, out) {
  await promisify(execFile)(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    join(root, "wasm/tsconfig.types.json"),
    "--noEmit",
    "false",
    "--emitDeclarationOnly",
    "--stripInternal",
    "--outDir",
    out,
  ]).catch(({ stdout, message }) => {
    throw new Error(stdout || message); // TypeScript prints its findings on standard output
  });
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const used = new Set();
  for (const { types } of Object.values(exports)) if (types) await addImported(join(root, types), used);
  for (const name of await readdir(out, { recursive: true })) {
    const path = join(out, name);
    if (path.endsWith(".d.ts") && !used.has(path)) await rm(path);
  }
}

async function addImported(path, used) {
  if (used.has(path)) return;
  used.add(path);
  for (const [, name] of (await readFile(path, "utf8")).matchAll(kImported))
    await addImported(resolve(path, "..", `${name}.d.ts`), used);
}
