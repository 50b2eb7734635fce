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
 * Lets a process append until it has acknowledged `count` messages, kills it hard and answers what it
 * acknowledged.
 */
async function appendAndKill(url: string, count: number): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [script, url], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const acknowledged = new Map<string, string>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const [place = "", tmpId] = line.split(" ");
    // A line that the kill cut is not an acknowledgement anybody could have read.
    if (tmpId !== undefined) acknowledged.set(place, tmpId);
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
    // Its senders start again at the same tmpIds: after the second start the first ones are repeats.
    const acknowledged = await appendAndKill(url, count);
    const store = await openStore({
      url,
      onFatal: (error) => {
        throw error;
      },
    });
    for (const [place, tmpId] of acknowledged) {
      const [kind, number] = place.split(":");
      const id = Number(number);
      const row = await (kind === "group" ? store.findGroupMessage(id) : store.findPrivate(id));
      expect(row).toMatchObject({ id, tmpId, content: tmpId });
    }
    const rows = await store.listPrivate(1, 0, Number.MAX_SAFE_INTEGER, 10_000);
    expect(new Set(rows.map((row) => row.tmpId)).size).toBe(rows.length);
    await store.close();
  }
});
