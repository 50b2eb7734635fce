/** The list of friends and one's own notes in it; ending a friendship. */
import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { FriendVO } from "@parley/protocol/entities";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import { type Actor, type Handlers, Refusal } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { FriendRow, Store, Tx } from "../../ports/store.ts";
import { privateMessage } from "../../rules/messages.ts";
import { findOnline } from "../../rules/online.ts";
import { friendVO } from "../../rules/people.ts";
import { tipSentence } from "../../rules/tips.ts";

export interface FriendsDeps {
  store: Store;
  presence: Presence;
  delivery: Delivery;
  /** Of stored tips. */
  defaultLanguage: Language;
}

type FriendsHandlers = Pick<
  Handlers,
  | "listFriends"
  | "findFriend"
  | "deleteFriend"
  | "updateFriendRemark"
  | "setFriendMsgRemind"
  | "setFriendTop"
  | "setFriendDnd"
>;
type NotesPatch = Parameters<Tx["updateFriend"]>[2];

export function createFriends({ store, presence, delivery, defaultLanguage }: FriendsDeps): FriendsHandlers {
  /** Changes one's own notes and shows them to one's other clients. */
  const updateNotes = async (actor: Actor, friendId: number, patch: NotesPatch): Promise<null> => {
    const notes = await store.write(async (tx) => {
      if (friendId === actor.userId && patch.isTop !== undefined)
        return pinOwnChat(tx, actor.userId, patch.isTop);
      const before = await tx.findFriend(actor.userId, friendId);
      // What outlived a friendship can only be unpinned.
      const isOver = before?.isDeleted && patch.isTop !== false;
      if (before === undefined || isOver) throw new Refusal("friend.notFriend");
      await tx.updateFriend(actor.userId, friendId, patch);
      return { ...before, ...patch };
    });
    const signal: Signal = {
      type: MessageType.FRIEND_NEW,
      sendId: friendId,
      recvId: actor.userId,
      content: JSON.stringify(await show(store, presence, notes)),
    };
    delivery.toOwnOthers(actor, frameOf(Cmd.PRIVATE, signal));
    return null;
  };

  return {
    async listFriends({ actor }) {
      const rows = await store.listFriends(actor.userId);
      const ids = rows.map((row) => row.friendId);
      const [users, online] = await Promise.all([
        store.findUsers(ids),
        findOnline(store, presence, actor.userId, ids),
      ]);
      const byId = new Map(users.map((user) => [user.id, user]));
      return rows.flatMap((row) => {
        const user = byId.get(row.friendId);
        return user === undefined ? [] : [friendVO(row, user, online.get(row.friendId) ?? [])];
      });
    },

    async findFriend({ actor, params }) {
      const notes = await store.findFriend(actor.userId, params.id);
      if (notes === undefined || notes.isDeleted) throw new Refusal("friend.notFriend");
      return show(store, presence, notes);
    },

    async deleteFriend({ actor, params, now }) {
      const me = actor.userId;
      const friendId = params.id;
      const tip = await store.write(async (tx) => {
        const notes = await tx.findFriend(me, friendId);
        if (notes === undefined || notes.isDeleted) throw new Refusal("friend.notFriend");
        const user = await tx.findUser(me);
        await tx.updateFriend(me, friendId, { isDeleted: true });
        await tx.updateFriend(friendId, me, { isDeleted: true });
        const { row } = await tx.appendPrivate({
          tmpId: null,
          type: MessageType.TIP_TEXT,
          sendId: me,
          recvId: friendId,
          sendNickName: user?.nickName ?? "",
          content: tipSentence("friend.ended", defaultLanguage),
          sendTime: now,
          tip: { key: "friend.ended", params: {} },
          onlyFor: friendId,
        });
        return row;
      });
      delivery.changed([me, friendId]);
      delivery.toUsers([me], frameOf(Cmd.PRIVATE, ended(friendId, me)));
      delivery.toUsers([friendId], frameOf(Cmd.PRIVATE, ended(me, friendId)));
      delivery.toUsers(
        [friendId],
        frameOf(Cmd.PRIVATE, privateMessage(tip, MessageStatus.SENDED, defaultLanguage)),
      );
      return null;
    },

    updateFriendRemark: ({ actor, body }) =>
      updateNotes(actor, body.friendId, { remarkNickName: body.remarkNickName || null }),

    setFriendMsgRemind: ({ actor, body }) => updateNotes(actor, body.friendId, { msgRemind: body.msgRemind }),

    setFriendTop: ({ actor, body }) => updateNotes(actor, body.friendId, { isTop: body.isTop }),

    setFriendDnd: ({ actor, body }) => updateNotes(actor, body.friendId, { msgRemind: body.isDnd ? 0 : 1 }),
  };
}

/** The chat with oneself has no friend whose row could hold its pin: a row of its own does, deleted so that nobody takes it for one. */
async function pinOwnChat(tx: Tx, userId: number, isTop: boolean): Promise<FriendRow> {
  const own = await tx.upsertFriend(userId, userId);
  const patch = { isTop, isDeleted: true };
  await tx.updateFriend(userId, userId, patch);
  return { ...own, ...patch };
}

/** Push 81: this friend is none any more. */
export function ended(friendId: number, reader: number): Signal {
  return { type: MessageType.FRIEND_DELETED, sendId: friendId, recvId: reader, content: "" };
}

/** A friend as the owner of the notes sees it now. */
export async function show(store: Store, presence: Presence, notes: FriendRow): Promise<FriendVO> {
  const [user, online] = await Promise.all([
    store.findUser(notes.friendId),
    findOnline(store, presence, notes.ownerId, [notes.friendId]),
  ]);
  if (user === undefined) throw new Refusal("user.notFound");
  return friendVO(notes, user, online.get(notes.friendId) ?? []);
}
