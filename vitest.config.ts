import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          pool: "threads",
          // Only what hangs should meet these: on a busy disk a hundred commits take seconds.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: ["packages/{protocol,core,server,bench}/src/**/*.test.ts", "tools/**/*.test.ts"],
        },
      },
      {
        extends: "packages/web/vite.config.ts",
        test: {
          name: "web",
          pool: "threads",
          include: ["packages/web/src/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
