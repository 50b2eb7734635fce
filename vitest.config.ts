import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What breaks or simulates things for minutes. */
export const LONG = /\/testing\/|\/packages\/reliability\//;

/** In this order, because what fails in a moment should be seen before what takes minutes. */
const PROJECTS = ["node", "web", "processes"];

/**
 * Long files first. The files of a project follow each other, because a worker that does not isolate its files ends when the next one is of
 * another project.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return PROJECTS.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

const common = {
  pool: "threads",
  // One more than cores, because the longest files mostly wait: for servers that start, end or notice a fault.
  maxWorkers: availableParallelism() + 1,
  // What hangs fails all the same, and a busy machine may take its time.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Without it, what is waited for has to come within a second.
  expect: { poll: { timeout: 60_000 } },
  // A failure that nobody can run again, as on the machine of a CI, has to show what was compared.
  chaiConfig: { truncateThreshold: 400 },
} as const;

/**
 * Files of a worker share the modules that they import, since loading them again takes longer than most tests. A file that needs a module as
 * it is at first calls `vi.resetModules()` and imports it.
 */
const sharedModules = {
  isolate: false,
  setupFiles: [fileURLToPath(new URL("tools/lib/undo-stubs.ts", import.meta.url))],
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "processes",
          ...common,
          include: ["packages/{reliability,bench}/src/**/*.test.ts", "tools/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "node",
          ...common,
          ...sharedModules,
          include: ["packages/{protocol,core,server,desktop}/src/**/*.test.ts"],
          globalSetup: [
            fileURLToPath(new URL("packages/server/src/testing/postgres-setup.ts", import.meta.url)),
          ],
        },
      },
      {
        extends: "packages/web/vite.config.ts",
        test: {
          name: "web",
          ...common,
          ...sharedModules,
          setupFiles: [
            ...sharedModules.setupFiles,
            fileURLToPath(new URL("packages/web/src/testing/forget-preferences.ts", import.meta.url)),
          ],
          include: ["packages/web/src/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
