import * as z from "zod/mini";
import { listSaved, removeSaved, setSaved } from "@parley/protocol/endpoints/saved-messages";
import type { SavedMessage } from "@parley/protocol/saved-message";
import { DONE, SILENT } from "../connection/api.ts";
import { toChatMessage } from "../model/chats/chat-rows.ts";
import {
  isSaved,
  hasMissing,
  type SavedById,
  type SavedCopy,
  type SavedWords,
  savedWordsSchema,
  type UnsentSave,
} from "../model/chats/saved-messages.ts";
import { chatKey } from "../model/schemas.ts";
import type { ChatKey, ChatMessage, Result } from "../model/state.ts";
import type { Notice } from "../notice.ts";
import type { SessionEvents } from "../session-events.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { SharedValues } from "../storage/shared-values.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import { mayPass } from "../storage/durable-queue.ts";
import { createUnsentStates } from "../storage/unsent-states.ts";
import type { ChatDeps } from "./chat-store.ts";

/** What a person does with messages that they save for themselves. It is shown at once; a refusal, which may come after a reload, undoes it and is a notice. */
export interface SavedActions {
  /** Saves a message of a chat with a note and tags, or changes these. */
  save(key: ChatKey, id: number, words: SavedWords): void;
  /** Removes a message from those that are saved. */
  removeSaved(key: ChatKey, id: number): void;
  /**
   * Brings the copies of all saved messages into `state.savedCopies`: from the local database, and from the server what that lacks. From then
   * on they follow what changes. Fails if the server did not answer, with what is there.
   */
  loadSaved(): Promise<Result<null>>;
}

/**
 * The messages that a person has saved: states of the messages (`createUnsentStates`), and a copy of each in the local database, so that they
 * can be read and searched without a connection. The copy goes when the server says that the message is saved no longer.
 */
export interface SavedMessages extends Pick<SessionEvents, "restore" | "retry" | "reset" | "wentOnline"> {
  readonly actions: SavedActions;
  /** Whether one of these messages is saved. */
  hasSome(ids: readonly number[]): boolean;
}

const unsentSave: z.ZodMiniType<UnsentSave> = z.object({
  key: chatKey,
  id: z.number(),
  words: z.nullable(savedWordsSchema),
});

/** Only what decides anything is looked at: this client wrote the rest. */
const copiedMessage = z.custom<ChatMessage>(
  (value) => isRecord(value) && typeof value["id"] === "number" && typeof value["content"] === "string",
);
const savedCopy: z.ZodMiniType<SavedCopy> = z.object({
  v: z.number(),
  id: z.number(),
  message: copiedMessage,
});

const COPY = "savedCopy ";

/** How long after a call without an answer the missing copies are asked for again. */
const RETRY_MS = 5_000;

