/** The pushes about groups. Call these functions after the commit. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { GroupSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Actor } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberRow } from "../../ports/group-store.ts";
import type { Presence } from "../../ports/presence.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import type { GroupsStore } from "./groups-store.ts";
import { viewGroup, viewGroupFor } from "./view-group.ts";

export interface NotifyGroupDeps {
  store: GroupsStore;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers" | "invalidateGroup">;
  defaultLanguage: Language;
}

/** What a write has changed in a group. */
export interface GroupChange {
  groupId: number;
  /** The person who made the change. By default `answeredActor`, else the sender of the first tip, else the owner. */
  by?: number;
  tips?: readonly GroupMessageRow[];
  /** Only these members get the changed group. By default all current members. */
  recipientIds?: readonly number[];
  /** The actor whose client instance gets the group in its answer. */
  answeredActor?: Actor;
}

/** The messages of this person up to an id were removed. */
export interface RemovedMessages {
  userId: number;
  upTo: number;
}

/** Sends the pushes about groups. */
export interface NotifyGroup {
  /** Sends push 90 with the current group, then the tips to those who were members when they were written. */
  groupChanged(change: GroupChange): Promise<void>;
  /** Sends push 90 for every group of a person whose name or picture has changed. */
  memberProfileChanged(userId: number): Promise<void>;
  /** Sends push 90 to the actor's other clients after a change of the actor's own settings. */
  preferencesChanged(actor: Actor, groupId: number): Promise<void>;
  /** Sends push 90 to all clients of a member whose alert level has ended. */
  alertLevelEnded(userId: number, groupId: number): Promise<void>;
  /** Sends push 91: these people have left the group, or it was dissolved. */
  membersLeft(groupId: number, userIds: readonly number[], by: number): void;
  /** Sends push 78: the messages of these people were removed. */
  messagesRemoved(groupId: number, removed: readonly RemovedMessages[], by: number): Promise<void>;
}

export function createNotifyGroup({
  store,
  presence,
  delivery,
  defaultLanguage,
}: NotifyGroupDeps): NotifyGroup {
  const listCurrentMembers = async (groupId: number): Promise<GroupMemberRow[]> =>
    (await store.listGroupMembers(groupId)).filter((member) => !member.quit);

  const publishGroup = async (
    { groupId, recipientIds, answeredActor, tips, by }: GroupChange,
    members: readonly GroupMemberRow[],
  ): Promise<void> => {
    const group = await store.findGroup(groupId);
    if (group === undefined) return;
    const recipients = recipientIds === undefined ? undefined : new Set(recipientIds);
    const online = await presence.online(members.map((member) => member.userId));
    const readers = members.filter(({ userId }) => online.has(userId) && (recipients?.has(userId) ?? true));
    const sendId = by ?? answeredActor?.userId ?? tips?.[0]?.sendId ?? group.ownerId;
    // Each member sees the group with their own names and role, so each gets a separate frame.
    for (const [userId, vo] of await viewGroupFor(store, group, readers, members.length)) {
      const frame = frameOf(Cmd.GROUP, groupSignal(vo, sendId));
      if (answeredActor?.userId === userId) delivery.toOwnOthers(answeredActor, frame);
      else delivery.toUsers([userId], frame);
    }
  };

  const groupChanged = async (change: GroupChange): Promise<void> => {
    const { groupId, tips = [] } = change;
    delivery.invalidateGroup(groupId);
    const members = await listCurrentMembers(groupId);
    await publishGroup(change, members);
    for (const tip of tips) {
      // Members who joined after the tip was written do not get it.
      const present = members.filter((member) => member.stayFrom < tip.id);
      const readers = tip.onlyFor === null ? present.map((member) => member.userId) : [tip.onlyFor];
      delivery.toUsers(readers, frameOf(Cmd.GROUP, groupMessage(tip, defaultLanguage)));
    }
  };

  return {
    groupChanged,

    async memberProfileChanged(userId) {
      const memberships = (await store.listMembershipsOf(userId)).filter((member) => !member.quit);
      const groups = await store.findGroups(memberships.map((member) => member.groupId));
      for (const group of groups.values())
        if (group.dissolvedAt === null) await groupChanged({ groupId: group.id, by: userId });
    },

    async preferencesChanged(actor, groupId) {
      delivery.invalidateGroup(groupId);
      const vo = await viewGroup(store, groupId, actor.userId);
      delivery.toOwnOthers(actor, frameOf(Cmd.GROUP, groupSignal(vo, actor.userId)));
    },

    async alertLevelEnded(userId, groupId) {
      delivery.invalidateGroup(groupId);
      const vo = await viewGroup(store, groupId, userId);
      delivery.toUsers([userId], frameOf(Cmd.GROUP, groupSignal(vo, userId)));
    },

    membersLeft(groupId, userIds, by) {
      const signal: GroupSignal = { type: MessageType.GROUP_LEFT, sendId: by, groupId, content: "" };
      delivery.toUsers(userIds, frameOf(Cmd.GROUP, signal));
    },

    async messagesRemoved(groupId, removed, by) {
      const ids = (await listCurrentMembers(groupId)).map((member) => member.userId);
      for (const messages of removed) {
        const content = JSON.stringify(messages);
        const signal: GroupSignal = { type: MessageType.GROUP_KICK_USER_MSG, sendId: by, groupId, content };
        delivery.toUsers(ids, frameOf(Cmd.GROUP, signal));
      }
    },
  };
}

function groupSignal(vo: GroupVO, sendId: number): GroupSignal {
  return { type: MessageType.GROUP_NEW, sendId, groupId: vo.id, content: JSON.stringify(vo) };
}
