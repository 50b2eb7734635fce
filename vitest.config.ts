import { defineConfig } from "vitest/config";

/** What hangs fails all the same, and a busy machine may take its time. */
const patience = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          pool: "threads",
          ...patience,
          include: ["packages/{protocol,core,server,bench}/src/**/*.test.ts", "tools/**/*.test.ts"],
        },
      },
      {
        extends: "packages/web/vite.config.ts",
        test: {
          name: "web",
          pool: "threads",
          ...patience,
          include: ["packages/web/src/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
