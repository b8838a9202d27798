// The npm package's interface as one text: every name that an entry point exports, with its declaration, without comments.
//   node scripts/api_report.mjs     writes wasm/api.txt, from the declarations in dist/types
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const printer = ts.createPrinter({ removeComments: true });

/** The text; each declaration once, under the first entry point that has it. */
export function apiReport() {
  const entries = Object.entries(exports).filter(([, { types }]) => types);
  const paths = entries.map(([, { types }]) => join(root, types));
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
    types: ["node"],
  };
  const program = ts.createProgram(paths, options);
  const seen = new Map();
  const sections = entries.map(([name], i) =>
    section(program, `cryograph${name.slice(1)}`, program.getSourceFile(paths[i]), seen),
  );
  return sections.join("\n");
}

function section(program, entry, file, seen) {
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(file));
  const lines = symbols.map((symbol) => {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const at = seen.get(original);
    if (at) return [symbol.name, `${symbol.name}: as in ${at}\n`];
    seen.set(original, entry);
    return [symbol.name, original.declarations.map((each) => textOf(each, checker)).join("")];
  });
  return `# ${entry}\n\n${lines
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join("\n")}`;
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

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, "wasm/api.txt"), apiReport());
