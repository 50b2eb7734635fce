import * as z from "zod/mini";
import type { ChatType } from "@parley/protocol/codes";
import { reduceChats } from "../model/chats/reduce-chats.ts";
import type { ChangedRow, ChatContext, ChatInput } from "../model/chats/chat-input.ts";
import type { ClearedPositions } from "../model/chats/deleted-for-me.ts";
import { chatKey, numbersByType } from "../model/schemas.ts";
import type { Chat, ChatKey, ChatMessage } from "../model/state.ts";
import { createInputTrackers, type InputTrackers } from "./input-trackers.ts";
import { saveChanges } from "../storage/save-changes.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { ValuesToSave } from "../storage/stored-values.ts";
import type { SessionEvents } from "../session-events.ts";
import type { SessionOutside } from "../session-scope.ts";

/** The only place where chats change, so that state, local database and callbacks stay consistent. */
export interface ChatStore extends Pick<SessionEvents, "restoreFirst"> {
  chatOf(key: ChatKey): Chat | undefined;
  /** A message in memory. */
  messageOf(key: ChatKey, id: number | null): ChatMessage | undefined;
  /** Applies one batch: one new state, one notification, one database write together with `values`. */
  dispatch(inputs: readonly ChatInput[], values?: ValuesToSave): void;
  /** The messages of the server have to be loaded again: drops all positions. */
  forget(): void;
  /** By kind of chat: rows below this id were never pulled. */
  readonly historyStart: Readonly<Record<ChatType, number>>;
  /** A pull begins at this id and leaves older rows out. */
  raiseHistoryStart(type: ChatType, fromId: number): void;
  /** What a new chat is created from. */
  newChatContext(): Pick<ChatContext, "historyStart" | "friends" | "groups">;
  /** By kind of chat: the position up to which everything was cleared. */
  readonly clearedPositions: ClearedPositions;
  /** See {@link InputTrackers.track}. */
  readonly trackInputs: InputTrackers["track"];
  readonly invalidationCount: InputTrackers["invalidationCount"];
}

/** What the services of chats work with. */
export interface ChatDeps extends SessionOutside {
  readonly database: LocalDatabase;
  readonly chatStore: ChatStore;
  /** The id of the person signed in. */
  readonly me: number;
}

/** What the chat store needs, and where it reports to. */
export interface ChatStoreDeps extends Pick<ChatDeps, "stateStore" | "database" | "me"> {
  /** How many messages a chat that is not open keeps in memory. */
  closedWindow?: number | undefined;
  /** Called with the server's rows of a batch, as they are now. */
  onRows(rows: readonly ChangedRow[]): void;
  /** Called with what was applied, except the rows. */
  onInputs(inputs: readonly ChatInput[]): void;
  /** Called when a chat's newest row was removed and the one before it is not in memory. */
  onPreviewNeeded(key: ChatKey): void;
  /** Called when the user wrote a message while the window does not show the newest messages. */
  onLocalEchoOutsideWindow(key: ChatKey): void;
}

/** Position 0 for every kind of chat. */
export const NO_POSITIONS: Readonly<Record<ChatType, number>> = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };

type ReadInput = Extract<ChatInput, { kind: "read" }>;

const readInputs: z.ZodMiniType<readonly ReadInput[]> = z.array(
  z.object({ kind: z.literal("read"), key: chatKey, side: z.enum(["mine", "theirs"]), upTo: z.number() }),
);

