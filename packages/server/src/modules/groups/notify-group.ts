/** Who hears what about a group. Everything here is told after its commit. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { GroupSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { GroupMemberRow, GroupMessageRow } from "../../ports/group-store.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store } from "../../ports/store.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { viewGroup, viewGroupFor } from "./view-group.ts";

export interface NotifyGroupDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers" | "invalidateGroup">;
  defaultLanguage: Language;
}

/** What a write has done to a group. */
export interface GroupChange {
  groupId: number;
  /** Who has done it; left out: who was answered, else who the tips say, else the owner. */
  by?: number;
  tips?: readonly GroupMessageRow[];
  /** These alone are shown the group anew; left out: everybody in it. */
  recipientIds?: readonly number[];
  /** Who has been answered already, at this client instance. */
  answeredActor?: Actor;
}

/** What this person wrote up to an id is gone. */
export interface RemovedMessages {
  userId: number;
  upTo: number;
}

export interface NotifyGroup {
  /** 90 with the group as it stands, then its tips, to those who were in when these were written. */
  groupChanged(change: GroupChange): Promise<void>;
  /** 90 of every group of this person, whose own name or picture is another now. */
  memberProfileChanged(userId: number): Promise<void>;
  /** 90 to the acting person's other clients, after a change of what is their own. */
  preferencesChanged(actor: Actor, groupId: number): Promise<void>;
  /** 91: out of the group, or the group is dissolved. */
  membersLeft(groupId: number, userIds: readonly number[], by: number): void;
  /** 78: what these people wrote is gone. */
  messagesRemoved(groupId: number, gone: readonly RemovedMessages[], by: number): Promise<void>;
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
    const meant = recipientIds === undefined ? undefined : new Set(recipientIds);
    const online = await presence.online(members.map((member) => member.userId));
    const readers = members.filter(({ userId }) => online.has(userId) && (meant?.has(userId) ?? true));
    const sendId = by ?? answeredActor?.userId ?? tips?.[0]?.sendId ?? group.ownerId;
    // Each sees the group under an own name and role, so each gets an own frame.
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
      // Who has come since the tip was written was not there for it.
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
      for (const group of groups)
        if (group.dissolvedAt === null) await groupChanged({ groupId: group.id, by: userId });
    },

    async preferencesChanged(actor, groupId) {
      delivery.invalidateGroup(groupId);
      const vo = await viewGroup(store, groupId, actor.userId);
      delivery.toOwnOthers(actor, frameOf(Cmd.GROUP, groupSignal(vo, actor.userId)));
    },

    membersLeft(groupId, userIds, by) {
      const signal: GroupSignal = { type: MessageType.GROUP_LEFT, sendId: by, groupId, content: "" };
      delivery.toUsers(userIds, frameOf(Cmd.GROUP, signal));
    },

    async messagesRemoved(groupId, removed, by) {
      const ids = (await listCurrentMembers(groupId)).map((member) => member.userId);
      for (const one of removed) {
        const content = JSON.stringify(one);
        const signal: GroupSignal = { type: MessageType.GROUP_KICK_USER_MSG, sendId: by, groupId, content };
        delivery.toUsers(ids, frameOf(Cmd.GROUP, signal));
      }
    },
  };
}

function groupSignal(vo: GroupVO, sendId: number): GroupSignal {
  return { type: MessageType.GROUP_NEW, sendId, groupId: vo.id, content: JSON.stringify(vo) };
}
