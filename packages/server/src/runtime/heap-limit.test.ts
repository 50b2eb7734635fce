import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runServer } from "../testing/server-process.ts";

const LEAKING = fileURLToPath(new URL("../testing/leaking-server.ts", import.meta.url));

test("a server whose memory runs out says before its end what to do", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-heap-"));
  const { code, output } = await runServer(
    { DATA_DIR: dataDir, NODE_OPTIONS: "--max-old-space-size=128" },
    { script: LEAKING },
  );
  await rm(dataDir, { recursive: true });
  expect(code).not.toBe(0);
  expect(output).toMatch(
    /The server uses \d+ of the \d+ MiB of memory.+Start it with NODE_OPTIONS=--max-old-space-size=\d+/,
  );
  expect(output.indexOf("The server uses")).toBeLessThan(output.indexOf("FATAL ERROR"));
});
