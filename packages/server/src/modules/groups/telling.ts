/** Who hears what about a group. Everything here is told after its commit. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { GroupMemberRow, GroupMessageRow } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store } from "../../ports/store.ts";
import { groupMessage } from "../../rules/groups.ts";
import { viewGroup, viewGroupFor } from "./views.ts";

export interface TellingDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers" | "groupChanged">;
  defaultLanguage: Language;
}

/** What a write has done to a group. */
export interface GroupChange {
  groupId: number;
  /** Who has done it; left out: who was answered, else who the tips say, else the owner. */
  by?: number;
  tips?: readonly GroupMessageRow[];
  /** These alone are shown the group anew; left out: everybody in it. */
  concerns?: readonly number[];
  /** Who has been answered already, at this client instance. */
  answered?: Actor;
}

/** What this person wrote up to an id is gone. */
export interface Purged {
  userId: number;
  upTo: number;
}

export interface GroupTelling {
  /** 90 with the group as it stands, then its tips, to those who were in when these were written. */
  changed(change: GroupChange): Promise<void>;
  /** 90 of every group of this person, whose own name or picture is another now. */
  changedPerson(userId: number): Promise<void>;
  /** 90 to the acting person's other clients, after a change of what is their own. */
  changedOwn(actor: Actor, groupId: number): Promise<void>;
  /** 91: out of the group, or the group is dissolved. */
  left(groupId: number, userIds: readonly number[], by: number): void;
  /** 78: what these people wrote is gone. */
  purged(groupId: number, gone: readonly Purged[], by: number): Promise<void>;
}

export function createGroupTelling({
  store,
  presence,
  delivery,
  defaultLanguage,
}: TellingDeps): GroupTelling {
  const membersNow = async (groupId: number): Promise<GroupMemberRow[]> =>
    (await store.listGroupMembers(groupId)).filter((member) => !member.quit);

  const show = async (
    { groupId, concerns, answered, tips, by }: GroupChange,
    members: readonly GroupMemberRow[],
  ): Promise<void> => {
    const group = await store.findGroup(groupId);
    if (group === undefined) return;
    const meant = concerns === undefined ? undefined : new Set(concerns);
    const online = await presence.online(members.map((member) => member.userId));
    const readers = members.filter(({ userId }) => online.has(userId) && (meant?.has(userId) ?? true));
    const sendId = by ?? answered?.userId ?? tips?.[0]?.sendId ?? group.ownerId;
    // Each sees the group under an own name and role, so each gets an own frame.
    for (const [userId, vo] of await viewGroupFor(store, group, readers, members.length)) {
      const frame = frameOf(Cmd.GROUP, shown(vo, sendId));
      if (answered?.userId === userId) delivery.toOwnOthers(answered, frame);
      else delivery.toUsers([userId], frame);
    }
  };

  const changed = async (change: GroupChange): Promise<void> => {
    const { groupId, tips = [] } = change;
    delivery.groupChanged(groupId);
    const members = await membersNow(groupId);
    await show(change, members);
    for (const tip of tips) {
      // Who has come since the tip was written was not there for it.
      const there = members.filter((member) => member.stayFrom < tip.id);
      const readers = tip.onlyFor === null ? there.map((member) => member.userId) : [tip.onlyFor];
      delivery.toUsers(readers, frameOf(Cmd.GROUP, groupMessage(tip, defaultLanguage)));
    }
  };

  return {
    changed,

    async changedPerson(userId) {
      const memberships = (await store.listMembershipsOf(userId)).filter((member) => !member.quit);
      const groups = await store.findGroups(memberships.map((member) => member.groupId));
      for (const group of groups)
        if (group.dissolvedAt === null) await changed({ groupId: group.id, by: userId });
    },

    async changedOwn(actor, groupId) {
      delivery.groupChanged(groupId);
      const vo = await viewGroup(store, groupId, actor.userId);
      delivery.toOwnOthers(actor, frameOf(Cmd.GROUP, shown(vo, actor.userId)));
    },

    left(groupId, userIds, by) {
      const signal: Signal = { type: MessageType.GROUP_LEFT, sendId: by, groupId, content: "" };
      delivery.toUsers(userIds, frameOf(Cmd.GROUP, signal));
    },

    async purged(groupId, gone, by) {
      const ids = (await membersNow(groupId)).map((member) => member.userId);
      for (const one of gone) {
        const content = JSON.stringify(one);
        const signal: Signal = { type: MessageType.GROUP_KICK_USER_MSG, sendId: by, groupId, content };
        delivery.toUsers(ids, frameOf(Cmd.GROUP, signal));
      }
    },
  };
}

function shown(vo: GroupVO, sendId: number): Signal {
  return { type: MessageType.GROUP_NEW, sendId, groupId: vo.id, content: JSON.stringify(vo) };
}
