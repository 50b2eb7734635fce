import type { VersionedPrefs } from "@parley/protocol/chat-prefs";
import { ChatType, Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { changeSavedOfAll, removeSavedOf } from "./saved-message-handlers.ts";
import { newestGroupId } from "./group-tables.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";
import {
  addToFeed,
  appendMessage,
  type FeedRow,
  isInChat,
  isRecalled,
  isVisibleTo,
  privateMessageFor,
} from "./tables.ts";

const EDIT_MS = 3_600_000;
const RECALL_MS = 300_000;

type MessageHandlers = Required<
  Pick<Handlers, "recallPrivateMessage" | "deletePrivateMessages" | "flushAllMessages" | "setChatPrefs">
>;

/** Creates the handlers for stored private messages: edit, recall, delete for me, clear history; and prefs of chats. */
export function createMessageHandlers({ tables, gateway, hasFault }: HandlerDeps) {
  function publish(actor: Actor, row: PrivateMessage): PrivateMessage {
    const frame = (userId: number) => ({ cmd: Cmd.PRIVATE, data: privateMessageFor(tables, row, userId) });
    if (row.recvId !== actor.userId) gateway.toUser(row.recvId, frame(row.recvId));
    gateway.toOwnOthers(actor, frame(actor.userId));
    return privateMessageFor(tables, row, actor.userId);
  }

  function requireOwn(actor: Actor, id: number | null | undefined, windowMs: number): PrivateMessage {
    const row = tables.messages.find(
      (message) => message.id === id && isVisibleTo(tables, message, actor.userId),
    );
    if (row === undefined) throw new ApiError("message.notFound");
    if (row.sendId !== actor.userId) throw new ApiError("message.notYours");
    if (tables.now() - row.sendTime > windowMs) throw new ApiError("message.recallTooLate");
    return row;
  }

  /** Stores an edit as an event, whose time is the edit time of the edited row. */
  function edit(
    actor: Actor,
    content: string,
    targetId: number | null,
    tmpId: string | null,
  ): PrivateMessage {
    const target = requireOwn(actor, targetId, EDIT_MS);
    if (target.type !== MessageType.TEXT || isRecalled(target)) throw new ApiError("message.notEditable");
    const { sendId, recvId } = target;
    const row = appendMessage(tables, { sendId, recvId, type: MessageType.EDIT, content, tmpId });
    row.sendTime = Math.max(row.sendTime, (target.editedAt ?? 0) + 1);
    tables.quotes.set(row.id, target.id);
    if (!hasFault("editNotStored"))
      Object.assign(target, { content, isEdited: true, editedAt: row.sendTime });
    changeSavedOfAll({ tables, gateway }, target.id, "reword");
    return publish(actor, row);
  }

  const handlers: MessageHandlers = {
    recallPrivateMessage({ actor, params }) {
      const earlierRecall = tables.messages.find((row) => row.id === tables.recalls.get(params.id));
      if (earlierRecall !== undefined) return privateMessageFor(tables, earlierRecall, actor.userId);
      const target = requireOwn(actor, params.id, RECALL_MS);
      const { sendId, recvId, sendNickName } = target;
      if (!hasFault("recallNotStored"))
        Object.assign(target, {
          type: MessageType.TIP_TEXT,
          status: MessageStatus.RECALL,
          content: `${sendNickName} took a message back`,
          tip: { key: "recalled", params: { name: sendNickName } },
          isEdited: false,
          editedAt: null,
        });
      tables.quotes.delete(target.id);
      for (const row of tables.messages)
        if (row.type === MessageType.EDIT && tables.quotes.get(row.id) === target.id) row.content = "";
      const type = MessageType.RECALL;
      const notice = appendMessage(tables, { sendId, recvId, type, content: String(target.id), tmpId: null });
      tables.recalls.set(target.id, notice.id);
      changeSavedOfAll({ tables, gateway }, target.id, "remove");
      if (hasFault("recallNotPushed")) return privateMessageFor(tables, notice, actor.userId);
      return publish(actor, notice);
    },
    deletePrivateMessages({ actor, body }) {
      const { userId } = actor;
      const rows = tables.messages.filter(
        (row) => body.ids.includes(row.id) && isInChat(row, userId, body.friendId),
      );
      const type = ChatType.PRIVATE;
      const changes = rows.map(({ id }) => ({ type, targetId: body.friendId, ids: [id] }));
      addToFeed(tables, userId, "hidden", changes);
      const ids = rows.map(({ id }) => id);
      removeSavedOf(tables, userId, (id) => ids.includes(id));
      if (!hasFault("deletionNotPushed")) gateway.pushChangesSignal(actor, userId);
      return null;
    },
    flushAllMessages({ actor }) {
      const { userId } = actor;
      const newestPositions = [
        [ChatType.PRIVATE, tables.messages.at(-1)?.id ?? 0],
        [ChatType.GROUP, newestGroupId(tables)],
        [ChatType.SYSTEM, tables.system.filter((row) => row.userId === userId).length],
      ] as const;
      tables.feed = tables.feed.filter((row) => row.userId !== userId || row.field !== "cleared");
      addToFeed(
        tables,
        userId,
        "cleared",
        newestPositions.map(([type, upTo]) => ({ type, upTo })),
      );
      removeSavedOf(tables, userId, () => true);
      gateway.pushChangesSignal(actor, userId);
      return null;
    },
    setChatPrefs({ actor, body: { type, targetId, set } }) {
      const { userId } = actor;
      const isOfChat = (row: FeedRow) =>
        row.userId === userId &&
        row.field === "prefs" &&
        row.change.type === type &&
        row.change.targetId === targetId;
      const before = tables.feed.find(isOfChat);
      const known: VersionedPrefs = before?.field === "prefs" ? before.change : { v: 0, prefs: {} };
      const { unreadMark = null, archived = null } = known.prefs;
      const after = { unreadMark, archived, ...set };
      if (after.unreadMark === unreadMark && after.archived === archived)
        return { v: known.v, prefs: known.prefs };
      tables.feed = tables.feed.filter((row) => !isOfChat(row));
      const answer = { v: tables.changeNumber + 1, prefs: { ...known.prefs, ...set } };
      addToFeed(tables, userId, "prefs", [{ type, targetId, ...answer }]);
      gateway.pushChangesSignal(actor, userId);
      return answer;
    },
  };
  return { handlers, edit };
}
