import { minify } from "@swc/core";
import type { Plugin } from "vite";

/**
 * Compresses scripts before Vite shortens their names: it puts the values of constants and of objects that never change, such as the class
 * names of a CSS module, where they are used. Vite's own compressor leaves them.
 */
export function compressScripts(): Plugin {
  return {
    name: "parley:compress-scripts",
    apply: "build",
    enforce: "post",
    async renderChunk(code) {
      const compressed = await minify(code, { module: true, compress: { ecma: 2022 }, mangle: false });
      return { code: compressed.code, map: null };
    },
  };
}
