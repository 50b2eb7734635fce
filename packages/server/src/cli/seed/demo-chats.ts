import { emoticonToken } from "@parley/protocol/emoticons";
import { EVERYONE, GroupRole, MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import type { Config } from "../../config/config.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { SavedWords } from "../../ports/saved-message-store.ts";
import type { Tx } from "../../ports/store.ts";
import type { NewMessage, StoredMessage } from "../../ports/stored-message.ts";
import { quotedRow } from "../../presenters/message-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { DEMO_TEXTS, type DemoLanguage } from "./seed-data.ts";

const MINUTE = 60_000;
/** Time between two messages. */
const STEP = 40_000;

/** The language of tips. */
export type Language = Config["DEFAULT_LANGUAGE"];

interface DemoChatOptions {
  chatLanguage: DemoLanguage;
  /** The chat ends a few minutes before this time. */
  now: number;
  language: Language;
}

/** Who writes the demo chat of two people, and when. */
export interface PrivateDemoChatOptions extends DemoChatOptions {
  asker: UserRow;
  asked: UserRow;
  /** The person whose business card is sent. */
  guide: UserRow;
}

/** Who writes the demo chat of a group, and when. */
export interface GroupDemoChatOptions extends DemoChatOptions {
  group: GroupRow;
  owner: UserRow;
  /** Two members who can log in. */
  one: UserRow;
  other: UserRow;
  /** The person whose message the owner recalls. */
  spammer: UserRow;
}

/** Writes a chat that shows each kind of message: a quote, an edit, a recall, a location, a card, a nudge, emoticons. Returns the rows, ascending. */
export async function writePrivateDemoChat(tx: Tx, options: PrivateDemoChatOptions): Promise<PrivateRow[]> {
  const { asker, asked, guide, language } = options;
  const { lines, place } = DEMO_TEXTS[options.chatLanguage].privateChat;
  const rows: PrivateRow[] = [];
  const commonFields = messageFields(options.now - 20 * MINUTE);
  const send = async (from: UserRow, fields: Partial<NewPrivateMessage>): Promise<PrivateRow> => {
    const recvId = (from === asker ? asked : asker).id;
    const { row } = await tx.appendPrivate({ ...commonFields(from), recvId, ...fields });
    rows.push(row);
    return row;
  };

  const question = await send(asker, { content: lines.ask });
  const location = await send(asked, { type: MessageType.LOCATION, content: JSON.stringify(place) });
  await pin(tx, asker, location);
  const answer = await send(asked, { content: lines.answer, quote: quotedRow(question) });
  await react(tx, asker, answer, "👍");
  await correct(tx, send, asked, lines);
  const card = { userId: guide.id, nickName: guide.nickName, headImage: guide.headImageThumb };
  await send(asked, { type: MessageType.BUSINESS_CARD, content: JSON.stringify(card) });
  await send(asked, { content: lines.card });
  const recalled = await send(asker, { content: lines.recalled });
  const tip = { key: "recalled", params: { name: asker.nickName } } as const;
  await recall(tx, send, asker, { id: recalled.id, tip, language });
  await send(asked, { type: MessageType.SHAKE });
  await send(asker, { content: lines.thanks });
  await send(asked, { content: "#点赞;#庆祝;" });
  return rows;
}

/** Writes a group chat that shows each kind of message: mentions, a quote, an edit, a receipt, and a recall by the owner; and what some save. */
export async function writeGroupDemoChat(tx: Tx, options: GroupDemoChatOptions): Promise<void> {
  const { group, owner, one, other, spammer, language } = options;
  const lines = DEMO_TEXTS[options.chatLanguage].groupChat;
  const commonFields = messageFields(options.now - 18 * MINUTE);
  const send = async (from: UserRow, fields: Partial<NewGroupMessage>): Promise<GroupMessageRow> => {
    const member = await tx.findGroupMember(group.id, from.id);
    const { row } = await tx.appendGroup({
      ...commonFields(from),
      groupId: group.id,
      sendNickName: member?.remarkNickName ?? from.nickName,
      sendRole: member?.role ?? GroupRole.MEMBER,
      ...fields,
    });
    return row;
  };

  const mentioned = await tx.findGroupMember(group.id, one.id);
  const call = await send(owner, { content: `@${lines.all} ${lines.call}`, atUserIds: [EVERYONE] });
  for (const person of [one, other]) await react(tx, person, call, "👍");
  await react(tx, other, call, "🎉");
  const name = mentioned?.remarkNickName ?? one.nickName;
  const question = await send(other, { content: `@${name} ${lines.ask}`, atUserIds: [one.id] });
  await send(one, { content: lines.answer, quote: quotedRow(question) });
  await correct(tx, send, other, lines);
  const advert = await send(spammer, { content: lines.advert });
  const params = { name: owner.nickName, nameId: owner.id, author: spammer.nickName };
  await recall(tx, send, owner, { id: advert.id, tip: { key: "recalledBy", params }, language });
  const poll = await send(owner, { content: lines.poll, receipt: true });
  await pin(tx, owner, poll);
  await save(tx, one, poll, { note: lines.note, tags: [lines.tag] });
  for (const person of [owner, other]) await save(tx, person, question, { note: "", tags: [lines.tag] });
  await react(tx, one, poll, emoticonToken(2));
  await send(one, { content: lines.thanks });
  // Some members have read it, and some have not.
  for (const reader of [one, other]) await tx.raiseGroupRead(reader.id, group.id, poll.id);
  await send(other, { content: `@${name} ${lines.nudge}`, atUserIds: [one.id] });
}

/** Returns what every message of a chat from `start` on needs. */
function messageFields(start: number): (from: UserRow) => NewMessage {
  let sendTime = start;
  return ({ id: sendId, nickName: sendNickName }) => {
    sendTime += STEP;
    return { tmpId: null, type: MessageType.TEXT, sendId, sendNickName, content: "", sendTime };
  };
}

type Send = (from: UserRow, fields: Partial<NewMessage>) => Promise<StoredMessage>;

/** Sends a message with a mistake and edits it. */
async function correct(
  tx: Tx,
  send: Send,
  from: UserRow,
  { mistake, correction: content }: { mistake: string; correction: string },
): Promise<void> {
  const wrong = await send(from, { content: mistake });
  const quote = { ...quotedRow(wrong), content };
  const edit = await send(from, { type: MessageType.EDIT, content, quote });
  await tx.editMessage({ id: wrong.id, eventId: edit.id, content, editedAt: edit.sendTime });
}

/** Reacts to a message a minute after it. */
async function react(tx: Tx, by: UserRow, { id, sendTime }: StoredMessage, key: string): Promise<void> {
  const choice = {
    kind: "reactions",
    messageId: id,
    userId: by.id,
    key,
    on: true,
    at: sendTime + MINUTE,
  } as const;
  await tx.changeTally(choice, (await tx.listExtras(by.id, [id])).get(id));
}

/** Pins a message a minute after it. */
async function pin(tx: Tx, by: UserRow, { id, sendTime }: StoredMessage): Promise<void> {
  const extra = (await tx.listExtras(by.id, [id])).get(id);
  await tx.setPin(id, { by: by.id, at: sendTime + MINUTE }, extra);
}

/** Saves a message for one person a minute after it. */
async function save(tx: Tx, by: UserRow, { id, sendTime }: StoredMessage, words: SavedWords): Promise<void> {
  await tx.setSaved(by.id, id, words, sendTime + MINUTE);
}

interface DemoTip {
  key: TipKey;
  params: Record<string, string | number>;
}

/** Recalls the message with this id, which leaves a tip. */
async function recall(
  tx: Tx,
  send: Send,
  by: UserRow,
  { id, tip, language }: { id: number; tip: DemoTip; language: Language },
): Promise<void> {
  const notice = await send(by, { type: MessageType.RECALL, content: String(id) });
  await tx.recallMessage({
    id,
    noticeId: notice.id,
    content: tipSentence(tip.key, language, tip.params),
    tip,
  });
}
