import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          pool: "threads",
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
