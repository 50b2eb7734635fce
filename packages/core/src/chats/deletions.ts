import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage, Result } from "../model/state.ts";
import { type Api, fail } from "../connection/api.ts";
import type { ChatStore } from "./chat-store.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import { NOT_SENDABLE } from "./outbox.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import { chatApiOf } from "./chat-api.ts";

/**
 * Messages deleted for oneself: they disappear at once, and the deletion is sent until the server answers, also after a reload. Only a
 * refusal brings them back.
 */
export interface Deletions {
  restore(): Promise<void>;
  deleteForMe(key: ChatKey, ids: readonly number[]): Promise<Result<null>>;
  /** The network may be back. */
  retry(): void;
  /** The server has another database: drops all deletions, whose ids belong to other messages there. */
  drop(): void;
}

interface UnsentDeletion {
  readonly key: ChatKey;
  readonly ids: readonly number[];
  /** The messages before the deletion, as far as they were in memory. */
  readonly messages: readonly ChatMessage[];
}

const RETRY_MS = 5_000;
const DONE = { ok: true, value: null } as const;

/** What deletions need. */
export interface DeletionsDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
}

/** Creates the deletions; `restore` loads those that a reload interrupted. */
export function createDeletions({ ports, api, stateStore, database, chatStore }: DeletionsDeps): Deletions {
  let unsent: readonly UnsentDeletion[] = [];
  const inFlight = new Set<UnsentDeletion>();
  let cancelRetry: (() => void) | null = null;

  /** What the local database remembers; the messages themselves are deleted from it. */
  const savedValues = () => ({ unsentHides: unsent.map(({ key, ids }) => ({ key, ids })) });

  function removeEntry(entry: UnsentDeletion): void {
    unsent = unsent.filter((other) => other !== entry);
    database.save({ values: savedValues() });
  }

  async function send(entry: UnsentDeletion): Promise<Result<null>> {
    if (inFlight.has(entry)) return DONE;
    inFlight.add(entry);
    const { key, ids, messages } = entry;
    const result = (await chatApiOf(api, key)?.deleteForMe(ids)) ?? DONE;
    inFlight.delete(entry);
    // It was dropped meanwhile.
    if (!unsent.includes(entry)) return DONE;
    if (!result.ok && result.failure.kind !== "refused") {
      cancelRetry ??= ports.clock.after(RETRY_MS, () => {
        cancelRetry = null;
        retry();
      });
      return DONE;
    }
    removeEntry(entry);
    if (result.ok) return DONE;
    chatStore.dispatch([{ kind: "restoreDeleted", key, ids, messages }]);
    return result;
  }

  function retry(): void {
    if (ports.environment.hasNetwork()) for (const entry of unsent) void send(entry);
  }

  return {
    async restore() {
      const stored = await database.value("unsentHides");
      if (Array.isArray(stored)) unsent = [...stored.flatMap(parseUnsentDeletion), ...unsent];
    },
    async deleteForMe(key, ids) {
      if (chatApiOf(api, key) === null) return fail(NOT_SENDABLE);
      const window = stateStore.get().chats.byKey[key]?.window.messages ?? [];
      const entries: UnsentDeletion[] = [];
      for (let i = 0; i < ids.length; i += DELETE_BATCH_MAX) {
        const batch = ids.slice(i, i + DELETE_BATCH_MAX);
        const messages = window.filter(({ id }) => id !== null && batch.includes(id));
        entries.push({ key, ids: batch, messages });
      }
      unsent = [...unsent, ...entries];
      chatStore.dispatch([{ kind: "deleteForMe", key, ids }], savedValues());
      const results = await Promise.all(entries.map(send));
      return results.find((result) => !result.ok) ?? DONE;
    },
    retry,
    drop() {
      unsent = [];
    },
  };
}

function parseUnsentDeletion(value: unknown): UnsentDeletion[] {
  if (!isRecord(value) || typeof value["key"] !== "string" || !Array.isArray(value["ids"])) return [];
  const target = parseChatKey(value["key"]);
  const ids = value["ids"].filter((id) => typeof id === "number");
  return target === null ? [] : [{ key: target.key, ids, messages: [] }];
}
