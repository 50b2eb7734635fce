/** What an administrator does with groups, on the server's machine. */
import { AdminError } from "../../ports/admin-error.ts";
import type { GroupMessageRow, GroupRow } from "../../ports/group-store.ts";
import type { Language } from "../../ports/language.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { BAN_REASON_MAX, isBanReason } from "../../ports/ban-reason.ts";
import { type NotifyGroupDeps, createNotifyGroup } from "./notify-group.ts";
import { type NewTip, createTipWriter } from "./tip-writer.ts";

export interface GroupAdminDeps extends NotifyGroupDeps {
  store: Store;
  defaultLanguage: Language;
  now(): number;
}

/** A number that no living group has, or what makes no sense for it, is told by an `AdminRefusal`. */
export interface GroupAdmin {
  /** Nobody speaks there any more until `unban`; its members are told why. Answers the group's name. */
  ban(groupId: number, reason: string): Promise<string>;
  unban(groupId: number): Promise<string>;
  /** From now on the group takes as many people as a large one. */
  enlarge(groupId: number): Promise<string>;
}

export function createGroupAdmin(deps: GroupAdminDeps): GroupAdmin {
  const { store, now } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** In the owner's place: every message has a sender. */
  const notifyWithTip = async (
    tx: Tx,
    { id, ownerId }: GroupRow,
    tip: Pick<NewTip, "key" | "params">,
  ): Promise<GroupMessageRow[]> => {
    const by = await tx.findGroupMember(id, ownerId);
    return by === undefined ? [] : [await writeTip(tx, { by, isNamed: false, ...tip, now: now() })];
  };

  const change = async (
    groupId: number,
    work: (tx: Tx, group: GroupRow) => Promise<GroupMessageRow[]>,
  ): Promise<string> => {
    const { name, tips } = await store.write(async (tx) => {
      const group = await tx.findGroup(groupId);
      if (group === undefined) throw new AdminError(`There is no group ${groupId}.`);
      if (group.dissolvedAt !== null) throw new AdminError(`The group ${groupId} is dissolved.`);
      return { name: group.name, tips: await work(tx, group) };
    });
    await notifyGroup.groupChanged({ groupId, tips });
    return name;
  };

  return {
    async ban(groupId, reason) {
      const given = reason.trim();
      if (!isBanReason(given))
        throw new AdminError(`The reason must have 1 to ${BAN_REASON_MAX} characters.`);
      return change(groupId, async (tx, group) => {
        await tx.updateGroup(groupId, { banReason: given });
        return notifyWithTip(tx, group, { key: "group.banned", params: { reason: given } });
      });
    },

    unban: async (groupId) =>
      change(groupId, async (tx, group) => {
        if (group.banReason === null) throw new AdminError(`The group ${groupId} is not banned.`);
        await tx.updateGroup(groupId, { banReason: null });
        return notifyWithTip(tx, group, { key: "group.unbanned" });
      }),

    enlarge: async (groupId) =>
      change(groupId, async (tx) => {
        await tx.updateGroup(groupId, { isLarge: true });
        return [];
      }),
  };
}
