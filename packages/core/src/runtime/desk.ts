import { ChatType } from "@parley/protocol/codes";
import { changeChats } from "../model/chats.ts";
import type { ChangedRow, ChatContext, ChatInput } from "../model/chat-input.ts";
import type { ClearedMarks } from "../model/gone.ts";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import { keepChange } from "./keep-change.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Store } from "./store.ts";

/** Where every change of chats passes: state, disk and those who follow rows stay in step. */
export interface Desk {
  /** One batch: one new state, one notification, one disk write together with `values`. */
  apply(inputs: readonly ChatInput[], values?: Readonly<Record<string, unknown>>): void;
  restore(isOver: () => boolean): Promise<void>;
  forget(): void;
  /** Rows below this id were never pulled, by kind. */
  floors: Record<ChatType, number>;
  /** What a new chat is made from. */
  context(): Pick<ChatContext, "floors" | "friends" | "groups">;
  /** Positions up to which everything was cleared, by kind. */
  readonly cleared: ClearedMarks;
  /**
   * From here on notes what happens to the messages of a chat, until the answer is called: a page that was read meanwhile may be older, so
   * all of it is to be applied again behind the page. null: the person or the server's database has changed, or the chat was forgotten; the page is of the past.
   */
  follow(key: ChatKey): () => readonly ChatInput[] | null;
  /** How often all messages of a chat were forgotten here. */
  renewals(key: ChatKey): number;
  /** Called with the rows of the server that a batch brought, as they now stand. */
  onRows: (rows: readonly ChangedRow[]) => void;
  /** Called when a chat's newest row went and the one before it is not in memory. */
  onHollow: (key: ChatKey) => void;
  /** Called when one's own message was written while the window ends below the newest one. */
  onUnseenEcho: (key: ChatKey) => void;
}

export const NO_FLOORS: Readonly<Record<ChatType, number>> = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };

type Position = Extract<ChatInput, { kind: "read" }>;

const POSITIONS = "positions";
const CLEARED = "cleared";

export function createDesk(store: Store, disk: Disk, closedWindow?: number): Desk {
  const followers = new Set<{ readonly key: ChatKey; readonly inputs: ChatInput[] }>();
  /** Read positions of chats that have no row here yet; they hold once the first one comes. */
  let early: readonly Position[] = [];
  let cleared: ClearedMarks = NO_FLOORS;
  const renewals = new Map<ChatKey, number>();

  const desk: Desk = {
    floors: { ...NO_FLOORS },
    get cleared() {
      return cleared;
    },
    context() {
      const { contacts, groups } = store.get();
      return { floors: desk.floors, friends: contacts.friends, groups: groups.byId };
    },
    renewals: (key) => renewals.get(key) ?? 0,
    onRows: () => undefined,
    onHollow: () => undefined,
    onUnseenEcho: () => undefined,
    follow(key) {
      const follower = { key, inputs: [] };
      followers.add(follower);
      return () => (followers.delete(follower) ? follower.inputs : null);
    },
    apply(inputs, values) {
      const before = store.get().chats;
      // A pull brings thousands of rows: what is looked for below is among the rest.
      const rest = inputs.filter((input) => input.kind !== "row");
      const known = (key: ChatKey) => before.byKey[key] !== undefined;
      // One that came before the rows of a new chat, also in this batch, is meant for them too.
      const positions = [...early, ...rest.filter(isPosition).filter(({ key }) => !known(key))];
      const { session } = store.get();
      const change = changeChats(before, positions.length === 0 ? inputs : [...inputs, ...positions], {
        ...desk.context(),
        me: session.kind === "anonymous" ? 0 : session.userId,
        cleared,
        hasDisk: disk.isUsable(),
        closedWindow,
      });
      const { chats, rows, refused, gone } = change;
      const clearedBefore = cleared;
      cleared = raised(cleared, rest);
      const stillEarly = positions.filter((position) => chats.byKey[position.key] === undefined);
      const isEarlyNew =
        stillEarly.length !== early.length || stillEarly.some((position, i) => position !== early[i]);
      early = stillEarly;
      store.set({ chats });
      for (const input of rest) {
        if (input.kind !== "renew") continue;
        renewals.set(input.key, desk.renewals(input.key) + 1);
        for (const follower of followers) if (follower.key === input.key) followers.delete(follower);
      }
      for (const { key, inputs: noted } of followers) {
        noted.push(...inputs.filter((input) => isOfMessages(input) && input.key === key));
      }
      const marks = {
        ...(isEarlyNew && { [POSITIONS]: early }),
        ...(cleared !== clearedBefore && { [CLEARED]: cleared }),
      };
      keepChange(disk, before, change, Object.keys(marks).length > 0 ? { ...values, ...marks } : values);
      desk.onRows(refused.length > 0 ? [...rows, ...refused] : rows);
      for (const key of new Set(gone.map((part) => part.key)))
        if (chats.byKey[key]?.book.isHollow === true) desk.onHollow(key);
      for (const input of rest) {
        const isUnseen = input.kind === "echo" && chats.byKey[input.key]?.window.hasNewer === true;
        if (isUnseen) desk.onUnseenEcho(input.key);
      }
    },
    async restore(isOver) {
      const [stored, marks] = await Promise.all([disk.value(POSITIONS), disk.value(CLEARED)]);
      if (isOver()) return;
      if (Array.isArray(stored)) early = stored.flatMap(readPosition);
      if (isRecord(marks)) cleared = readNumbers(marks);
    },
    forget() {
      desk.floors = { ...NO_FLOORS };
      early = [];
      cleared = NO_FLOORS;
      followers.clear();
    },
  };

  return desk;
}

/** The marks after these inputs; the same value when none has moved. */
function raised(cleared: ClearedMarks, inputs: readonly ChatInput[]): ClearedMarks {
  let marks = cleared;
  for (const input of inputs)
    if (input.kind === "cleared" && input.upTo > marks[input.type])
      marks = { ...marks, [input.type]: input.upTo };
  return marks;
}

/** Numbers by kind of chat, as they lay on disk. */
export function readNumbers(value: Record<string, unknown>): Record<ChatType, number> {
  const read = (type: ChatType) => (typeof value[type] === "number" ? value[type] : 0);
  return { PRIVATE: read(ChatType.PRIVATE), GROUP: read(ChatType.GROUP), SYSTEM: read(ChatType.SYSTEM) };
}

/** What a page that was read before does not know of. */
function isOfMessages(input: ChatInput): input is Extract<ChatInput, { kind: "row" | "event" | "receipt" }> {
  return input.kind === "row" || input.kind === "event" || input.kind === "receipt";
}

function isPosition(input: ChatInput): input is Position {
  return input.kind === "read" && input.upTo !== null && input.upTo >= 0;
}

function readPosition(value: unknown): Position[] {
  if (!isRecord(value) || typeof value["key"] !== "string" || typeof value["upTo"] !== "number") return [];
  const parsed = parseChatKey(value["key"]);
  const side = value["side"] === "theirs" ? "theirs" : "mine";
  return parsed === null ? [] : [{ kind: "read", key: parsed.key, side, upTo: value["upTo"] }];
}
