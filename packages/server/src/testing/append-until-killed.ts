/**
 * A process that a test kills. It opens the store in argv[2] and appends private and group messages, several at once.
 * It prints the kind and id of each message after its promise has resolved.
 */
import { writeSync } from "node:fs";
import { openStore } from "../adapters/store/open-store.ts";
import { newMessage, stored } from "./contracts/store-fixtures.ts";

const [, , url] = process.argv;
if (url === undefined) throw new Error("usage: append-until-killed.ts <database file>");
const store = await openStore({
  url,
  onFatal: (error) => {
    throw error;
  },
});

async function appendUntilKilled(sender: number): Promise<never> {
  for (let n = 0; ; n++) {
    const tmpId = `${sender}-${n}`;
    const message = newMessage(sender, 1, { tmpId, content: tmpId });
    if (sender % 2 === 0) {
      const { row } = await store.appendPrivate(message);
      writeSync(1, `private:${row.id} ${tmpId}\n`);
    } else {
      const { row } = stored(await store.appendGroup({ ...message, groupId: 1, sendRole: 1 }));
      writeSync(1, `group:${row.id} ${tmpId}\n`);
    }
  }
}
await Promise.all([2, 3, 4, 5].map(appendUntilKilled));
