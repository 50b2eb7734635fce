/**
 * Fault K8: another program keeps the database, such as a shell that somebody left in a transaction. Writes wait for it, and after a
 * while are refused; whoever reads waits for nothing.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { sendText, registerFriends } from "../test-person.ts";
import { startServer } from "../server-process.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface LockedDatabaseOptions {
  /** An empty folder. */
  dataDir: string;
  /** So many reads are answered while a write waits; then the database is let go. */
  reads: number;
  /** Whether it is also kept until writes are refused: seconds. */
  isRefusing: boolean;
  /** Planted: once more, and nobody keeps it. */
  isFree?: boolean;
}

export async function runLockedDatabase(options: LockedDatabaseOptions): Promise<Report> {
  const { dataDir, reads, isRefusing, isFree = false } = options;
  const violations: string[] = [];
  let refused = 0;
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
  const other = new Database(join(dataDir, "parley.sqlite"));
  try {
    const [ann, bob] = await registerFriends(server.url);
    const lock = () => void other.exec("begin immediate");
    const unlock = () => void other.exec("rollback");
    const send = (tmpId: string) =>
      ann.call("sendPrivateMessage", { body: { recvId: bob.id, type: 0, content: tmpId, tmpId } });

    const write = async (tmpId: string, isKept: boolean) => {
      if (isKept) lock();
      let isAnswered = false;
      const waiting = send(tmpId).finally(() => (isAnswered = true));
      for (let n = 0; n < reads; n++) await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
      if (isAnswered) violations.push(`the write that ${tmpId} did not, or reads waited for it`);
      if (isKept) unlock();
      const { envelope } = await waiting;
      if (envelope.code !== 200)
        violations.push(`the write that ${tmpId} answered ${JSON.stringify(envelope)}`);
    };
    await write("waits", true);
    if (isFree) await write("waits for nobody", false);

    if (isRefusing) {
      lock();
      const answers = await Promise.all([send("given up 1"), send("given up 2")]);
      for (const { status, envelope: told } of answers) {
        if (status === 503 && told.code === 500 && told.key === "server.unavailable") refused++;
        else violations.push(`a write without end answered ${status} ${JSON.stringify(told)}`);
      }
      unlock();
      await waitUntil("writes go on", async () => {
        const { envelope: again } = await send("given up 1");
        return again.code === 200 ? undefined : JSON.stringify(again);
      });
    }
    await sendText(ann, bob, "after all");
    const rows = await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
    const texts = rows.filter(({ type }) => type === 0).map(({ content }) => content);
    const expected = [
      "waits",
      ...(isFree ? ["waits for nobody"] : []),
      ...(isRefusing ? ["given up 1"] : []),
      "after all",
    ];
    if (texts.join() !== expected.join()) violations.push(`${texts.join()} is stored`);
  } finally {
    other.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  const done = `${reads} reads while a write waited, ${refused} writes refused in the end`;
  return { name: "K8 database kept by another program", done, violations };
}
