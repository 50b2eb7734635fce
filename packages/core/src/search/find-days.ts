import type { ChatKey, Failure, Result } from "../model/state.ts";
import { type Api, fail } from "../connection/api.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import { chatApiOf } from "../chats/chat-api.ts";

/**
 * The days that have messages, of those that begin at `starts` (epoch ms, ascending; the last entry is the end of the last day, at most
 * 31 days). Asks the server; without a connection, the local database.
 */
export type FindDays = (key: ChatKey, starts: readonly number[]) => Promise<Result<readonly number[]>>;

const PAGE = 200;

/** Creates the search for days: the server knows all of them; without its answer the local database is used. */
export function findDays({
  ports,
  api,
  database,
}: {
  ports: Ports;
  api: Api;
  database: LocalDatabase;
}): FindDays {
  return async (key, starts) => {
    const chatApi = chatApiOf(api, key);
    if (chatApi === null) return { ok: true, value: [] };
    const isOffline = database.isUsable() && !ports.environment.hasNetwork();
    const result = isOffline ? OFFLINE_RESULT : await chatApi.days(starts);
    if (result.ok || !database.isUsable() || !isServerUnavailable(result.failure)) return result;
    return { ok: true, value: await daysInDatabase(database, key, starts) };
  };
}

const OFFLINE_RESULT = fail({ kind: "network", reason: "offline" });

/** Whether the failure means that the server gave no answer to the question. */
export function isServerUnavailable(failure: Failure): boolean {
  return failure.kind === "network" || failure.kind === "http";
}

async function daysInDatabase(
  database: Pick<LocalDatabase, "messagesBefore">,
  key: ChatKey,
  starts: readonly number[],
): Promise<number[]> {
  const [first = 0] = starts;
  const end = starts.at(-1) ?? 0;
  const found = new Set<number>();
  for (let before = Infinity; ;) {
    const rows = await database.messagesBefore(key, before, PAGE);
    for (const { sendTime } of rows) {
      if (sendTime >= first && sendTime < end)
        found.add(starts.findLast((start) => start <= sendTime) ?? first);
    }
    const oldest = rows[0];
    if (rows.length < PAGE || oldest?.id == null || oldest.sendTime < first) break;
    before = oldest.id;
  }
  return [...found].toSorted((a, b) => a - b);
}
