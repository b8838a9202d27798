import { join } from "node:path";

// Next itself is installed in the folder above, with the other tools.
const root = join(import.meta.dirname, "..");
export default { output: "export", outputFileTracingRoot: root, turbopack: { root } };
