import { GroupRole, MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { storeGroupRequest } from "../modules/groups/membership.ts";
import { createTipWriter, userNameParams } from "../modules/groups/tip-writer.ts";
import type { GroupRow } from "../ports/group-store.ts";
import type { Store, Tx, UserRow } from "../ports/store.ts";
import { at } from "./at.ts";
import type { Tip } from "@parley/protocol/message";
import { tipSentence } from "../presenters/tip-sentences.ts";
import { writeDemoGroupChat } from "./demo-group-chat.ts";
import type { PlannedGroup } from "./group-plan.ts";
import { DEMO_LOGINS } from "./demo-people.ts";
import type { SeedPlan } from "./seed-plan.ts";

const BATCH = 1_000;
/** Members in the tip of a group's beginning. */
const NAMED_MAX = 8;
/** Message ids of all groups that the logins have not read yet where others speak. */
const BEHIND = 60;

type Language = "zh-CN" | "zh-TW" | "en";

/** Writes the planned groups into a store that has the plan's people. */
export async function fillGroups(
  store: Store,
  { groups, now }: SeedPlan,
  users: readonly UserRow[],
  language: Language,
): Promise<void> {
  const made = new Map<PlannedGroup, GroupRow>();
  for (const planned of groups) {
    made.set(planned, await store.write((tx) => insertGroup(tx, planned, users, language)));
  }
  await appendConversation(store, made, users, language);
  for (const [planned, group] of made) {
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
    createdAt,
  });
  const by = await tx.upsertGroupMember(group.id, at(users, owner).id, GroupRole.OWNER, createdAt);
  for (const person of [...admins, ...members]) {
    await tx.upsertGroupMember(group.id, at(users, person).id, roleIn(planned, person), createdAt);
  }
  for (const { person, ...notes } of planned.notes) {
    await tx.updateGroupMember(group.id, at(users, person).id, notes);
  }
  const { notice, attributes, isAllMuted, joinApproval, inviteRole } = planned;
  await tx.updateGroup(group.id, { notice, attributes, isAllMuted, joinApproval, inviteRole });
  const writeTip = createTipWriter(language);
  const named = [...admins, ...members].slice(0, NAMED_MAX);
  const params = userNameParams(named.map((person) => at(users, person)));
  await writeTip(tx, { by, key: "group.invited", params, now: createdAt });
  if (notice !== null) await writeTip(tx, { by, key: "group.noticeChanged", now: createdAt });
  return group;
}

/** What stands in a group's talk. */
interface PlannedLine {
  group: GroupRow;
  at: number;
  from: number;
  text: string;
  tip: Tip | null;
}

/** All groups together, so that ids follow the times. */
async function appendConversation(
  store: Store,
  made: ReadonlyMap<PlannedGroup, GroupRow>,
  users: readonly UserRow[],
  language: Language,
): Promise<void> {
  const lines = [...made].flatMap(([planned, group]) =>
    linesOf(planned, group, users, language).map((line) => ({ ...line, planned })),
  );
  lines.sort((a, b) => a.at - b.at);
  for (let start = 0; start < lines.length; start += BATCH) {
    const batch = lines
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

/** Words, and what the owner did: silenced some halfway, ended it. */
function linesOf(
  { owner, muted, messages, isDissolved }: PlannedGroup,
  group: GroupRow,
  users: readonly UserRow[],
  language: Language,
): PlannedLine[] {
  const { nickName: name } = at(users, owner);
  const done = (key: TipKey, params: Record<string, string>, time: number): PlannedLine => ({
    group,
    at: time,
    from: owner,
    text: tipSentence(key, language, params),
    tip: { key, params },
  });
  const lines: PlannedLine[] = messages.map((message) => ({ ...message, group, tip: null }));
  const [middle, last] = [messages[Math.floor(messages.length / 2)], messages.at(-1)];
  if (muted.length > 0 && middle !== undefined) {
    const muting = userNameParams(muted.map((person) => at(users, person)));
    lines.push(done("group.muted", { name, ...muting }, middle.at + 1_000));
  }
  if (isDissolved && last !== undefined) lines.push(done("group.dissolved", { name }, last.at + 60_000));
  return lines;
}

function roleIn({ owner, admins }: PlannedGroup, person: number): GroupRole {
  if (person === owner) return GroupRole.OWNER;
  return admins.includes(person) ? GroupRole.ADMIN : GroupRole.MEMBER;
}

interface Finish {
  planned: PlannedGroup;
  group: GroupRow;
  users: readonly UserRow[];
  now: number;
  language: Language;
}

/** How it stands now: reads, people who left, those who may not speak, requests, the scene, the end. */
async function finishGroup(tx: Tx, { planned, group, users, now, language }: Finish): Promise<void> {
  const { owner, admins, members, left, muted, requests, isDissolved, hasDemoChat, chatLanguage } = planned;
  const newest = await tx.newestGroupMessageId(group.id);
  const everyone = [owner, ...admins, ...members];
  for (const person of everyone) {
    const isBehind = person < DEMO_LOGINS.length && person !== owner && !isDissolved;
    await tx.raiseGroupRead(at(users, person).id, group.id, isBehind ? newest - BEHIND : newest);
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
    const pest = members.find((person) => person >= DEMO_LOGINS.length);
    if (one === undefined || other === undefined || pest === undefined)
      throw new Error(`the scene of ${planned.name} needs two logins beside the owner, and somebody else`);
    await writeDemoGroupChat(tx, {
      group,
      owner: at(users, owner),
      one: at(users, one),
      other: at(users, other),
      pest: at(users, pest),
      chatLanguage,
      now,
      language,
    });
  }
  if (isDissolved)
    await tx.updateGroup(group.id, { dissolvedAt: (planned.messages.at(-1)?.at ?? now) + 60_000 });
}
