import { defineConfig } from "vite";

/** Bundles the main process with everything except Electron and Node, so that packages hold no node_modules. */
export default defineConfig({
  ssr: { noExternal: true, external: ["electron"] },
  build: {
    ssr: "src/main/main.ts",
    target: "node24",
    license: { fileName: "third-party-licences.txt" },
    rolldownOptions: { output: { format: "es", entryFileNames: "main.js", codeSplitting: false } },
  },
});
