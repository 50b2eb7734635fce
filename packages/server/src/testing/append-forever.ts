/**
 * A process to be killed: opens the store in argv[2] and appends message after message, in groups, writing
 * the id of each on standard output once its promise has resolved.
 */
import { writeSync } from "node:fs";
import { openStore } from "../adapters/store/open.ts";
import { newMessage } from "./contracts/store-fixtures.ts";

const [, , url] = process.argv;
if (url === undefined) throw new Error("usage: append-forever.ts <database file>");
const store = await openStore({
  url,
  onFatal: (error) => {
    throw error;
  },
});

async function appendForever(sender: number): Promise<never> {
  for (let n = 0; ; n++) {
    const tmpId = `${sender}-${n}`;
    const { row } = await store.appendPrivate(newMessage(sender, 1, { tmpId, content: tmpId }));
    writeSync(1, `${row.id} ${tmpId}\n`);
  }
}
await Promise.all([2, 3, 4].map(appendForever));
