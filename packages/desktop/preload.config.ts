import { defineConfig } from "vite";

/** Bundles the preload script into one CommonJS file, because a sandboxed one can neither import nor require files. */
export default defineConfig({
  ssr: { noExternal: true, external: ["electron"] },
  build: {
    ssr: "src/preload/preload.ts",
    target: "node24",
    rolldownOptions: { output: { format: "cjs", entryFileNames: "preload.cjs", codeSplitting: false } },
  },
});
