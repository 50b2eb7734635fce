/** What an administrator does with groups, on the server's machine. */
import { AdminRefusal } from "../../ports/admin.ts";
import type { GroupMessageRow, GroupRow } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { REASON_MAX, isReason } from "../../rules/reasons.ts";
import { type TellingDeps, createGroupTelling } from "./telling.ts";
import { type NewTip, createTipWriter } from "./tips.ts";

export interface GroupAdminDeps extends TellingDeps {
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
  const telling = createGroupTelling(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** In the owner's place: every message has a sender. */
  const tell = async (
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
      if (group === undefined) throw new AdminRefusal(`There is no group ${groupId}.`);
      if (group.dissolvedAt !== null) throw new AdminRefusal(`The group ${groupId} is dissolved.`);
      return { name: group.name, tips: await work(tx, group) };
    });
    await telling.changed({ groupId, tips });
    return name;
  };

  return {
    async ban(groupId, reason) {
      const given = reason.trim();
      if (!isReason(given)) throw new AdminRefusal(`The reason must have 1 to ${REASON_MAX} characters.`);
      return change(groupId, async (tx, group) => {
        await tx.updateGroup(groupId, { banReason: given });
        return tell(tx, group, { key: "group.banned", params: { reason: given } });
      });
    },

    unban: async (groupId) =>
      change(groupId, async (tx, group) => {
        if (group.banReason === null) throw new AdminRefusal(`The group ${groupId} is not banned.`);
        await tx.updateGroup(groupId, { banReason: null });
        return tell(tx, group, { key: "group.unbanned" });
      }),

    enlarge: async (groupId) =>
      change(groupId, async (tx) => {
        await tx.updateGroup(groupId, { isLarge: true });
        return [];
      }),
  };
}
