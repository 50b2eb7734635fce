import { execFile } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import { percentile } from "../median.ts";
import { createFriendPairs } from "../friend-pairs.ts";
import { openHttpConnection } from "../load/http-connection.ts";
import { startProduct } from "../process/server-process.ts";
import { subfolder } from "./setup.ts";
import { uploadBytes } from "./uploads.ts";

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(`../../../server/src/${name}.ts`, import.meta.url));
const MIB = 1_048_576;
const STORED_MESSAGES = 200_000;
const FILES = 4;
const FILE_MIB = 64;
const SENDERS = 8;
const ROUNDS = 5;
const BETWEEN_MESSAGES_MS = 20;

/** What senders notice of a backup: how long the slowest of a hundred acknowledgements takes. */
export const backup: Benchmark = {
  name: "backup",
  async measure(context): Promise<ResultRow[]> {
    const dataDir = subfolder(context, "product");
    const env = { ...process.env, DATA_DIR: dataDir, PASSWORD_COST: "low" };
    context.print(`backup: seeding ${STORED_MESSAGES} messages`);
    await run(process.execPath, [fileOf("seed"), "--messages", String(STORED_MESSAGES)], { env });
    const product = await startProduct(dataDir, { UPLOAD_DAILY_MB: "1000000" });
    context.onEnd(() => product.stop());
    const pairs = await createFriendPairs(product.origin, SENDERS);
    for (let n = 0; n < FILES; n++)
      await uploadBytes(product, "/api/file/upload", pairs[0]?.headers ?? {}, FILE_MIB);
    const senders = await Promise.all(
      pairs.map(async ({ headers, recvId }, index) => {
        const connection = await openHttpConnection(product.origin, "/api/message/private/send", headers);
        return { connection, recvId, index };
      }),
    );
    context.onEnd(() => senders.forEach(({ connection }) => connection.close()));

    /** The times in ms of messages that all senders send as long as this holds. */
    const sendWhile = async (isGoingOn: () => boolean): Promise<number[]> => {
      const times: number[] = [];
      const sendOwn = async ({ connection, recvId, index }: (typeof senders)[number]) => {
        // The senders do not begin at the same moment.
        await sleep((index * BETWEEN_MESSAGES_MS) / SENDERS);
        for (let n = 0; isGoingOn(); n++) {
          const tmpId = `${performance.now()}-${index}-${n}`;
          const body = JSON.stringify({ recvId, content: "hello", type: 0, tmpId });
          const began = performance.now();
          await connection.post(body, Buffer.byteLength(body));
          times.push(performance.now() - began);
          await sleep(BETWEEN_MESSAGES_MS);
        }
      };
      await Promise.all(senders.map(sendOwn));
      return times;
    };
    const idle: number[] = [];
    const busy: number[] = [];
    await sendWhile(until(performance.now() + 1_000));
    for (let round = 1; round <= ROUNDS; round++) {
      const file = join(context.folder, `backup-${round}.tar`);
      let isMade = false;
      const began = performance.now();
      const making = run(process.execPath, [fileOf("admin"), "backup", file], { env }).finally(
        () => (isMade = true),
      );
      const during = await sendWhile(() => !isMade);
      await making;
      const took = performance.now() - began;
      const size = statSync(file).size / MIB;
      rmSync(file);
      const without = await sendWhile(until(performance.now() + took));
      busy.push(...during);
      idle.push(...without);
      context.print(
        `backup, round ${round} of ${ROUNDS}: ${Math.round(size)} MiB in ${(took / 1_000).toFixed(1)} s, ` +
          `p99 ${ms(p99(during))} of ${during.length} messages against ${ms(p99(without))} of ${without.length}`,
      );
    }
    return [row(busy, idle)];
  },
};

function row(busy: readonly number[], idle: readonly number[]): ResultRow {
  return {
    what: "acknowledgement of a message, the 99th percentile, during a backup : without",
    product: ms(p99(busy)),
    reference: `${ms(p99(idle))} (without)`,
    value: p99(busy) / p99(idle),
    unit: "x",
    bound: "at most",
    limit: 2,
  };
}

const ms = (time: number) => `${time.toFixed(1)} ms`;

function until(time: number): () => boolean {
  return () => performance.now() < time;
}

const p99 = (values: readonly number[]) => percentile(values, 0.99);
