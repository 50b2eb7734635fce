import { ChatType } from "@parley/protocol/codes";
import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import { setFriendMsgRemind, setFriendTop } from "@parley/protocol/endpoints/contacts";
import type { FriendVO } from "@parley/protocol/entities";
import {
  removeRequest,
  endFriendship,
  noteToSelfEntry,
  putRequest,
} from "../model/contacts/contacts-state.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import type { Contacts, Result } from "../model/state.ts";
import { fail, localFailure, SILENT } from "../connection/api.ts";
import { type ContactActions, createContactActions } from "./contact-actions.ts";
import { type ContactRepositoryDeps, createContactRepository } from "./contact-repository.ts";
import { createKnownUsers } from "./known-users.ts";
import { createOwnProfile, type OwnProfileDeps } from "./own-profile.ts";
import type { SessionEvents } from "../session-events.ts";
import { createPresence, type PresenceDeps } from "./presence.ts";

/** What pushes say about contacts. */
export type ContactIncoming = Extract<Incoming, { kind: "friend" | "friendDeleted" | "request" }>;

/** Friends, friend requests, presence, and other known users. */
export interface ContactService extends Pick<
  SessionEvents,
  "restore" | "wentOnline" | "wentOffline" | "rowsApplied"
> {
  readonly actions: ContactActions;
  /** Loads everything once. */
  load(): void;
  receive(incoming: ContactIncoming): void;
  /** Another client of this person has changed the lists or the own profile: loads both. */
  reloadPeople(): void;
  /** Pins or mutes a friend's chat at once, and undoes it when the server refuses. */
  setSettings(userId: number, part: FriendSettings): Promise<Result<null>>;
}

/** The settings of a friend's chat: pinned or alert level. */
export type FriendSettings =
  | Readonly<Pick<FriendVO, "isTop">>
  | { readonly msgRemind: 0 | 1; readonly isDnd: boolean; readonly msgRemindUntil: number | null };

/** What the contact service needs. */
export type ContactServiceDeps = ContactRepositoryDeps &
  Pick<PresenceDeps, "watchedUserIds" | "onPresence"> &
  Pick<OwnProfileDeps, "onOwnInfo">;

/** Creates the contact service; it loads nothing before `load` or `wentOnline`. */
export function createContactService(deps: ContactServiceDeps): ContactService {
  const { api, stateStore, me } = deps;
  const ownProfile = createOwnProfile(deps);
  const repository = createContactRepository(deps);
  const presence = createPresence({ ...deps, repository });
  const knownUsers = createKnownUsers({ ...deps, repository });

  async function loadNewFriend(userId: number): Promise<void> {
    await repository.refetchFriend(userId);
    void presence.refresh();
  }

  async function loadConfig(): Promise<void> {
    const onClockAhead = (clockAheadMs: number) => stateStore.set({ clockAheadMs });
    const config = await api.call(loadSystemConfig, {}, { ...SILENT, onClockAhead });
    if (config.ok) stateStore.set({ config: config.value });
  }

  function load(): void {
    void ownProfile.load();
    void loadConfig();
    void repository.reload().then(() => presence.refresh());
  }

  async function setSettings(userId: number, part: FriendSettings): Promise<Result<null>> {
    const { contacts, me: user } = stateStore.get();
    const isMe = userId === user?.id;
    const before = contacts.friends[userId] ?? (isMe ? noteToSelfEntry(user) : undefined);
    // The chat with a former friend can only be unpinned; the chat with oneself can also be pinned.
    const isPin = "isTop" in part && (isMe || !part.isTop);
    if (before === undefined || (before.isDeleted && !isPin)) return fail(localFailure("friend.notFriend"));
    const applySettings = (settings: FriendSettings) =>
      repository.putFriend({ ...(stateStore.get().contacts.friends[userId] ?? before), ...settings });
    repository.markChanged();
    applySettings(part);
    const call =
      "isTop" in part
        ? api.call(setFriendTop, { body: { friendId: userId, isTop: part.isTop } }, SILENT)
        : api.call(
            setFriendMsgRemind,
            { body: { friendId: userId, msgRemind: part.msgRemind, until: part.msgRemindUntil } },
            SILENT,
          );
    const result = await repository.perform(call, () => applySettings(part));
    if (!result.ok) {
      const { isTop, msgRemind, isDnd, msgRemindUntil = null } = before;
      applySettings(
        "isTop" in part ? { isTop } : { msgRemind: msgRemind === 0 ? 0 : 1, isDnd, msgRemindUntil },
      );
    }
    return result;
  }

  return {
    actions: createContactActions({
      ...deps,
      repository,
      profileActions: ownProfile.actions,
      loadNewFriend,
    }),
    setSettings,
    async restore() {
      await Promise.all([repository.restore(), ownProfile.restore()]);
    },
    reloadPeople() {
      void ownProfile.load();
      void repository.reload();
    },
    load,
    wentOnline() {
      load();
      presence.start();
    },
    wentOffline() {
      presence.stop();
      repository.stop();
      knownUsers.stop();
    },
    receive(incoming) {
      repository.markChanged();
      if (isKnownFriendUpdate(stateStore.get().contacts, incoming)) {
        repository.recheckIfRecent(incoming.friend.id);
        void knownUsers.refresh(incoming.friend.id);
      } else repository.recheckLists();
      switch (incoming.kind) {
        case "friend": {
          const { friend, requestId } = incoming;
          repository.putFriend(friend);
          if (requestId !== null) repository.update((contacts) => removeRequest(contacts, requestId));
          void presence.refresh();
          return;
        }
        case "friendDeleted":
          return repository.update((contacts) => endFriendship(contacts, incoming.userId));
        case "request":
          return repository.update((contacts) => putRequest(contacts, incoming.request, me));
        default:
          incoming satisfies never;
      }
    },
    // Some are from people who are not known yet.
    rowsApplied(rows) {
      if (!stateStore.get().contacts.isLoaded) return;
      const chats = [...new Set(rows.map(({ key }) => key))].flatMap((key) => parseChatKey(key) ?? []);
      knownUsers.loadUnknown(
        chats.filter(({ type }) => type === ChatType.PRIVATE).map(({ targetId }) => targetId),
      );
    },
  };
}

/** Whether this is a push 80 about an existing friend: a new name or setting. */
function isKnownFriendUpdate(
  contacts: Contacts,
  incoming: ContactIncoming,
): incoming is Extract<ContactIncoming, { kind: "friend" }> {
  return incoming.kind === "friend" && contacts.friends[incoming.friend.id]?.isDeleted === false;
}
