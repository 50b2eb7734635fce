import type { ChatKey, Failure, Result } from "../model/state.ts";
import { type Api, fail } from "./api.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { talkIn } from "./talk-calls.ts";

/** Of days that begin at these times, the last one being an end: those on which a chat has a message, ascending. */
export type FindDays = (key: ChatKey, starts: readonly number[]) => Promise<Result<readonly number[]>>;

const PAGE = 200;

/** The server knows all days; without it this device answers from what it keeps. */
export function findDays({ ports, api, disk }: { ports: Ports; api: Api; disk: Disk }): FindDays {
  return async (key, starts) => {
    const talk = talkIn(api, key);
    if (talk === null) return { ok: true, value: [] };
    const isOffline = disk.isUsable() && !ports.environment.hasNetwork();
    const result = isOffline ? OFFLINE : await talk.days(starts);
    if (result.ok || !disk.isUsable() || !isSilence(result.failure)) return result;
    return { ok: true, value: await daysOnDisk(disk, key, starts) };
  };
}

const OFFLINE = fail({ kind: "network", reason: "offline" });

/** The server did not say anything about the question. */
export function isSilence(failure: Failure): boolean {
  return failure.kind === "network" || failure.kind === "http";
}

async function daysOnDisk(
  disk: Pick<Disk, "messagesBefore">,
  key: ChatKey,
  starts: readonly number[],
): Promise<number[]> {
  const [first = 0] = starts;
  const end = starts.at(-1) ?? 0;
  const found = new Set<number>();
  for (let before = Infinity; ;) {
    const rows = await disk.messagesBefore(key, before, PAGE);
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
