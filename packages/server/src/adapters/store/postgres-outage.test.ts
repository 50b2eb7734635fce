import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { newMessage } from "../../testing/contracts/store-fixtures.ts";
import { eventually } from "../../testing/eventually.ts";
import { startCluster } from "../../testing/postgres-cluster.ts";
import { isPostgresMissing, POSTGRES } from "../../testing/test-postgres.ts";
import { openStore } from "./open-store.ts";

const SENDERS = [2, 3, 4, 5];
const PAUSE_MS = 20;

const onFatal = (error: Error): never => {
  throw error;
};

describe.skipIf(isPostgresMissing)(`${POSTGRES} outages`, () => {
  test("K11 nothing acknowledged is lost when the database restarts or crashes under load, writes are refused while it is down, and the store recovers by itself", async () => {
    // With its own settings, because a crash must lose nothing.
    const cluster = await startCluster();
    onTestFinished(() => cluster.dispose());
    const store = await openStore({ url: cluster.url("postgres"), onFatal });
    onTestFinished(() => store.close());

    let isDone = false;
    const refused = new Set<string>();
    const acknowledged = new Map<string, number>();
    async function sendUntilDone(sender: number): Promise<void> {
      for (let n = 0; !isDone; n++) {
        const tmpId = `${sender}-${n}`;
        for (let isStored = false; !isStored;) {
          try {
            const { row } = await store.appendPrivate(newMessage(sender, 1, { tmpId, content: tmpId }));
            acknowledged.set(tmpId, row.id);
            isStored = true;
          } catch (error) {
            refused.add(String(error));
            if (isDone) return;
            await sleep(PAUSE_MS);
          }
        }
      }
    }
    const senders = SENDERS.map(sendUntilDone);
    const moreSends = async () => {
      const before = acknowledged.size;
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + SENDERS.length));
    };

    await moreSends();
    for (const mode of ["fast", "immediate"] as const) {
      await cluster.stop(mode);
      await cluster.start();
      await moreSends();
      expect((await store.listHistory("PRIVATE", 1, 2, { from: "newest", size: 1 })).length).toBe(1);
    }
    await cluster.stop("fast");
    await eventually(() => expect(refused.size).toBeGreaterThan(0));
    await expect(store.findUser(1)).rejects.toThrow("the database cannot be reached");
    expect(await store.isReady()).toBe(false);
    await cluster.start();
    await moreSends();
    expect(await store.isReady()).toBe(true);
    isDone = true;
    await Promise.all(senders);

    expect([...refused]).toEqual(["StoreUnavailableError: the database cannot be reached"]);
    for (const [tmpId, id] of acknowledged) {
      expect(await store.findMessage("PRIVATE", id)).toMatchObject({ id, tmpId, content: tmpId });
    }
    const rows = await store.listPrivate(1, 0, Number.MAX_SAFE_INTEGER, 1_000_000);
    expect(new Set(rows.map(({ tmpId }) => tmpId)).size).toBe(rows.length);
  });
});
