import { MessageType } from "@parley/protocol/codes";
import { quotedRow } from "../../presenters/message-presenter.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { Tx } from "../../ports/store.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { DemoLanguage } from "./demo-people.ts";

const MINUTE = 60_000;
/** Time between two messages. */
const STEP = 40_000;

/** The texts of the demo chat in one language. */
interface Script {
  ask: string;
  place: { name: string; address: string; latitude: number; longitude: number };
  answer: string;
  mistake: string;
  correction: string;
  card: string;
  recalled: string;
  thanks: string;
}

const SCRIPTS: Record<DemoLanguage, Script> = {
  zh: {
    ask: "周五的评审在哪儿开？#思考;",
    place: {
      name: "上海图书馆东馆",
      address: "上海市浦东新区合欢路 300 号",
      latitude: 31.2197,
      longitude: 121.5466,
    },
    answer: "就在这里，三楼的会议室",
    mistake: "下午两店开始",
    correction: "下午两点开始，别迟到#眨眼;",
    card: "到了找她，她会带你上去",
    recalled: "密码是 1234",
    thanks: "太好了，周五见 #拍手;",
  },
  en: {
    ask: "Where is the review on Friday? #思考;",
    place: {
      name: "Shanghai Library East",
      address: "300 Hehuan Road, Pudong, Shanghai",
      latitude: 31.2197,
      longitude: 121.5466,
    },
    answer: "Here, in the meeting room on the third floor",
    mistake: "We start at too",
    correction: "We start at two, don't be late #眨眼;",
    card: "Ask for her when you get there, she will show you the way",
    recalled: "The password is 1234",
    thanks: "Great, see you on Friday #拍手;",
  },
};

/** Who writes the demo chat, and when. */
export interface DemoChatOptions {
  asker: UserRow;
  asked: UserRow;
  /** The person whose business card is sent. */
  guide: UserRow;
  chatLanguage: DemoLanguage;
  /** The chat ends a few minutes before this time. */
  now: number;
  language: "zh-CN" | "zh-TW" | "en";
}

/** Writes a chat that shows each kind of message: a quote, an edit, a recall, a location, a card, a nudge, emoticons. Returns the rows, ascending. */
export async function writeDemoChat(tx: Tx, options: DemoChatOptions): Promise<PrivateRow[]> {
  const { asker, asked, guide, now } = options;
  const script = SCRIPTS[options.chatLanguage];
  const rows: PrivateRow[] = [];
  let time = now - 20 * MINUTE;

  async function send(from: UserRow, fields: Partial<NewPrivateMessage>): Promise<PrivateRow> {
    time += STEP;
    const to = from === asker ? asked : asker;
    const { row } = await tx.appendPrivate({
      tmpId: null,
      type: MessageType.TEXT,
      sendId: from.id,
      recvId: to.id,
      sendNickName: from.nickName,
      content: "",
      sendTime: time,
      ...fields,
    });
    rows.push(row);
    return row;
  }

  const question = await send(asker, { content: script.ask });
  await send(asked, { type: MessageType.LOCATION, content: JSON.stringify(script.place) });
  await send(asked, { content: script.answer, quote: quotedRow(question) });
  const wrong = await send(asked, { content: script.mistake });
  const edit = await send(asked, {
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
  const card = { userId: guide.id, nickName: guide.nickName, headImage: guide.headImageThumb };
  await send(asked, { type: MessageType.BUSINESS_CARD, content: JSON.stringify(card) });
  await send(asked, { content: script.card });
  const recalled = await send(asker, { content: script.recalled });
  const notice = await send(asker, { type: MessageType.RECALL, content: String(recalled.id) });
  const tip = { key: "recalled", params: { name: asker.nickName } } as const;
  const content = tipSentence(tip.key, options.language, tip.params);
  await tx.recallMessage({ id: recalled.id, noticeId: notice.id, content, tip });
  await send(asked, { type: MessageType.SHAKE });
  await send(asker, { content: script.thanks });
  await send(asked, { content: "#点赞;#庆祝;" });
  return rows;
}
