/** The commands for groups that an administrator runs on the server's machine. */
import { AdminError } from "../../api/admin-error.ts";
import { parseBanReason } from "../../api/ban-reason.ts";
import type { Language } from "../../api/language.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { GroupsStore, GroupsTx } from "./groups-store.ts";
import { type NotifyGroupDeps, createNotifyGroup } from "./notify-group.ts";
import { type NewTip, createTipWriter } from "./tip-writer.ts";

export interface GroupAdminDeps extends NotifyGroupDeps {
  store: GroupsStore;
  defaultLanguage: Language;
  now(): number;
}

/** Throws an `AdminError` if there is no such group, or if the command does not fit its state. */
export interface GroupAdmin {
  /** Forbids messages until `unban`, and tells the members the reason. Returns the group's name. */
  ban(groupId: number, reason: string): Promise<string>;
  unban(groupId: number): Promise<string>;
  /** Lets the group have as many members as a large one. */
  enlarge(groupId: number): Promise<string>;
}

export function createGroupAdmin(deps: GroupAdminDeps): GroupAdmin {
  const { store, now } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** Writes a tip in the owner's name, because every message needs a sender. */
  const writeOwnerTip = async (
    tx: GroupsTx,
    { id, ownerId }: GroupRow,
    tip: Pick<NewTip, "key" | "params">,
  ): Promise<GroupMessageRow[]> => {
    const by = await tx.findGroupMember(id, ownerId);
    return by === undefined ? [] : [await writeTip(tx, { by, isNamed: false, ...tip, now: now() })];
  };

  const change = async (
    groupId: number,
    work: (tx: GroupsTx, group: GroupRow) => Promise<GroupMessageRow[]>,
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
      const trimmed = parseBanReason(reason);
      return change(groupId, async (tx, group) => {
        await tx.updateGroup(groupId, { banReason: trimmed });
        return writeOwnerTip(tx, group, { key: "group.banned", params: { reason: trimmed } });
      });
    },

    unban: async (groupId) =>
      change(groupId, async (tx, group) => {
        if (group.banReason === null) throw new AdminError(`The group ${groupId} is not banned.`);
        await tx.updateGroup(groupId, { banReason: null });
        return writeOwnerTip(tx, group, { key: "group.unbanned" });
      }),

    enlarge: async (groupId) =>
      change(groupId, async (tx) => {
        await tx.updateGroup(groupId, { isLarge: true });
        return [];
      }),
  };
}
