import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Bundles the main process with everything except Electron and Node, so that packages hold no node_modules. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  ssr: { noExternal: true, external: ["electron"] },
  build: {
    ssr: "src/main/main.ts",
    outDir: "out/main",
    target: "node24",
    license: { fileName: "third-party-licences.txt" },
    rolldownOptions: { output: { format: "es", entryFileNames: "main.js", codeSplitting: false } },
  },
});
