import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { groupMessageSteps } from "../../testing/contracts/group-message-steps.ts";
import { newUser, NOON } from "../../testing/contracts/store-fixtures.ts";
import { openStore } from "./open-store.ts";

const GROUPS = 100;

/** Counts the statements that read rows, from now on. */
function countReads(): () => number {
  const memory = new Database(":memory:");
  const statement = Object.getPrototypeOf(memory.prepare("select 1")) as Database.Statement;
  memory.close();
  const reads = vi.spyOn(statement, "all");
  onTestFinished(() => reads.mockRestore());
  return () => reads.mock.calls.length;
}

test("a pull reads only the groups that have something new", async () => {
  const path = await mkdtemp(join(tmpdir(), "parley-pull-"));
  const store = await openStore({
    url: join(path, "parley.sqlite"),
    onFatal(error) {
      throw error;
    },
  });
  onTestFinished(async () => {
    await store.close();
    await rm(path, { recursive: true, force: true });
  });
  for (const name of ["owner", "member"]) await store.write((tx) => tx.insertUser(newUser(name)));
  const { group, send, pull } = groupMessageSteps({ store });
  const groups: number[] = [];
  for (let n = 0; n < GROUPS; n++) groups.push(await group(2));
  let newest = 0;
  for (const [n, id] of groups.entries()) newest = (await send(id, 1, { sendTime: NOON + n })).id;
  const quiet = { minId: newest, overlapMs: 0, notBefore: 0 };
  await pull(2, quiet);

  const reads = countReads();
  expect((await pull(2, quiet)).ids).toEqual([newest]);
  const without = reads();
  expect(without).toBeLessThan(10);
  const fresh = await send(groups[0] ?? 0, 1, { sendTime: NOON + GROUPS });
  const before = reads();
  expect((await pull(2, quiet)).ids).toEqual([newest, fresh.id]);
  expect(reads() - before).toBeLessThanOrEqual(without + 1);
});
