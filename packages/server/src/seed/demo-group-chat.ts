import { GroupRole, MessageType } from "@parley/protocol/codes";
import type { GroupMessageRow, GroupRow, NewGroupMessage } from "../ports/group-store.ts";
import type { Tx, UserRow } from "../ports/store.ts";
import { quotedRow } from "../presenters/message-presenter.ts";
import { tipSentence } from "../presenters/tip-sentences.ts";
import type { DemoLanguage } from "./demo-people.ts";

const MINUTE = 60_000;
const STEP = 40_000;
/** Everyone, in a list of people who are mentioned. */
const ALL = -1;

const SCRIPTS = {
  zh: {
    all: "所有人",
    call: "明天的安排有变，请看公告",
    ask: "你那边来得及吗？",
    answer: "来得及，下午就好 #点赞;",
    mistake: "材料我放在共享盘里了，文件名是“平审”",
    mended: "材料我放在共享盘里了，文件名是“评审”",
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
    mended: "I put the notes in the usual place",
    poll: "Please have a look at the plan, thanks",
    advert: "Buy cheap watches here",
    thanks: "Got it #拍手;",
    nudge: "could you have another look at the last page?",
  },
} satisfies Record<DemoLanguage, Record<string, string>>;

export interface DemoGroupChatOptions {
  group: GroupRow;
  owner: UserRow;
  /** Two members who can log in. */
  one: UserRow;
  other: UserRow;
  /** Whose words the owner takes away. */
  pest: UserRow;
  chatLanguage: DemoLanguage;
  /** The scene ends a few minutes before. */
  now: number;
  language: "zh-CN" | "zh-TW" | "en";
}

/** One of each kind in a group: everyone and one called by name, a quote, an edit, a receipt, words taken away by the owner. */
export async function writeDemoGroupChat(tx: Tx, options: DemoGroupChatOptions): Promise<void> {
  const { group, owner, one, other, pest, now, language } = options;
  const script = SCRIPTS[options.chatLanguage];
  let time = now - 18 * MINUTE;

  async function say(from: UserRow, part: Partial<NewGroupMessage>): Promise<GroupMessageRow> {
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
      ...part,
    });
    return row;
  }

  const called = await tx.findGroupMember(group.id, one.id);
  await say(owner, { content: `@${script.all} ${script.call}`, atUserIds: [ALL] });
  const name = called?.remarkNickName ?? one.nickName;
  const question = await say(other, { content: `@${name} ${script.ask}`, atUserIds: [one.id] });
  await say(one, { content: script.answer, quote: quotedRow(question) });
  const hasty = await say(other, { content: script.mistake });
  const edit = await say(other, {
    type: MessageType.EDIT,
    content: script.mended,
    quote: { ...quotedRow(hasty), content: script.mended },
  });
  await tx.editGroup({ id: hasty.id, eventId: edit.id, content: script.mended, editedAt: edit.sendTime });
  const advert = await say(pest, { content: script.advert });
  const notice = await say(owner, { type: MessageType.RECALL, content: String(advert.id) });
  const params = { name: owner.nickName, nameId: owner.id, author: pest.nickName };
  const tip = { key: "recalledBy", params } as const;
  const content = tipSentence(tip.key, language, tip.params);
  await tx.recallGroup({ id: advert.id, noticeId: notice.id, content, tip });
  const poll = await say(owner, { content: script.poll, receipt: true });
  await say(one, { content: script.thanks });
  // Some have seen it, some have not.
  for (const reader of [one, other]) await tx.raiseGroupRead(reader.id, group.id, poll.id);
  await say(other, { content: `@${name} ${script.nudge}`, atUserIds: [one.id] });
}
