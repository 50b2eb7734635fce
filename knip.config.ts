import type { KnipConfig } from "knip";

/**
 * Knip runs twice. The first run sees everything. The second one, with `--production`, starts at the entries that end with `!` and leaves
 * tests out, so it finds code of the product that only tests use.
 */
export default ({ production = false }: { production?: boolean }): KnipConfig => ({
  ignoreBinaries: ["mount", "strace", "systemd-analyze", "umount", "unshare"],
  ignoreDependencies: ["@swc/core", "dependency-cruiser", "oxfmt", "oxlint", "oxlint-tsgolint", "sharp"],
  // A test may import what the rest of its file uses too.
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  ignoreIssues: {
    "packages/protocol/src/{codes,limits,message}.ts": ["exports", "types"],
    "packages/{desktop/{main,preload},web/{gallery,lingui,service-worker}}.config.ts": ["exports"],
    "packages/web/gallery/sections/*.tsx": ["exports"],
    "tools/mutation/runner.ts": ["exports"],
    // These folders are for tests. Tools and benchmarks, which are no tests, import a part of them.
    ...(production && { "packages/{*/src/testing,e2e,reliability}/**": ["exports", "types"] }),
  },
  workspaces: {
    ".": {
      entry: [
        "tools/{bench,build-web,check,desktop,dev,e2e,emoji,emoticon-font,gallery,mutate,notices,pinyin,protocol,shots,test,test-full}.ts!",
        "tools/{app-icons,emoticons,run,sounds}.mjs!",
        "tools/lib/undo-stubs.ts!",
        "tools/mutation/runner.ts!",
      ],
      project: ["tools/**/*.{ts,mjs}!", "!tools/**/*.test.ts!", "!tools/guard-rails/**!"],
    },
    "packages/protocol": { project: ["src/**/*.ts!", "!src/**/*.test.ts!"] },
    "packages/core": { project: ["src/**/*.ts!", "!src/**/*.test.ts!", "!src/testing/**!"] },
    "packages/server": {
      entry: ["src/{main,cli/{admin,seed}}.ts!"],
      project: ["src/**/*.ts!", "!src/**/*.test.ts!", "!src/testing/**!"],
    },
    "packages/reliability": { project: ["src/**/*.ts"] },
    "packages/web": {
      entry: [
        "src/app/main.tsx!",
        "src/service-worker/service-worker.ts!",
        "service-worker.config.ts!",
        "lingui.config.ts",
        "gallery/{main,sections/*}.tsx",
        "gallery.config.ts",
        "src/**/*.test.{ts,tsx}",
        "src/testing/forget-preferences.ts",
      ],
      project: [
        "src/**/*.{ts,tsx}!",
        "gallery/**/*.{ts,tsx}",
        "!src/**/*.test.{ts,tsx}!",
        "!src/testing/**!",
      ],
    },
    "packages/desktop": {
      entry: ["{main,preload}.config.ts"],
      project: ["src/**/*.ts!", "!src/**/*.test.ts!", "!src/testing/**!"],
    },
    "packages/e2e": { entry: ["tests/**/*.ts"], project: ["**/*.ts"] },
    "packages/bench": { entry: ["src/main.ts!"], project: ["src/**/*.ts!", "!src/**/*.test.ts!"] },
  },
});
