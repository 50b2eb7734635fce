import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, ChatMessage, Result } from "../model/state.ts";
import { type Api, fail } from "./api.ts";
import type { Desk } from "./desk.ts";
import { isRecord } from "./keep.ts";
import { UNSENDABLE } from "./outbox.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";
import { talkIn } from "./talk-calls.ts";

/**
 * Messages deleted for oneself: gone here at once, told to the server until it answers, also after a reload. Only a refusal brings them
 * back.
 */
export interface Hides {
  restore(): Promise<void>;
  hide(key: ChatKey, ids: readonly number[]): Promise<Result<null>>;
  /** The network may be back. */
  retry(): void;
  forget(): void;
}

interface Unsent {
  readonly key: ChatKey;
  readonly ids: readonly number[];
  /** As they stood, as far as they were in memory. */
  readonly messages: readonly ChatMessage[];
}

const UNSENT = "unsentHides";
const RETRY_MS = 5_000;
const DONE = { ok: true, value: null } as const;

export interface HidesDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
}

export function createHides({ ports, api, store, disk, desk }: HidesDeps): Hides {
  let unsent: readonly Unsent[] = [];
  const busy = new Set<Unsent>();
  let cancelRetry: (() => void) | null = null;
  /** Rises when another person logs in; answers for the one before are dropped. */
  let generation = 0;

  /** What the disk remembers; the messages themselves are gone from it. */
  const kept = () => ({ [UNSENT]: unsent.map(({ key, ids }) => ({ key, ids })) });

  function drop(entry: Unsent): void {
    unsent = unsent.filter((other) => other !== entry);
    disk.keep({ values: kept() });
  }

  async function send(entry: Unsent): Promise<Result<null>> {
    if (busy.has(entry)) return DONE;
    busy.add(entry);
    const sent = generation;
    const { key, ids, messages } = entry;
    const result = (await talkIn(api, key)?.hide(ids)) ?? DONE;
    busy.delete(entry);
    if (sent !== generation) return DONE;
    if (!result.ok && result.failure.kind !== "refused") {
      cancelRetry ??= ports.clock.after(RETRY_MS, () => {
        cancelRetry = null;
        retry();
      });
      return DONE;
    }
    drop(entry);
    if (result.ok) return DONE;
    desk.apply([{ kind: "unhide", key, ids, messages }]);
    return result;
  }

  function retry(): void {
    if (ports.environment.hasNetwork()) for (const entry of unsent) void send(entry);
  }

  return {
    async restore() {
      const stored = await disk.value(UNSENT);
      if (Array.isArray(stored)) unsent = [...stored.flatMap(readUnsent), ...unsent];
    },
    async hide(key, ids) {
      if (talkIn(api, key) === null) return fail(UNSENDABLE);
      const window = store.get().chats.byKey[key]?.window.messages ?? [];
      const entries: Unsent[] = [];
      for (let i = 0; i < ids.length; i += DELETE_BATCH_MAX) {
        const batch = ids.slice(i, i + DELETE_BATCH_MAX);
        const messages = window.filter(({ id }) => id !== null && batch.includes(id));
        entries.push({ key, ids: batch, messages });
      }
      unsent = [...unsent, ...entries];
      desk.apply([{ kind: "hide", key, ids }], kept());
      const results = await Promise.all(entries.map(send));
      return results.find((result) => !result.ok) ?? DONE;
    },
    retry,
    forget() {
      generation++;
      unsent = [];
      busy.clear();
      cancelRetry?.();
      cancelRetry = null;
    },
  };
}

function readUnsent(value: unknown): Unsent[] {
  if (!isRecord(value) || typeof value["key"] !== "string" || !Array.isArray(value["ids"])) return [];
  const target = parseChatKey(value["key"]);
  const ids = value["ids"].filter((id) => typeof id === "number");
  return target === null ? [] : [{ key: target.key, ids, messages: [] }];
}
