import js from "@eslint/js";
import globals from "globals";
import typescript from "typescript-eslint";

export default [
  { ignores: ["build/", "**/dist/", "node_modules/"] },
  js.configs.recommended,
  ...typescript.configs.strict,
  { files: ["**/*.{js,mjs}"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  {
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": "error",
      // noUncheckedIndexedAccess makes every index doubtful; `!` says why it is not.
      "@typescript-eslint/no-non-null-assertion": "off",
      // `_` says that a parameter is there for its place alone.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  // As people write them.
  {
    files: ["tests/consumers/projects/**"],
    languageOptions: { globals: { ...globals.commonjs, ...globals.node, Deno: "readonly" } },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  // Emscripten's own, around a program.
  { files: ["tests/laws/environment.js"], languageOptions: { globals: { Module: "writable", ENV: "readonly" } } },
  // Programs speak through the console.
  { files: ["scripts/**", "tests/**", "examples/**"], rules: { "no-console": "off" } },
];
