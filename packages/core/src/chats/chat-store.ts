import { ChatType } from "@parley/protocol/codes";
import { reduceChats } from "../model/chats/reduce-chats.ts";
import type { ChangedRow, ChatContext, ChatInput } from "../model/chats/chat-input.ts";
import type { ClearedPositions } from "../model/chats/deleted-for-me.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import { saveChanges } from "../storage/save-changes.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { StateStore } from "../state-store.ts";

/** Where every change of chats passes: state, disk and those who follow rows stay in step. */
export interface ChatStore {
  /** One batch: one new state, one notification, one disk write together with `values`. */
  dispatch(inputs: readonly ChatInput[], values?: Readonly<Record<string, unknown>>): void;
  restore(isOver: () => boolean): Promise<void>;
  forget(): void;
  /** Rows below this id were never pulled, by kind. */
  historyStart: Record<ChatType, number>;
  /** What a new chat is made from. */
  newChatContext(): Pick<ChatContext, "historyStart" | "friends" | "groups">;
  /** Positions up to which everything was cleared, by kind. */
  readonly clearedPositions: ClearedPositions;
  /**
   * From here on notes what happens to the messages of a chat, until the answer is called: a page that was read meanwhile may be older, so
   * all of it is to be applied again behind the page. null: the person or the server's database has changed, or the chat was forgotten; the page is of the past.
   */
  trackInputs(key: ChatKey): () => readonly ChatInput[] | null;
  /** How often all messages of a chat were forgotten here. */
  invalidationCount(key: ChatKey): number;
  /** Called with the rows of the server that a batch brought, as they now stand. */
  onRows: (rows: readonly ChangedRow[]) => void;
  /** Called when a chat's newest row went and the one before it is not in memory. */
  onPreviewNeeded: (key: ChatKey) => void;
  /** Called when one's own message was written while the window ends below the newest one. */
  onLocalEchoOutsideWindow: (key: ChatKey) => void;
}

export const NO_POSITIONS: Readonly<Record<ChatType, number>> = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };

type ReadInput = Extract<ChatInput, { kind: "read" }>;

const POSITIONS = "positions";
const CLEARED = "cleared";