/** Creates the service; `restore` loads what a reload interrupted. */
export function createSavedMessages({
  ports,
  api,
  database,
  chatStore,
  stateStore,
  sharedValues,
  me,
  notify,
}: ChatDeps & { sharedValues: SharedValues; notify(notice: Notice): void }): SavedMessages {
  /** The copies of the local database are in memory. */
  let areRead = false;
  let loading: Promise<Result<null>> | null = null;
  /** The server did not answer, and is asked again in a moment. */
  let isWaiting = false;
  let known: SavedById = stateStore.get().saved;

  const { put, ...events } = createUnsentStates<UnsentSave>({
    ports,
    database,
    prefix: "unsentSave ",
    idOf: ({ id }) => String(id),
    schema: unsentSave,
    async send({ id, words }) {
      if (words === null) {
        const result = await api.call(removeSaved, { params: { id } }, SILENT);
        if (!result.ok) return result.failure;
        sharedValues.change("saved", [result.value]);
        return null;
      }
      const result = await api.call(setSaved, { body: { id, ...words } }, SILENT);
      if (!result.ok) return result.failure;
      stateStore.batch(() => apply([result.value]));
      return null;
    },
    show(entries) {
      const before = stateStore.get().unsentSaves;
      stateStore.set({ unsentSaves: Object.fromEntries(entries.map((entry) => [entry.id, entry])) });
      // What was refused, or is removed at last.
      forget(Object.values(before).flatMap(({ id }) => (isSaved(stateStore.get(), id) ? [] : [id])));
    },
    notify,
  });

  /** Each copy is a value of its own, because all of them together are large. */
  function store(copies: readonly (readonly [number, SavedCopy | undefined])[]): void {
    const values: Record<`${typeof COPY}${string}`, SavedCopy | undefined> = {};
    for (const [id, copy] of copies) values[`${COPY}${id}`] = copy;
    database.save({ values });
  }

  /** Saves copies here and in the local database, unless what is known is newer. */
  function saveCopies(copies: readonly SavedCopy[]): void {
    const { savedCopies, saved: byId } = stateStore.get();
    const newer = copies.filter(
      ({ id, v }) => v > (savedCopies[id]?.v ?? -1) && (v === 0 || v >= (byId[id]?.v ?? 0)),
    );
    if (newer.length === 0) return;
    stateStore.set({
      savedCopies: { ...savedCopies, ...Object.fromEntries(newer.map((copy) => [copy.id, copy])) },
    });
    store(newer.map((copy) => [copy.id, copy]));
  }

  function forget(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids.map(String));
    const others = Object.entries(stateStore.get().savedCopies).filter(([id]) => !gone.has(id));
    stateStore.set({ savedCopies: Object.fromEntries(others) });
    store(ids.map((id) => [id, undefined]));
  }

  /** Applies answers of the server. The copies come first, so that none is asked for. */
  function apply(messages: readonly SavedMessage[]): void {
    saveCopies(messages.map(({ id, v, message }) => ({ id, v, message: toChatMessage(message, me) })));
    sharedValues.change(
      "saved",
      messages.map(({ message: _, ...change }) => change),
    );
  }

  async function readCopies(): Promise<void> {
    if (areRead) return;
    const values = await database.valuesWith(COPY);
    areRead = true;
    const stored = values.flatMap((value) => savedCopy.safeParse(value).data ?? []);
    const state = stateStore.get();
    const copies: Record<string, SavedCopy> = {};
    for (const copy of stored) copies[copy.id] = copy;
    const orphans = stored.filter(({ id }) => !isSaved(state, id));
    // What came from the server meanwhile is newer.
    stateStore.set({ savedCopies: { ...copies, ...state.savedCopies } });
    forget(orphans.map(({ id }) => id));
  }

  /** Asks for the pages with the newest changes until no copy is missing. */
  async function loadMissing(): Promise<Result<null>> {
    for (let before: number | null | undefined; hasMissing(stateStore.get()) && before !== null;) {
      const query = before === undefined ? {} : { before };
      const result = await api.call(listSaved, { query }, SILENT);
      if (!result.ok) return result;
      const { entries, next } = result.value;
      stateStore.batch(() => apply(entries));
      before = next;
    }
    return DONE;
  }

  async function load(): Promise<Result<null>> {
    try {
      await readCopies();
      // Again for what changed meanwhile.
      for (let asked: SavedById | null = null; asked !== stateStore.get().saved;) {
        asked = stateStore.get().saved;
        const result = await loadMissing();
        if (!result.ok) return result;
      }
      return DONE;
    } finally {
      loading = null;
    }
  }

  function loadSaved(): Promise<Result<null>> {
    loading ??= load();
    return loading;
  }

  /** Brings in the copies that are missing; without an answer it tries again a moment later. */
  async function complete(): Promise<void> {
    const isOnline = stateStore.get().connection.kind === "online";
    if (!isOnline || isWaiting || !hasMissing(stateStore.get())) return;
    const result = await loadSaved();
    if (result.ok || !mayPass(result.failure)) return;
    isWaiting = true;
    ports.clock.after(RETRY_MS, () => {
      isWaiting = false;
      void complete();
    });
  }

  /** Follows what the server says is saved: drops what is saved no longer, and asks for what is new or has other words. */
  function follow(): void {
    const state = stateStore.get();
    if (state.saved === known) return;
    const before = Object.values(known);
    known = state.saved;
    forget(before.flatMap(({ id, saved }) => (saved === null || isSaved(state, id) ? [] : [id])));
    void complete();
  }
  stateStore.subscribe(follow);

  // Each tab sends it, so that none sends an older state that it has from the local database.
  listenToOwnTabs(ports.tabs, me, "saved", ({ key, id, words }) => put({ key, id, words }));

  function set(entry: UnsentSave): void {
    put(entry);
    broadcastToTabs(ports.tabs, { kind: "saved", userId: me, ...entry });
  }

  return {
    actions: {
      save(key, id, words) {
        const message = chatStore.messageOf(key, id);
        const hasCopy = stateStore.get().savedCopies[id] !== undefined;
        stateStore.batch(() => {
          // Until the server has answered, this is what there is to read.
          if (message !== undefined && !hasCopy)
            saveCopies([{ v: 0, id, message: { ...message, hasTimeTip: false } }]);
          set({ key, id, words });
        });
      },
      removeSaved: (key, id) => set({ key, id, words: null }),
      loadSaved,
    },
    hasSome: (ids) => ids.some((id) => isSaved(stateStore.get(), id)),
    ...events,
    wentOnline: () => {
      if (Object.keys(stateStore.get().saved).length > 0) void loadSaved();
    },
    reset(isOtherServer) {
      areRead = true;
      stateStore.set({ savedCopies: {} });
      events.reset(isOtherServer);
    },
  };
}
