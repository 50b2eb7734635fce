import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "./open-store.ts";

const script = fileURLToPath(new URL("../../testing/append-until-killed.ts", import.meta.url));

/**
 * Runs a process until it has acknowledged `count` messages, kills it with SIGKILL, and returns the acknowledged
 * tmpIds by chat kind and id.
 */
async function appendAndKill(url: string, count: number): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [script, url], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const acknowledged = new Map<string, string>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const [message = "", tmpId] = line.split(" ");
    // A line that the kill truncated is no acknowledgement.
    if (tmpId !== undefined) acknowledged.set(message, tmpId);
    if (acknowledged.size >= count) child.kill("SIGKILL");
  });
  await Promise.all([once(child, "exit"), once(lines, "close")]);
  return acknowledged;
}

test("a killed writer leaves every acknowledged message in order and releases the folder lock", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-crash-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = join(folder, "parley.sqlite");
  for (const count of [50, 20]) {
    // The process uses the same tmpIds each time, so the second run begins with repeated sends.
    const acknowledged = await appendAndKill(url, count);
    const store = await openStore({
      url,
      onFatal: (error) => {
        throw error;
      },
    });
    for (const [message, tmpId] of acknowledged) {
      const [kind, number] = message.split(":");
      const id = Number(number);
      const row = await (kind === "group"
        ? store.findMessage("GROUP", id)
        : store.findMessage("PRIVATE", id));
      expect(row).toMatchObject({ id, tmpId, content: tmpId });
    }
    const rows = await store.listPrivate(1, 0, Number.MAX_SAFE_INTEGER, 10_000);
    expect(new Set(rows.map((row) => row.tmpId)).size).toBe(rows.length);
    await store.close();
  }
});
