/** The numbers that `npm run admin -- stats` prints. */
import type { Gateway } from "../gateway/gateway.ts";
import type { OpenedStore } from "../adapters/store/open-store.ts";

const MEBIBYTE = 1_048_576;

/** Where the numbers come from. */
export interface StatsDeps {
  store: OpenedStore;
  /** Undefined if no server runs. */
  gateway: Pick<Gateway, "socketCount" | "userCount"> | undefined;
}

/** Returns one line per number: name, tab, value. */
export async function listStats({ store, gateway }: StatsDeps): Promise<string[]> {
  const users = await store.countUsers();
  const files = await store.countFiles();
  const rows: [string, string][] = [
    ["server", gateway === undefined ? "not running" : "running"],
    ["people", `${users.all} (${users.banned} banned, ${users.unregistered} unregistered)`],
    ["online", String(gateway?.userCount() ?? 0)],
    ["sockets", String(gateway?.socketCount() ?? 0)],
    ["messages", String(await store.countMessages())],
    ["database", mebibytes(await store.bytes())],
    ["files", `${files.count}, ${mebibytes(files.bytes)}`],
  ];
  return rows.map(([name, value]) => `${name}\t${value}`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