/** Creates the chat store. */
export function createChatStore(deps: ChatStoreDeps): ChatStore {
  const { stateStore, database, me, closedWindow } = deps;
  const inputTrackers = createInputTrackers();
  /** Read positions of chats that have no row here yet; they apply once the first row arrives. */
  let earlyPositions: readonly ReadInput[] = [];
  let clearedPositions: ClearedPositions = NO_POSITIONS;
  let historyStart = NO_POSITIONS;

  const chatStore: ChatStore = {
    chatOf: (key) => stateStore.get().chats.byKey[key],
    messageOf: (key, id) => chatStore.chatOf(key)?.window.messages.find((message) => message.id === id),
    get historyStart() {
      return historyStart;
    },
    raiseHistoryStart(type, fromId) {
      historyStart = { ...historyStart, [type]: Math.max(historyStart[type], fromId) };
    },
    get clearedPositions() {
      return clearedPositions;
    },
    newChatContext() {
      const { contacts, groups } = stateStore.get();
      return { historyStart, friends: contacts.friends, groups: groups.byId };
    },
    invalidationCount: inputTrackers.invalidationCount,
    trackInputs: inputTrackers.track,
    dispatch(inputs, values) {
      const before = stateStore.get().chats;
      // A pull has thousands of rows; the searches below concern only the other inputs.
      const nonRowInputs = inputs.filter((input) => input.kind !== "row");
      const isKnown = (key: ChatKey) => before.byKey[key] !== undefined;
      // A position that arrives before the rows of a new chat, also within this batch, applies to these rows.
      const positions = [
        ...earlyPositions,
        ...nonRowInputs.filter(isReadInput).filter(({ key }) => !isKnown(key)),
      ];
      const change = reduceChats(before, positions.length === 0 ? inputs : [...inputs, ...positions], {
        ...chatStore.newChatContext(),
        me,
        clearedPositions,
        hasLocalDatabase: database.isUsable(),
        closedWindow,
      });
      const { chats, rows, rejectedRows, removals } = change;
      const previousClearedPositions = clearedPositions;
      clearedPositions = withClearedPositions(clearedPositions, nonRowInputs);
      const remainingEarly = positions.filter((position) => chats.byKey[position.key] === undefined);
      const hasEarlyChanged =
        remainingEarly.length !== earlyPositions.length ||
        remainingEarly.some((position, i) => position !== earlyPositions[i]);
      earlyPositions = remainingEarly;
      stateStore.set({ chats });
      for (const input of nonRowInputs) if (input.kind === "invalidate") inputTrackers.invalidate(input.key);
      inputTrackers.record(inputs);
      const positionValues: ValuesToSave = {
        ...(hasEarlyChanged && { positions: earlyPositions }),
        ...(clearedPositions !== previousClearedPositions && { cleared: clearedPositions }),
      };
      saveChanges(
        database,
        before,
        change,
        Object.keys(positionValues).length > 0 ? { ...values, ...positionValues } : values,
      );
      if (nonRowInputs.length > 0) deps.onInputs(nonRowInputs);
      deps.onRows(rejectedRows.length > 0 ? [...rows, ...rejectedRows] : rows);
      for (const key of new Set(removals.map((removal) => removal.key)))
        if (chats.byKey[key]?.sync.needsPreview === true) deps.onPreviewNeeded(key);
      for (const input of nonRowInputs) {
        const isUnseen = input.kind === "localEcho" && chats.byKey[input.key]?.window.hasNewer === true;
        if (isUnseen) deps.onLocalEchoOutsideWindow(input.key);
      }
    },
    async restoreFirst() {
      const [storedPositions, storedCleared, storedStart] = await Promise.all([
        database.value("positions"),
        database.value("cleared"),
        database.value("historyStart"),
      ]);
      earlyPositions = readInputs.safeParse(storedPositions).data ?? earlyPositions;
      clearedPositions = numbersByType.safeParse(storedCleared).data ?? clearedPositions;
      historyStart = numbersByType.safeParse(storedStart).data ?? historyStart;
    },
    forget() {
      historyStart = NO_POSITIONS;
      earlyPositions = [];
      clearedPositions = NO_POSITIONS;
      inputTrackers.drop();
    },
  };

  return chatStore;
}

/** The cleared positions after these inputs; the same object when none has moved. */
function withClearedPositions(
  clearedPositions: ClearedPositions,
  inputs: readonly ChatInput[],
): ClearedPositions {
  let positions = clearedPositions;
  for (const input of inputs)
    if (input.kind === "cleared" && input.upTo > positions[input.type])
      positions = { ...positions, [input.type]: input.upTo };
  return positions;
}

function isReadInput(input: ChatInput): input is ReadInput {
  return input.kind === "read" && input.upTo !== null && input.upTo >= 0;
}
