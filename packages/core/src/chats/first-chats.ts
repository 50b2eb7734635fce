import { ChatType } from "@parley/protocol/codes";
import { loadFirstChats } from "@parley/protocol/endpoints/first-chats";
import { FIRST_CHATS_DEFAULT } from "@parley/protocol/limits";
import { SILENT } from "../connection/api.ts";
import { readFirstChats } from "../model/chats/first-chats.ts";
import { chatTypeOf } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import { LOCAL_KEYS, readValue, writeValue } from "../storage/key-value-storage.ts";
import type { ChatDeps } from "./chat-store.ts";

/** Shows the top of the chat list before the first pulls have ended, which bring up to 10,000 rows. */
export interface FirstChatsLoader {
  /** Asks the server, before the local database is open, if that most likely has nothing. */
  loadEarly(): void;
  /** Asks the server, once. Without an answer, also of an older server, the list waits for the pulls. */
  load(): void;
  /** A chat is opened. Returns whether its messages are on the server alone, because no pull has ended yet. */
  opening(key: ChatKey): boolean;
  /** The pulls have ended: replaces the view by what they brought, as a part of the change that shows that. */
  end(): void;
}

/** What the loader needs. */
export interface FirstChatsDeps extends Omit<ChatDeps, "database"> {
  /** The name of the local database. */
  databaseName: string;
}

/** Creates the loader; it requests nothing before `loadEarly` or `load`. */
export function createFirstChats({
  ports,
  api,
  stateStore,
  chatStore,
  me,
  databaseName,
}: FirstChatsDeps): FirstChatsLoader {
  const { local } = ports.storage;
  const pulledKey = `${LOCAL_KEYS.pulled}${databaseName}`;
  let hasAsked = false;
  /** Chats that were opened before the pulls brought their messages. */
  const opened = new Set<ChatKey>();

  async function ask(): Promise<void> {
    if (hasAsked) return;
    hasAsked = true;
    const result = await api.call(loadFirstChats, { query: { n: FIRST_CHATS_DEFAULT } }, SILENT);
    // What the pulls brought, now or before, is complete.
    if (!result.ok || stateStore.get().pulled !== "never") return;
    const firstChats = readFirstChats(result.value.chats, me);
    if (firstChats.order.length > 0) stateStore.set({ firstChats });
  }

  return {
    loadEarly() {
      if (readValue(local, pulledKey) === null) void ask();
    },
    load: () => void ask(),
    opening(key) {
      const isUnknown =
        stateStore.get().pulled === "never" &&
        chatTypeOf(key) !== ChatType.SYSTEM &&
        chatStore.chatOf(key) === undefined;
      if (isUnknown) opened.add(key);
      return isUnknown;
    },
    end() {
      writeValue(local, pulledKey, "1");
      stateStore.set({ firstChats: null, pulled: "now" });
      // A page that ended before its pulls has left such chats in the local database.
      const known = Object.values(stateStore.get().chats.byKey).filter(
        ({ key, sync }) => (opened.has(key) || sync.knownFrom === Infinity) && sync.evictedAt === 0,
      );
      opened.clear();
      if (known.length === 0) return;
      const { historyStart } = chatStore;
      chatStore.dispatch(known.map(({ key, type }) => ({ kind: "known", key, from: historyStart[type] })));
    },
  };
}
