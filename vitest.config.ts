import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What breaks or simulates things for minutes; each such file has one core to itself. */
const LONG = /\/testing\/|\/packages\/reliability\//;

/** Long files first: one that began last would keep one core busy and let the others wait. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What hangs fails all the same, and a busy machine may take its time. */
const patience = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "node",
          pool: "threads",
          ...patience,
          include: [
            "packages/{protocol,core,server,reliability,bench}/src/**/*.test.ts",
            "tools/**/*.test.ts",
          ],
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
