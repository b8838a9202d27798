// Compares THIRD-PARTY-NOTICES.md with what is shipped: the npm packages in the bundles (build/bundled_packages.json, written by
// scripts/bundle.mjs) and the libraries that core links. Every one has a row; no row is left over; its license's copyright lines
// are in the text. Each npm package that the build makes (build/packages) has the notices and the license.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const read = (name) => readFileSync(join(root, name), "utf8");
const notices = read("THIRD-PARTY-NOTICES.md");

// Components without a target or npm package of their own: Emscripten's libraries are part of its compiler, the ops are
// data.
const kOthers = ["emscripten", "tensorflow"];
// Targets of scripts/cmake/dependencies.cmake -> the folder of build/deps with the license, where there is one.
const kLibraries = { protobuf_lite: "protobuf", snappy: "snappy", zlib: "zlib", json: "nlohmann_json" };

function linkedLibraries() {
  const lists = read("core/CMakeLists.txt") + read("proto/CMakeLists.txt");
  const targets = [...lists.matchAll(/\bcryograph::(\w+)/g)].map((found) => found[1]);
  return [...new Set(targets)].map((target) => kLibraries[target] ?? `cryograph::${target}`);
}

// Cells of the column "package", one or more names each.
function noticedPackages() {
  const rows = notices
    .split("\n")
    .filter((line) => /^\| /.test(line))
    .slice(1);
  return rows.flatMap((row) => row.split("|")[2].replaceAll("`", "").trim().split(/\s+/));
}

function licenseOf(name) {
  for (const folder of [`node_modules/${name}`, `build/deps/${name}`]) {
    if (!existsSync(join(root, folder))) continue;
    const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file) return read(`${folder}/${file}`);
  }
  return "";
}

// Returns the lines that must be reproduced: "Copyright (c) 2016 David Frank". Placeholders of the Apache license's
// appendix are not among them.
function copyrightLines(text) {
  const lines = text.split("\n").map((line) => line.trim().replaceAll(/\s+/g, " "));
  return lines.filter((line) => /^copyright( \(c\))? \d{4}/i.test(line));
}

// Returns the paths of files in build/packages that differ from the root's.
function differingCopies() {
  const folders = readdirSync(join(root, "build/packages")).map((name) => `build/packages/${name}`);
  const paths = folders.flatMap((folder) =>
    ["LICENSE", "THIRD-PARTY-NOTICES.md"].map((name) => [`${folder}/${name}`, name]),
  );
  return paths
    .filter(([copy, name]) => !existsSync(join(root, copy)) || read(copy) !== read(name))
    .map(([copy]) => copy);
}

function problems() {
  const shipped = [...JSON.parse(read("build/bundled_packages.json")), ...linkedLibraries(), ...kOthers];
  const noticed = noticedPackages();
  const known = notices.replaceAll(/\s+/g, " ").toLowerCase();
  const holder = (line) =>
    line
      .toLowerCase()
      .replace(/^copyright( \(c\))? [\d, -]+(present)? */, "")
      .replace(/[.,]? *all rights reserved\.?/, "");
  return [
    ...differingCopies().map((path) => `${path}: is not the root's`),
    ...shipped.filter((name) => !noticed.includes(name)).map((name) => `${name}: shipped, but without a row`),
    ...noticed.filter((name) => !shipped.includes(name)).map((name) => `${name}: has a row, but is not shipped`),
    ...shipped.flatMap((name) =>
      copyrightLines(licenseOf(name))
        .filter((line) => !known.includes(holder(line)))
        .map((line) => `${name}: its copyright line is missing: ${line}`),
    ),
  ];
}

const found = problems();
for (const problem of found) console.log(problem);
console.log(`${noticedPackages().length} passed, ${found.length} failed`);
process.exit(found.length > 0 ? 1 : 0);
