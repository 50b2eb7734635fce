import { ChatType, Cmd, MessageType } from "@parley/protocol/codes";
import { isWritten } from "@parley/protocol/message";
import type { SavedChange } from "@parley/protocol/saved-message";
import { ApiError } from "./api-error.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import {
  addToFeed,
  type FeedRow,
  isRecalled,
  isVisibleTo,
  privateMessageFor,
  type Tables,
} from "./tables.ts";

type SavedRow = Extract<FeedRow, { field: "saved" }>;

const savedRows = (tables: Tables): SavedRow[] =>
  tables.feed.filter((row): row is SavedRow => row.field === "saved");

/** What a user has saved of a message, which nothing was if it is not in the feed. */
function savedOf(tables: Tables, userId: number, id: number): SavedChange {
  const row = savedRows(tables).find((one) => one.userId === userId && one.change.id === id);
  return row?.change ?? { id, v: 0, saved: null };
}

/** Stores what is saved of messages, all with the next number. */
function store(tables: Tables, userId: number, changes: readonly SavedChange[]): void {
  const ids = changes.map(({ id }) => id);
  tables.feed = tables.feed.filter(
    (row) => row.userId !== userId || row.field !== "saved" || !ids.includes(row.change.id),
  );
  const v = tables.changeNumber + 1;
  addToFeed(
    tables,
    userId,
    "saved",
    changes.map((change) => ({ ...change, v })),
  );
}

/** Messages that a user has deleted or cleared are saved no longer. */
export function removeSavedOf(tables: Tables, userId: number, isGone: (id: number) => boolean): void {
  const changes = savedRows(tables).flatMap(({ userId: ownerId, change }) =>
    ownerId === userId && change.saved !== null && isGone(change.id) ? [{ ...change, saved: null }] : [],
  );
  if (changes.length > 0) store(tables, userId, changes);
}

/** A message was recalled, or has other words: tells everybody who has saved it. */
export function changeSavedOfAll(
  { tables, gateway }: Pick<HandlerDeps, "tables" | "gateway">,
  id: number,
  what: "remove" | "reword",
): void {
  for (const { userId, change } of savedRows(tables)) {
    if (change.id !== id || change.saved === null) continue;
    store(tables, userId, [what === "remove" ? { ...change, saved: null } : change]);
    const data = { type: MessageType.CHANGES, sendId: userId, recvId: userId, content: "" };
    gateway.toUser(userId, { cmd: Cmd.PRIVATE, data });
  }
}

/** Creates the handlers for saved messages, of private chats only, because those of groups have the same ids here. */
export function createSavedMessageHandlers({
  tables,
  gateway,
}: HandlerDeps): Required<Pick<Handlers, "setSaved" | "removeSaved" | "listSaved">> {
  const messageOf = (userId: number, id: number) =>
    tables.messages.find((row) => row.id === id && isVisibleTo(tables, row, userId));

  function answer(userId: number, id: number) {
    const row = messageOf(userId, id);
    const { v, saved } = savedOf(tables, userId, id);
    if (row === undefined || saved === null) throw new ApiError("message.notFound");
    return { id, v, saved, message: privateMessageFor(tables, row, userId) };
  }

  return {
    setSaved({ actor: { userId, ...actor }, body: { id, note, tags } }) {
      const row = messageOf(userId, id);
      if (row === undefined) throw new ApiError("message.notFound");
      if (!isWritten(row) || isRecalled(row)) throw new ApiError("saved.notPossible");
      const { saved: before } = savedOf(tables, userId, id);
      const targetId = row.sendId === userId ? row.recvId : row.sendId;
      const at = before?.at ?? tables.now();
      const saved = { type: ChatType.PRIVATE, targetId, at, note, tags };
      if (JSON.stringify(saved) !== JSON.stringify(before)) {
        store(tables, userId, [{ id, v: 0, saved }]);
        gateway.pushChangesSignal({ userId, ...actor }, userId);
      }
      return answer(userId, id);
    },
    removeSaved({ actor, params: { id } }) {
      const { userId } = actor;
      if (savedOf(tables, userId, id).saved !== null) {
        store(tables, userId, [{ id, v: 0, saved: null }]);
        gateway.pushChangesSignal(actor, userId);
      }
      return savedOf(tables, userId, id);
    },
    listSaved({ actor: { userId } }) {
      const entries = savedRows(tables)
        .filter((row) => row.userId === userId && row.change.saved !== null)
        .map(({ change }) => answer(userId, change.id))
        .toSorted((a, b) => b.v - a.v);
      return { entries, next: null };
    },
  };
}
