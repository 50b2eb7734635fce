/**
 * Fault K8: another program locks the database, such as a shell with an open transaction. Writes wait and are refused after a while.
 * Reads do not wait.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { sendText, registerFriends } from "@parley/server/testing/test-person";
import { startServer } from "@parley/server/testing/server-process";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How long the database is locked. */
export interface LockedDatabaseOptions {
  /** An empty folder. */
  dataDir: string;
  /** The number of reads during which a write waits, before the lock ends. */
  reads: number;
  /** Whether it is also locked until writes are refused, which takes seconds. */
  untilRefused: boolean;
  /** A planted fault: one more write without a lock. */
  withoutLock?: boolean;
}

/** Runs the battery. */
export async function runLockedDatabase(options: LockedDatabaseOptions): Promise<Report> {
  const { dataDir, reads, untilRefused, withoutLock = false } = options;
  const violations: string[] = [];
  let refused = 0;
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
  const locker = new Database(join(dataDir, "parley.sqlite"));
  try {
    const [ann, bob] = await registerFriends(server.url);
    const lock = () => void locker.exec("begin immediate");
    const unlock = () => void locker.exec("rollback");
    const send = (tmpId: string) =>
      ann.call("sendPrivateMessage", { body: { recvId: bob.id, type: 0, content: tmpId, tmpId } });

    const write = async (tmpId: string, isLocked: boolean) => {
      if (isLocked) lock();
      let isAnswered = false;
      const waiting = send(tmpId).finally(() => (isAnswered = true));
      for (let n = 0; n < reads; n++) await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
      if (isAnswered) violations.push(`the write ${tmpId} was answered too early, or reads waited for it`);
      if (isLocked) unlock();
      const { envelope } = await waiting;
      if (envelope.code !== 200) violations.push(`the write ${tmpId} answered ${JSON.stringify(envelope)}`);
    };
    await write("with a lock", true);
    if (withoutLock) await write("without a lock", false);

    if (untilRefused) {
      lock();
      const answers = await Promise.all([send("refused 1"), send("refused 2")]);
      for (const { status, envelope } of answers) {
        if (status === 503 && envelope.code === 500 && envelope.key === "server.unavailable") refused++;
        else violations.push(`a write that could not be done answered ${status} ${JSON.stringify(envelope)}`);
      }
      unlock();
      await waitUntil("writes work again", async () => {
        const { envelope } = await send("refused 1");
        return envelope.code === 200 ? undefined : JSON.stringify(envelope);
      });
    }
    await sendText(ann, bob, "after all");
    const rows = await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
    const texts = rows.filter(({ type }) => type === 0).map(({ content }) => content);
    const expected = [
      "with a lock",
      ...(withoutLock ? ["without a lock"] : []),
      ...(untilRefused ? ["refused 1"] : []),
      "after all",
    ];
    if (texts.join() !== expected.join()) violations.push(`the stored messages are ${texts.join()}`);
  } finally {
    locker.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  const done = `${reads} reads while a write waited, ${refused} writes refused in the end`;
  return { name: "K8 database locked by another program", done, violations };
}
