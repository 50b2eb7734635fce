import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runUnfinishedUploads } from "./unfinished-uploads.ts";
import { withTempFolder } from "./with-server.ts";

test("K27 an upload that is cut or whose server is killed leaves nothing behind, and the quota is given back", async () => {
  await withTempFolder(async (dataDir) => {
    const { done, violations } = await runUnfinishedUploads({ dataDir, rounds: 1 });
    process.stdout.write(`K27 ${done}\n`);
    expect(violations).toEqual([]);
  });
}, 300_000);

test("K27 reports a file that no row knows", async () => {
  await withTempFolder(async (dataDir) => {
    const { violations } = await runUnfinishedUploads({
      dataDir,
      rounds: 1,
      damage(folder) {
        mkdirSync(join(folder, "files", "0123"), { recursive: true });
        writeFileSync(join(folder, "files", "0123", "file.bin"), "x");
      },
    });
    expect(violations.join("\n")).toContain("The database does not know the file /files/0123/file.bin.");
  });
}, 300_000);
