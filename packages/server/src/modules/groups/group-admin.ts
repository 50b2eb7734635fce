/** What administrators see and do with groups. */
import { MessageType } from "@parley/protocol/codes";
import { type AuditTx, pageOptions, recordAct } from "../../access/administration.ts";
import type { Act, AdminHandlers } from "../../api/admin-act.ts";
import { AdminError } from "../../api/admin-error.ts";
import { parseBanReason } from "../../api/ban-reason.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { Language } from "../../api/language.ts";
import type { AdminReads } from "../../ports/admin-store.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { adminGroup } from "../../presenters/admin-presenter.ts";
import type { GroupsReads, GroupsTx } from "./groups-store.ts";
import { dissolveGroup } from "./membership.ts";
import { createNotifyGroupRequests } from "./notify-group-requests.ts";
import { type NotifyGroupDeps, createNotifyGroup } from "./notify-group.ts";
import { type NewTip, createTipWriter } from "./tip-writer.ts";

type GroupAdminTx = GroupsTx & AuditTx;

export interface GroupAdminDeps extends NotifyGroupDeps {
  store: GroupsReads & AdminReads & Transactions<GroupAdminTx>;
  delivery: NotifyGroupDeps["delivery"] & Pick<Delivery, "toOthersOf" | "webPush">;
  defaultLanguage: Language;
}

type GroupAdminHandlers = Pick<
  AdminHandlers,
  "listAllGroups" | "listMembersOfGroup" | "banGroup" | "unbanGroup" | "dissolveAnyGroup" | "setGroupLarge"
>;

export function createGroupAdmin(deps: GroupAdminDeps): GroupAdminHandlers {
  return { ...createGroupLists(deps), ...createGroupActs(deps) };
}

function createGroupLists({ store }: GroupAdminDeps) {
  return {
    async listAllGroups(_act, { query }) {
      const { total, rows } = await store.listGroupsPage(query.query?.trim() ?? "", pageOptions(query));
      const counts = await store.countGroupMembers(rows.map(({ id }) => id));
      const owners = await store.findUsers(rows.map(({ ownerId }) => ownerId));
      return {
        total,
        rows: rows.map((group) => adminGroup(group, owners.get(group.ownerId), counts.get(group.id) ?? 0)),
      };
    },

    async listMembersOfGroup(_act, { query }) {
      const { total, rows } = await store.listMembersPage(query.groupId, pageOptions(query));
      const people = await store.findUsers(rows.map(({ userId }) => userId));
      return {
        total,
        rows: rows.flatMap(({ userId, role, isMuted }) => {
          const person = people.get(userId);
          if (person === undefined) return [];
          const { id, userName, nickName, headImage, headImageThumb } = person;
          return [{ id, userName, nickName, headImage, headImageThumb, role, isMuted }];
        }),
      };
    },
  } satisfies Partial<GroupAdminHandlers>;
}

function createGroupActs(deps: GroupAdminDeps) {
  const { store } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const notifyRequests = createNotifyGroupRequests(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** Writes a tip in the owner's name, because every message needs a sender. */
  const writeOwnerTip = async (
    tx: GroupsTx,
    { id, ownerId }: GroupRow,
    now: number,
    tip: Pick<NewTip, "key" | "params">,
  ): Promise<GroupMessageRow[]> => {
    const by = await tx.findGroupMember(id, ownerId);
    return by === undefined ? [] : [await writeTip(tx, { by, isNamed: false, ...tip, now })];
  };

  const findLiveGroup = async (tx: GroupsTx, groupId: number): Promise<GroupRow> => {
    const group = await tx.findGroup(groupId);
    if (group === undefined) throw new AdminError("group.notFound", `There is no group ${groupId}.`);
    if (group.dissolvedAt !== null)
      throw new AdminError("group.dissolved", `The group ${groupId} is dissolved.`, { name: group.name });
    return group;
  };

  const change = async (
    act: Act,
    groupId: number,
    work: (tx: GroupsTx, group: GroupRow) => Promise<GroupMessageRow[]>,
  ): Promise<null> => {
    const tips = await store.write(async (tx) => {
      const group = await findLiveGroup(tx, groupId);
      const written = await work(tx, group);
      await recordAct(tx, act);
      return written;
    });
    await notifyGroup.groupChanged({ groupId, tips });
    return null;
  };

  return {
    async banGroup(act, { body }) {
      const reason = parseBanReason(body.reason);
      return change(act, body.groupId, async (tx, group) => {
        await tx.updateGroup(group.id, { banReason: reason });
        return writeOwnerTip(tx, group, act.at, { key: "group.banned", params: { reason } });
      });
    },

    async unbanGroup(act, { body }) {
      return change(act, body.groupId, async (tx, group) => {
        if (group.banReason === null)
          throw new AdminError("admin.groupNotBanned", `The group ${group.id} is not banned.`);
        await tx.updateGroup(group.id, { banReason: null });
        return writeOwnerTip(tx, group, act.at, { key: "group.unbanned" });
      });
    },

    async setGroupLarge(act, { body }) {
      return change(act, body.groupId, async (tx, group) => {
        await tx.updateGroup(group.id, { isLarge: body.isLarge });
        return [];
      });
    },

    async dissolveAnyGroup(act, { body }) {
      const { groupId } = body;
      const { memberIds, closed, ownerId } = await store.write(async (tx) => {
        const group = await findLiveGroup(tx, groupId);
        await recordAct(tx, act);
        const closed = await dissolveGroup(tx, groupId, act.at);
        const members = (await tx.listGroupMembers(groupId)).filter((member) => !member.quit);
        return { memberIds: members.map(({ userId }) => userId), closed, ownerId: group.ownerId };
      });
      await notifyGroup.groupChanged({ groupId, recipientIds: [] });
      notifyGroup.membersLeft(groupId, memberIds, ownerId);
      for (const outcome of closed) {
        await notifyRequests.requestClosed(undefined, outcome, MessageType.GROUP_REQ_REJECT);
      }
      return null;
    },
  } satisfies Partial<GroupAdminHandlers>;
}
