import { GroupRole, JoinMode, MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { storeGroupRequest } from "../../modules/groups/membership.ts";
import { createTipWriter, userNameParams } from "../../modules/groups/tip-writer.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { Store, Tx } from "../../ports/store.ts";
import type { Tip } from "@parley/protocol/message";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { type Language, writeGroupDemoChat } from "./demo-chats.ts";
import type { PlannedGroup } from "./group-plan.ts";
import { DEMO_LOGINS } from "./seed-data.ts";
import { at, type SeedPlan } from "./seed-plan.ts";

const BATCH = 1_000;
/** Maximum number of members named in the tip of the new group. */
const NAMED_MAX = 8;
/** How many ids behind the newest message the logins have read, in groups of others. */
const UNREAD_IDS = 60;

/** Writes the planned groups into a store that has the plan's people. */
export async function fillGroups(
  store: Store,
  { groups, now }: SeedPlan,
  users: readonly UserRow[],
  language: Language,
): Promise<void> {
  const groupRows = new Map<PlannedGroup, GroupRow>();
  for (const planned of groups) {
    groupRows.set(planned, await store.write((tx) => insertGroup(tx, planned, users, language)));
  }
  await appendConversation(store, groupRows, users, language);
  for (const [planned, group] of groupRows) {
    await store.write((tx) => finishGroup(tx, { planned, group, users, now, language }));
  }
}

async function insertGroup(
  tx: Tx,
  planned: PlannedGroup,
  users: readonly UserRow[],
  language: Language,
): Promise<GroupRow> {
  const { owner, admins, members, createdAt } = planned;
  const group = await tx.insertGroup({
    name: planned.name,
    ownerId: at(users, owner).id,
    headImage: null,
    headImageThumb: null,
    joinMode: JoinMode.APPROVAL,
    isFindable: false,
    createdAt,
  });
  const inviter = await tx.upsertGroupMember(group.id, at(users, owner).id, GroupRole.OWNER, createdAt);
  for (const person of [...admins, ...members]) {
    await tx.upsertGroupMember(group.id, at(users, person).id, roleIn(planned, person), createdAt);
  }
  for (const { person, ...notes } of planned.notes) {
    await tx.updateGroupMember(group.id, at(users, person).id, notes);
  }
  const { notice, attributes, isAllMuted, joinApproval, inviteRole } = planned;
  const joinMode = joinApproval ? JoinMode.APPROVAL : JoinMode.FREE;
  await tx.updateGroup(group.id, { notice, attributes, isAllMuted, joinMode, isFindable: true, inviteRole });
  const writeTip = createTipWriter(language);
  const named = [...admins, ...members].slice(0, NAMED_MAX);
  const params = userNameParams(named.map((person) => at(users, person)));
  await writeTip(tx, { by: inviter, key: "group.invited", params, now: createdAt });
  if (notice !== null) await writeTip(tx, { by: inviter, key: "group.noticeChanged", now: createdAt });
  return group;
}

/** A message or tip to append to a group. */
interface PlannedRow {
  group: GroupRow;
  at: number;
  from: number;
  text: string;
  tip: Tip | null;
}

/** Appends the rows of all groups together, so that ids and times have the same order. */
async function appendConversation(
  store: Store,
  groupRows: ReadonlyMap<PlannedGroup, GroupRow>,
  users: readonly UserRow[],
  language: Language,
): Promise<void> {
  const rows = [...groupRows].flatMap(([planned, group]) =>
    rowsOf(planned, group, users, language).map((row) => ({ ...row, planned })),
  );
  rows.sort((a, b) => a.at - b.at);
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows
      .slice(start, start + BATCH)
      .map(({ from, text, tip, at: sendTime, planned, group }) => {
        const user = at(users, from);
        return store.appendGroup({
          tmpId: null,
          type: tip === null ? MessageType.TEXT : MessageType.TIP_TEXT,
          groupId: group.id,
          sendId: user.id,
          sendNickName: planned.notes.find(({ person }) => person === from)?.remarkNickName ?? user.nickName,
          sendRole: roleIn(planned, from),
          content: text,
          sendTime,
          ...(tip !== null && { tip }),
        });
      });
    await Promise.all(batch);
  }
}

/** The messages of a group and the tips of its owner's actions: muting some members halfway, dissolving the group. */
function rowsOf(
  { owner, muted, messages, isDissolved }: PlannedGroup,
  group: GroupRow,
  users: readonly UserRow[],
  language: Language,
): PlannedRow[] {
  const { nickName: name } = at(users, owner);
  const tipRow = (key: TipKey, params: Record<string, string>, time: number): PlannedRow => ({
    group,
    at: time,
    from: owner,
    text: tipSentence(key, language, params),
    tip: { key, params },
  });
  const rows: PlannedRow[] = messages.map((message) => ({ ...message, group, tip: null }));
  const [middle, last] = [messages[Math.floor(messages.length / 2)], messages.at(-1)];
  if (muted.length > 0 && middle !== undefined) {
    const mutedParams = userNameParams(muted.map((person) => at(users, person)));
    rows.push(tipRow("group.muted", { name, ...mutedParams }, middle.at + 1_000));
  }
  if (isDissolved && last !== undefined) rows.push(tipRow("group.dissolved", { name }, last.at + 60_000));
  return rows;
}

function roleIn({ owner, admins }: PlannedGroup, person: number): GroupRole {
  if (person === owner) return GroupRole.OWNER;
  return admins.includes(person) ? GroupRole.ADMIN : GroupRole.MEMBER;
}

interface FinishOptions {
  planned: PlannedGroup;
  group: GroupRow;
  users: readonly UserRow[];
  now: number;
  language: Language;
}

/** Writes the state of a group after its messages: read positions, people who left, muted members, requests, the demo chat, and dissolving. */
async function finishGroup(tx: Tx, { planned, group, users, now, language }: FinishOptions): Promise<void> {
  const { owner, admins, members, left, muted, requests, isDissolved, hasDemoChat, chatLanguage } = planned;
  const newest = await tx.newestGroupMessageId(group.id);
  const everyone = [owner, ...admins, ...members];
  for (const person of everyone) {
    const isBehind = person < DEMO_LOGINS.length && person !== owner && !isDissolved;
    await tx.raiseGroupRead(at(users, person).id, group.id, isBehind ? newest - UNREAD_IDS : newest);
  }
  for (const person of left) await tx.endGroupStay(group.id, at(users, person).id);
  for (const person of muted) await tx.updateGroupMember(group.id, at(users, person).id, { isMuted: true });
  for (const { from, inviter, remark, at: applyTime } of requests) {
    const inviterId = inviter === null ? null : at(users, inviter).id;
    await storeGroupRequest(tx, {
      groupId: group.id,
      sendId: at(users, from).id,
      inviterId,
      remark,
      applyTime,
    });
  }
  if (hasDemoChat) {
    const [one, other] = everyone.filter((person) => person < DEMO_LOGINS.length && person !== owner);
    const spammer = members.find((person) => person >= DEMO_LOGINS.length);
    if (one === undefined || other === undefined || spammer === undefined)
      throw new Error(
        `the demo chat of ${planned.name} needs two logins besides the owner, and one other member`,
      );
    await writeGroupDemoChat(tx, {
      group,
      owner: at(users, owner),
      one: at(users, one),
      other: at(users, other),
      spammer: at(users, spammer),
      chatLanguage,
      now,
      language,
    });
  }
  if (isDissolved)
    await tx.updateGroup(group.id, { dissolvedAt: (planned.messages.at(-1)?.at ?? now) + 60_000 });
}
