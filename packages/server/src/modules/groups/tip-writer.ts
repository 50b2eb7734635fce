/** Writes tips: sentences about a group that are stored among its messages. */
import { MessageType } from "@parley/protocol/codes";
import { type TipKey, nameParams } from "@parley/protocol/tips";
import type { Language } from "../../api/language.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberRow } from "../../ports/group-store.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { GroupsReads, GroupsTx } from "./groups-store.ts";

/** A tip to write. Its sender is `by`. */
export interface NewTip {
  by: GroupMemberRow;
  /** Whether the sentence names `by`, as `params.name`. By default it does. */
  isNamed?: boolean;
  key: TipKey;
  params?: Record<string, string>;
  now: number;
  /** Only this person sees the tip. */
  onlyFor?: number;
}

/** Stores a tip within a transaction. */
export type TipWriter = (tx: GroupsTx, tip: NewTip) => Promise<GroupMessageRow>;

export function createTipWriter(language: Language): TipWriter {
  return async (tx, { by, isNamed = true, key, params: moreParams, now, onlyFor }) => {
    const [name] = await memberNamesOf(tx, [by]);
    const params = { ...(isNamed && { name: name ?? "" }), ...moreParams };
    const { row } = await tx.appendGroup({
      tmpId: null,
      type: MessageType.TIP_TEXT,
      groupId: by.groupId,
      sendId: by.userId,
      sendNickName: name ?? "",
      sendRole: by.role,
      content: tipSentence(key, language, params),
      sendTime: now,
      tip: { key, params },
      ...(onlyFor !== undefined && { onlyFor }),
    });
    return row;
  };
}

/** The parameters of a tip that names these members. */
export async function memberNameParams(
  reads: GroupsReads,
  members: readonly GroupMemberRow[],
): Promise<ReturnType<typeof nameParams>> {
  const names = await memberNamesOf(reads, members);
  return nameParams(members.map(({ userId: id }, i) => ({ id, name: names[i] ?? "" })));
}

/** The parameters of a tip that names people who have just joined. */
export function userNameParams(users: readonly UserRow[]): ReturnType<typeof nameParams> {
  return nameParams(users.map(({ id, nickName: name }) => ({ id, name })));
}

/** The names of these members in their group. */
async function memberNamesOf(reads: GroupsReads, members: readonly GroupMemberRow[]): Promise<string[]> {
  const users = await reads.findUsers(members.map((m) => m.userId));
  return members.map((member) => nameInGroup(member, users.get(member.userId) ?? { nickName: "" }));
}