export function createChatStore(
  stateStore: StateStore,
  database: LocalDatabase,
  closedWindow?: number,
): ChatStore {
  const trackers = new Set<{ readonly key: ChatKey; readonly inputs: ChatInput[] }>();
  /** Read positions of chats that have no row here yet; they hold once the first one comes. */
  let earlyPositions: readonly ReadInput[] = [];
  let clearedPositions: ClearedPositions = NO_POSITIONS;
  const invalidations = new Map<ChatKey, number>();

  const chatStore: ChatStore = {
    historyStart: { ...NO_POSITIONS },
    get clearedPositions() {
      return clearedPositions;
    },
    newChatContext() {
      const { contacts, groups } = stateStore.get();
      return { historyStart: chatStore.historyStart, friends: contacts.friends, groups: groups.byId };
    },
    invalidationCount: (key) => invalidations.get(key) ?? 0,
    onRows: () => undefined,
    onPreviewNeeded: () => undefined,
    onLocalEchoOutsideWindow: () => undefined,
    trackInputs(key) {
      const tracker = { key, inputs: [] };
      trackers.add(tracker);
      return () => (trackers.delete(tracker) ? tracker.inputs : null);
    },
    dispatch(inputs, values) {
      const before = stateStore.get().chats;
      // A pull brings thousands of rows: what is looked for below is among the rest.
      const rest = inputs.filter((input) => input.kind !== "row");
      const known = (key: ChatKey) => before.byKey[key] !== undefined;
      // One that came before the rows of a new chat, also in this batch, is meant for them too.
      const positions = [...earlyPositions, ...rest.filter(isReadInput).filter(({ key }) => !known(key))];
      const { session } = stateStore.get();
      const change = reduceChats(before, positions.length === 0 ? inputs : [...inputs, ...positions], {
        ...chatStore.newChatContext(),
        me: session.kind === "anonymous" ? 0 : session.userId,
        clearedPositions,
        hasLocalDatabase: database.isUsable(),
        closedWindow,
      });
      const { chats, rows, rejectedRows, removals } = change;
      const previousClearedPositions = clearedPositions;
      clearedPositions = withClearedPositions(clearedPositions, rest);
      const remainingEarly = positions.filter((position) => chats.byKey[position.key] === undefined);
      const hasEarlyChanged =
        remainingEarly.length !== earlyPositions.length ||
        remainingEarly.some((position, i) => position !== earlyPositions[i]);
      earlyPositions = remainingEarly;
      stateStore.set({ chats });
      for (const input of rest) {
        if (input.kind !== "invalidate") continue;
        invalidations.set(input.key, chatStore.invalidationCount(input.key) + 1);
        for (const tracker of trackers) if (tracker.key === input.key) trackers.delete(tracker);
      }
      for (const { key, inputs: tracked } of trackers) {
        tracked.push(...inputs.filter((input) => isMessageInput(input) && input.key === key));
      }
      const positionValues = {
        ...(hasEarlyChanged && { [POSITIONS]: earlyPositions }),
        ...(clearedPositions !== previousClearedPositions && { [CLEARED]: clearedPositions }),
      };
      saveChanges(
        database,
        before,
        change,
        Object.keys(positionValues).length > 0 ? { ...values, ...positionValues } : values,
      );
      chatStore.onRows(rejectedRows.length > 0 ? [...rows, ...rejectedRows] : rows);
      for (const key of new Set(removals.map((part) => part.key)))
        if (chats.byKey[key]?.sync.needsPreview === true) chatStore.onPreviewNeeded(key);
      for (const input of rest) {
        const isUnseen = input.kind === "localEcho" && chats.byKey[input.key]?.window.hasNewer === true;
        if (isUnseen) chatStore.onLocalEchoOutsideWindow(input.key);
      }
    },
    async restore(isOver) {
      const [stored, positionValues] = await Promise.all([
        database.value(POSITIONS),
        database.value(CLEARED),
      ]);
      if (isOver()) return;
      if (Array.isArray(stored)) earlyPositions = stored.flatMap(parseReadInput);
      if (isRecord(positionValues)) clearedPositions = parseNumbersByType(positionValues);
    },
    forget() {
      chatStore.historyStart = { ...NO_POSITIONS };
      earlyPositions = [];
      clearedPositions = NO_POSITIONS;
      trackers.clear();
    },
  };

  return chatStore;
}

/** The marks after these inputs; the same value when none has moved. */
function withClearedPositions(
  clearedPositions: ClearedPositions,
  inputs: readonly ChatInput[],
): ClearedPositions {
  let marks = clearedPositions;
  for (const input of inputs)
    if (input.kind === "cleared" && input.upTo > marks[input.type])
      marks = { ...marks, [input.type]: input.upTo };
  return marks;
}

/** Numbers by kind of chat, as they lay on disk. */
export function parseNumbersByType(value: Record<string, unknown>): Record<ChatType, number> {
  const read = (type: ChatType) => (typeof value[type] === "number" ? value[type] : 0);
  return { PRIVATE: read(ChatType.PRIVATE), GROUP: read(ChatType.GROUP), SYSTEM: read(ChatType.SYSTEM) };
}

/** What a page that was read before does not know of. */
function isMessageInput(
  input: ChatInput,
): input is Extract<ChatInput, { kind: "row" | "event" | "receipt" }> {
  return input.kind === "row" || input.kind === "event" || input.kind === "receipt";
}

function isReadInput(input: ChatInput): input is ReadInput {
  return input.kind === "read" && input.upTo !== null && input.upTo >= 0;
}

function parseReadInput(value: unknown): ReadInput[] {
  if (!isRecord(value) || typeof value["key"] !== "string" || typeof value["upTo"] !== "number") return [];
  const parsed = parseChatKey(value["key"]);
  const side = value["side"] === "theirs" ? "theirs" : "mine";
  return parsed === null ? [] : [{ kind: "read", key: parsed.key, side, upTo: value["upTo"] }];
}
