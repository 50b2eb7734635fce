import { GroupRole, MessageType, EVERYONE } from "@parley/protocol/codes";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { Tx } from "../../ports/store.ts";
import { quotedRow } from "../../presenters/message-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { DemoLanguage } from "./demo-people.ts";

const MINUTE = 60_000;
/** Time between two messages. */
const STEP = 40_000;

const SCRIPTS = {
  zh: {
    all: "所有人",
    call: "明天的安排有变，请看公告",
    ask: "你那边来得及吗？",
    answer: "来得及，下午就好 #点赞;",
    mistake: "材料我放在共享盘里了，文件名是“平审”",
    correction: "材料我放在共享盘里了，文件名是“评审”",
    poll: "收到请点开看一眼，谢谢",
    advert: "代办各种证件，加我好友",
    thanks: "收到 #拍手;",
    nudge: "最后一页你再看一眼？",
  },
  en: {
    all: "everyone",
    call: "tomorrow starts an hour later, see the notice",
    ask: "can you make it?",
    answer: "Yes, I'll be there #点赞;",
    mistake: "I put the notes in the usual plaice",
    correction: "I put the notes in the usual place",
    poll: "Please have a look at the plan, thanks",
    advert: "Buy cheap watches here",
    thanks: "Got it #拍手;",
    nudge: "could you have another look at the last page?",
  },
} satisfies Record<DemoLanguage, Record<string, string>>;

/** Who writes the demo chat, and when. */
export interface DemoGroupChatOptions {
  group: GroupRow;
  owner: UserRow;
  /** Two members who can log in. */
  one: UserRow;
  other: UserRow;
  /** The person whose message the owner recalls. */
  spammer: UserRow;
  chatLanguage: DemoLanguage;
  /** The chat ends a few minutes before this time. */
  now: number;
  language: "zh-CN" | "zh-TW" | "en";
}

/** Writes a group chat that shows each kind of message: mentions, a quote, an edit, a receipt, and a recall by the owner. */
export async function writeDemoGroupChat(tx: Tx, options: DemoGroupChatOptions): Promise<void> {
  const { group, owner, one, other, spammer, now, language } = options;
  const script = SCRIPTS[options.chatLanguage];
  let time = now - 18 * MINUTE;

  async function send(from: UserRow, fields: Partial<NewGroupMessage>): Promise<GroupMessageRow> {
    time += STEP;
    const member = await tx.findGroupMember(group.id, from.id);
    const { row } = await tx.appendGroup({
      tmpId: null,
      type: MessageType.TEXT,
      groupId: group.id,
      sendId: from.id,
      sendNickName: member?.remarkNickName ?? from.nickName,
      sendRole: member?.role ?? GroupRole.MEMBER,
      content: "",
      sendTime: time,
      ...fields,
    });
    return row;
  }

  const mentioned = await tx.findGroupMember(group.id, one.id);
  await send(owner, { content: `@${script.all} ${script.call}`, atUserIds: [EVERYONE] });
  const name = mentioned?.remarkNickName ?? one.nickName;
  const question = await send(other, { content: `@${name} ${script.ask}`, atUserIds: [one.id] });
  await send(one, { content: script.answer, quote: quotedRow(question) });
  const wrong = await send(other, { content: script.mistake });
  const edit = await send(other, {
    type: MessageType.EDIT,
    content: script.correction,
    quote: { ...quotedRow(wrong), content: script.correction },
  });
  await tx.editMessage({
    id: wrong.id,
    eventId: edit.id,
    content: script.correction,
    editedAt: edit.sendTime,
  });
  const advert = await send(spammer, { content: script.advert });
  const notice = await send(owner, { type: MessageType.RECALL, content: String(advert.id) });
  const params = { name: owner.nickName, nameId: owner.id, author: spammer.nickName };
  const tip = { key: "recalledBy", params } as const;
  const content = tipSentence(tip.key, language, tip.params);
  await tx.recallMessage({ id: advert.id, noticeId: notice.id, content, tip });
  const poll = await send(owner, { content: script.poll, receipt: true });
  await send(one, { content: script.thanks });
  // Some members have read it, and some have not.
  for (const reader of [one, other]) await tx.raiseGroupRead(reader.id, group.id, poll.id);
  await send(other, { content: `@${name} ${script.nudge}`, atUserIds: [one.id] });
}
