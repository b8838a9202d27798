// The npm package's interface: every name that an entry point exports, with its declaration.
//   node scripts/api_report.mjs     writes wasm/api.txt, without comments, and docs/reference/javascript-api.md, with them,
//                                   from the declarations in dist/types
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const printer = ts.createPrinter({ removeComments: true });
const kReport = "wasm/api.txt";
const kManual = "docs/reference/javascript-api.md";
const kElsewhere = { CoreCode: "The codes of the [diagnostics](diagnostics.md), as literals." };
const kHead = `# JavaScript: all calls and types

Made by scripts/api_report.mjs of the declarations of the npm package.

`;

/** Returns {path: text} of both; each declaration once, under the first entry point that has it. */
export function apiTexts() {
  const entries = Object.entries(exports).filter(([, { types }]) => types);
  const paths = entries.map(([, { types }]) => join(root, types));
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
    types: ["node"],
  };
  const program = ts.createProgram(paths, options);
  const checker = program.getTypeChecker();
  const seen = new Map();
  const sections = entries.map(([name], i) => ({
    entry: `cryograph${name.slice(1)}`,
    exported: exportsOf(checker, program.getSourceFile(paths[i]), `cryograph${name.slice(1)}`, seen),
  }));
  const calls = program.getSourceFile(join(root, "dist/types/model/calls.d.ts"));
  return {
    [kReport]: sections.map((each) => reportSection(each, checker)).join("\n"),
    [kManual]: kHead + sections.map((each) => manualSection(each, checker, commentsOf(calls, "Package"))).join("\n"),
  };
}

// Returns what a module exports, by name: {name, original}, with `at`, the entry point that had it before.
function exportsOf(checker, file, entry, seen) {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(file));
  const all = symbols.map((symbol) => {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const at = seen.get(original);
    if (!at) seen.set(original, entry);
    return { name: symbol.name, original, at };
  });
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function reportSection({ entry, exported }, checker) {
  const texts = exported.map(({ name, original, at }) =>
    at ? `${name}: as in ${at}\n` : original.declarations.map((each) => textOf(each, checker)).join(""),
  );
  return `# ${entry}\n\n${texts.join("\n")}`;
}

// Returns a section of the manual: calls and classes, then types.
function manualSection({ entry, exported }, checker, comments) {
  const own = exported.filter(({ at }) => !at);
  const calls = own.filter(({ original }) => original.flags & ts.SymbolFlags.Value);
  const texts = [...calls, ...own.filter((each) => !calls.includes(each))].map(({ name, original }) => {
    if (name in kElsewhere) return `### ${name}\n\n${kElsewhere[name]}\n`;
    const text = original.declarations.map((each) => documented(each, checker, comments)).join("\n");
    return `### ${name}\n\n\`\`\`ts\n${text.trim()}\n\`\`\`\n`;
  });
  const also = exported.length > own.length ? "All else that it exports is as above.\n\n" : "";
  return `## ${entry}\n\n${also}${texts.join("\n")}`;
}

// Returns a declaration with its comments; the calls of an entry point have those of the interface that they are of.
function documented(declaration, checker, comments) {
  const isType = !ts.isVariableDeclaration(declaration) && !ts.isBindingElement(declaration);
  if (isType) return declaration.getFullText().trim();
  return `${comments.get(declaration.name.text) ?? ""}${textOf(declaration, checker).replaceAll(/import\("[^"]*"\)\./g, "")}`;
}

// Returns the comments of an interface's members, by name.
function commentsOf(file, name) {
  const found = file.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
  return new Map(
    found.members.map((member) => {
      const text = member.getFullText().slice(0, member.getStart() - member.getFullStart());
      return [member.name.text, `${text.trim().replaceAll(/\n {4}/g, "\n")}\n`];
    }),
  );
}

// Returns a declaration's text; of `export const a: A, b: B` only the declared name's part.
function textOf(declaration, checker) {
  const file = declaration.getSourceFile();
  const text = printer.printNode(ts.EmitHint.Unspecified, declaration, file);
  if (relative(join(root, "dist/types"), dirname(file.fileName)).startsWith(".."))
    return `${declaration.name.text}: of another package\n`;
  if (ts.isClassDeclaration(declaration)) {
    const [base] = checker.getBaseTypes(checker.getTypeAtLocation(declaration));
    return `${base ? text.replace(/(?<= extends )\w+/, checker.typeToString(base)) : text}\n`;
  }
  return ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration) ? `const ${text};\n` : `${text}\n`;
}

if (process.argv[1] === import.meta.filename)
  for (const [path, text] of Object.entries(apiTexts())) writeFileSync(join(root, path), text);
