/** The list of friends, a person's preferences for each friend, and the end of a friendship. */
import { mutedLevel, usualLevel } from "@parley/protocol/alert-level";
import { ChatType, Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { FriendVO } from "@parley/protocol/entities";
import type { PrivateSignal } from "@parley/protocol/signal";
import { visibleOrNull } from "@parley/protocol/text";
import { isFriend } from "../../access/people.ts";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import { ApiError, refusePast } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import { changedLevel } from "../../ports/alert-level.ts";
import type { FriendRow } from "../../ports/contact-store.ts";
import type { Presence } from "../../ports/presence.ts";
import { privateMessage } from "../../presenters/message-presenter.ts";
import { findVisiblePresence } from "../../presenters/visible-presence.ts";
import { friendVO } from "../../presenters/person-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { ContactsStore, ContactsTx } from "./contacts-store.ts";

export interface FriendsDeps {
  store: ContactsStore;
  presence: Presence;
  delivery: Delivery;
  /** The language of stored tips. */
  defaultLanguage: Language;
  /** Called when two people are no longer friends. */
  parted(userId: number, friendId: number): Promise<void>;
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
type PreferencesPatch = Parameters<ContactsTx["updateFriend"]>[2];

export function createFriends({
  store,
  presence,
  delivery,
  defaultLanguage,
  parted,
}: FriendsDeps): FriendsHandlers {
  /** Changes the actor's preferences for a friend and pushes them to the actor's other clients. */
  const updatePreferences = async (
    actor: Actor,
    write: (tx: ContactsTx) => Promise<FriendRow>,
  ): Promise<null> => {
    const preferences = await store.write(write);
    const signal = friendSignal(await viewFriend(store, presence, preferences), actor.userId);
    delivery.toOwnOthers(actor, frameOf(Cmd.PRIVATE, signal));
    return null;
  };

  const updateFriend = (
    actor: Actor,
    friendId: number,
    patchOf: (before: FriendRow) => PreferencesPatch,
  ): Promise<null> =>
    updatePreferences(actor, async (tx) => {
      const before = await tx.findFriend(actor.userId, friendId);
      if (before === undefined) throw new ApiError("friend.notFriend");
      const patch = patchOf(before);
      // After the end of a friendship, the chat can only be unpinned.
      if (before.isDeleted && patch.isTop !== false) throw new ApiError("friend.notFriend");
      await tx.updateFriend(actor.userId, friendId, patch);
      return { ...before, ...patch };
    });

  const setLevel = (actor: Actor, friendId: number, msgRemind: number, until: number | null) =>
    updateFriend(actor, friendId, (before) =>
      changedLevel(before, { msgRemind, until, usual: usualLevel(ChatType.PRIVATE) }),
    );

  return {
    async listFriends({ actor }) {
      const rows = await store.listFriends(actor.userId);
      const ids = rows.map((row) => row.friendId);
      const [users, online, sources] = await Promise.all([
        store.findUsers(ids),
        findVisiblePresence(store, presence, actor.userId, ids),
        store.friendSources(actor.userId),
      ]);
      return rows.flatMap((row) => {
        const user = users.get(row.friendId);
        const terminals = online.get(row.friendId) ?? [];
        return user === undefined ? [] : [friendVO(row, user, terminals, sources.get(row.friendId))];
      });
    },

    async findFriend({ actor, params }) {
      const preferences = await store.findFriend(actor.userId, params.id);
      if (!isFriend(preferences)) throw new ApiError("friend.notFriend");
      return viewFriend(store, presence, preferences);
    },

    async deleteFriend({ actor, params, now }) {
      const me = actor.userId;
      const friendId = params.id;
      const tip = await store.write(async (tx) => {
        const preferences = await tx.findFriend(me, friendId);
        if (!isFriend(preferences)) throw new ApiError("friend.notFriend");
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
      delivery.invalidateUsers([me, friendId]);
      delivery.toUsers([me], frameOf(Cmd.PRIVATE, friendDeletedSignal(friendId, me)));
      delivery.toUsers([friendId], frameOf(Cmd.PRIVATE, friendDeletedSignal(me, friendId)));
      delivery.toUsers(
        [friendId],
        frameOf(Cmd.PRIVATE, privateMessage(tip, MessageStatus.SENDED, defaultLanguage)),
      );
      await parted(me, friendId);
      return null;
    },

    updateFriendRemark: ({ actor, body }) =>
      updateFriend(actor, body.friendId, () => ({ remarkNickName: visibleOrNull(body.remarkNickName) })),

    async setFriendMsgRemind({ actor, body: { friendId, msgRemind, until = null }, now }) {
      refusePast("until", until, now);
      return setLevel(actor, friendId, msgRemind, until);
    },

    setFriendTop: ({ actor, body: { friendId, isTop } }) =>
      friendId === actor.userId
        ? updatePreferences(actor, (tx) => pinSelfChat(tx, friendId, isTop))
        : updateFriend(actor, friendId, () => ({ isTop })),

    setFriendDnd: ({ actor, body }) =>
      setLevel(actor, body.friendId, (body.isDnd ? mutedLevel : usualLevel)(ChatType.PRIVATE), null),
  };
}

/** Stores the pin of the chat with oneself in a friend row of its own. The row is marked deleted, so that nobody takes it for a friend. */
async function pinSelfChat(tx: ContactsTx, userId: number, isTop: boolean): Promise<FriendRow> {
  const own = await tx.upsertFriend(userId, userId);
  const patch = { isTop, isDeleted: true };
  await tx.updateFriend(userId, userId, patch);
  return { ...own, ...patch };
}

/** Push 80: a friend as the reader sees them now. */
export function friendSignal(friend: FriendVO, readerId: number): PrivateSignal {
  return {
    type: MessageType.FRIEND_NEW,
    sendId: friend.id,
    recvId: readerId,
    content: JSON.stringify(friend),
  };
}

/** Push 81: tells the reader that this person is no longer a friend. */
export function friendDeletedSignal(friendId: number, readerId: number): PrivateSignal {
  return { type: MessageType.FRIEND_DELETED, sendId: friendId, recvId: readerId, content: "" };
}

/** A friend as the owner of the row sees them now. */
export async function viewFriend(
  store: ContactsStore,
  presence: Presence,
  row: FriendRow,
): Promise<FriendVO> {
  const [user, online, sources] = await Promise.all([
    store.findUser(row.friendId),
    findVisiblePresence(store, presence, row.ownerId, [row.friendId]),
    store.friendSources(row.ownerId, row.friendId),
  ]);
  if (user === undefined) throw new ApiError("user.notFound");
  return friendVO(row, user, online.get(row.friendId) ?? [], sources.get(row.friendId));
}
