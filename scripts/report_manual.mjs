// The reports of --json as a page, docs/reference/reports.md: the members of each report and type, of their schemas.

const kHead = `# JSON reports

Made by scripts/report_schemas.mjs of wasm/package/command/reports.ts.

\`--json\` prints one object on standard output. [A JSON Schema](../schema) for each is next to the types below. Members marked with ? may be absent, and later
versions may add members. Numbers above 2^53 are strings.

`;
// Types of which the members are a list of codes: the diagnostics have a page.
const kListed = { Code: "diagnostics.md", CoreCode: "diagnostics.md", PackageCode: null };

/** Returns the page. \`whole\`: the schema of all reports, by name; \`needed\`: the names that a schema refers to. */
export function reportManual(whole, needed) {
  const { definitions } = whole;
  const names = [...needed(whole, definitions)]
    .filter((name) => !(name in kListed) && !name.startsWith("Record<"))
    .sort();
  const reports = Object.entries(whole.properties).map(([name, type]) => {
    const schema = `[schema](../schema/${name}.schema.json)`;
    return type.$ref ? `### ${name}\n\n${typeOf(type)}; ${schema}\n` : `### ${name}\n\n${schema}\n\n${table(type)}`;
  });
  const types = names.map((name) => `### ${escaped(name)}\n\n${about(definitions[name])}${table(definitions[name])}`);
  return `${kHead}## Reports\n\n${reports.join("\n")}\n## Types\n\n${types.join("\n")}`;
}

const about = ({ description }) => (description ? `${escaped(description)}\n\n` : "");

const escaped = (text) => text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");

function table(type) {
  const rows = type.properties ? membersOf(type, "") : [];
  if (rows.length === 0) return `${typeOf(type)}\n`;
  return `| member | type | |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}`;
}

// Returns the rows of an object's members, those of a nested object after it.
function membersOf({ properties, required = [] }, prefix) {
  return Object.entries(properties).flatMap(([name, type]) => {
    const path = `${prefix}${name}`;
    const own = [`\`${path}\`${required.includes(name) ? "" : "?"}`, typeOf(type), escaped(type.description ?? "")];
    const [one, suffix] = type.type === "array" ? [type.items, "[]."] : [type, "."];
    const inner = [one, ...(one.anyOf ?? [])].find(({ properties }) => properties);
    return [own, ...(inner ? membersOf(inner, `${path}${suffix}`) : [])];
  });
}

// Returns the words for a type, as Markdown.
function typeOf(type) {
  if (type.$ref) return reference(decodeURIComponent(type.$ref.replace("#/definitions/", "")));
  if (type.anyOf) return [...new Set(type.anyOf.map(typeOf))].join(" or ");
  if ("const" in type) return `\`${JSON.stringify(type.const)}\``;
  if (type.enum) return type.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (type.type === "array") return Array.isArray(type.items) ? "array" : `array of ${typeOf(type.items ?? {})}`;
  if (Array.isArray(type.type)) return type.type.join(" or ");
  // An object of a union: the member that tells it from the others, and the rest.
  if (Object.values(type.properties ?? {}).some((member) => "const" in member && member.const !== true)) {
    const members = Object.entries(type.properties);
    return `\`{ ${members.map(([name, { const: value }]) => (value ? `${name}: "${value}"` : name)).join(", ")} }\``;
  }
  return type.type ?? "any";
}

function reference(name) {
  if (name in kListed) return kListed[name] ? `[${name}](${kListed[name]})` : name;
  if (name.startsWith("Record<")) return "object";
  return `[${escaped(name)}](#${name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")})`;
}
