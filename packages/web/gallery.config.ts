import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vite";
import product from "./vite.config.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** `npm run gallery`: the web client's sources, but with the page of the gallery. It is never built. */
export default mergeConfig(
  product,
  defineConfig({
    root: `${here}gallery`,
    publicDir: `${here}public`,
    cacheDir: `${here}../../node_modules/.cache/gallery`,
    server: { port: 5174 },
  }),
);
