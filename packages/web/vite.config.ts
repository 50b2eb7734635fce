import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig, type Rolldown } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server. The dev server forwards requests for the API, the socket and files to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** Properties of an endpoint definition that only the server needs: input validation, and a line for the API page. */
const SERVER_ONLY = new Set(["summary", "params", "query", "body"]);

/** Removes the server-only properties from endpoint definitions. The client needs only the names of the calls and their answers. */
function stripServerContract(): Plugin {
  return {
    name: "parley-strip-server-contract",
    enforce: "post",
    transform: {
      filter: { id: /\/packages\/protocol\/src\/endpoints\// },
      handler(code) {
        const parts: string[] = [];
        let from = 0;
        for (const { start, end } of this.parse(code).body.flatMap(serverOnlyProperties)) {
          parts.push(code.slice(from, start));
          // Remove the comma after it too.
          from = end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0);
        }
        return { code: parts.join("") + code.slice(from), map: null };
      },
    },
  };
}

type Statement = ReturnType<Rolldown.PluginContext["parse"]>["body"][number];

/** The server-only properties in `export const name = endpoint({ ... })`, in order. */
function serverOnlyProperties(statement: Statement): { start: number; end: number }[] {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
  const inits = declared?.type === "VariableDeclaration" ? declared.declarations.map(({ init }) => init) : [];
  return inits.flatMap((init) => {
    if (init?.type !== "CallExpression" || init.callee.type !== "Identifier") return [];
    const [definition] = init.arguments;
    if (init.callee.name !== "endpoint" || definition?.type !== "ObjectExpression") return [];
    return definition.properties.filter(
      (part) => part.type === "Property" && part.key.type === "Identifier" && SERVER_ONLY.has(part.key.name),
    );
  });
}

/** Loaded with the first screen after sign-in, together with everything that it imports. */
const SIGNED_IN = /\/src\/app\/shell-chunk\.ts$/;

/**
 * Few files for the first screens (interface §20). Parts that `import()` loads have a file each, and what several of them import is in one
 * more file.
 */
const GROUPS: Rolldown.CodeSplittingGroup[] = [
  { name: "index", tags: ["$initial"], priority: 2 },
  { name: "shell", test: SIGNED_IN, priority: 1 },
  { name: "shared", minShareCount: 2 },
];

export default defineConfig({
  root: here,
  // The plugin looks for its configuration from the working directory, which is the repository root in tests.
  plugins: [
    react(),
    lingui({ cwd: here, configPath: `${here}lingui.config.ts`, failOnMissing: true }),
    stripServerContract(),
  ],
  // Use React's own store hook instead of the shim for older versions that the router imports.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: "es2022",
    // The first versions that support `light-dark()`, which every colour uses.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // The polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: {
      "/api": server,
      "/files": server,
      "/im": { target: server.replace(/^http/, "ws"), ws: true },
    },
  },
});
