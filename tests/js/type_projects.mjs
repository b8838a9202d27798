// Projects that use the package's types: each a file of tests/consumers/projects/types, with the types and the libs that its
// author has. All are strict, and check the package's declarations too.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const kDom = ["es2022", "dom", "dom.iterable", "dom.asynciterable"];
const kResolutions = { nodenext: "nodenext", node16: "node16", bundler: "esnext" };

// files | lib | types | how modules are resolved
const kProjects = [
  [["main.mts", "main.cts", "calls.mts"], [...kDom, "esnext.disposable"], [], "nodenext"],
  [["main.mts"], [...kDom, "esnext.disposable"], [], "node16"],
  [["main.mts", "calls.mts"], [...kDom, "esnext.disposable"], ["node"], "bundler"],
  [["node.mts", "calls.mts"], ["es2022"], ["node"], "nodenext"],
  [["node.mts", "calls.mts"], ["es2022"], ["node"], "bundler"],
  [["page.mts", "calls.mts"], ["es2022", "dom", "dom.iterable"], [], "bundler"],
];

/** Returns the errors that `tsc` (a script) reports in all of them, in a folder with the files and the packages; "" if there are none. */
export function complaints(tsc, folder) {
  return kProjects
    .map(([files, lib, types, moduleResolution]) => {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        target: "es2022",
        preserveSymlinks: true,
        module: kResolutions[moduleResolution],
        moduleResolution,
        lib,
        types,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
      return stdout && `${files}, ${lib}, ${types}, ${moduleResolution}:\n${stdout}`;
    })
    .join("");
}
