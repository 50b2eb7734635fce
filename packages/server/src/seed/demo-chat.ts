import { MessageType } from "@parley/protocol/codes";
import { quotedRow } from "../presenters/message-presenter.ts";
import type { NewPrivateMessage, PrivateRow, Tx, UserRow } from "../ports/store.ts";
import { tipSentence } from "../presenters/tip-sentences.ts";
import type { DemoLanguage } from "./demo-people.ts";

const MINUTE = 60_000;
const STEP = 40_000;

/** What is said in the scene, in one language. */
interface Script {
  ask: string;
  place: { name: string; address: string; latitude: number; longitude: number };
  answer: string;
  mistake: string;
  mended: string;
  card: string;
  withdrawn: string;
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
    mended: "下午两点开始，别迟到#眨眼;",
    card: "到了找她，她会带你上去",
    withdrawn: "密码是 1234",
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
    mended: "We start at two, don't be late #眨眼;",
    card: "Ask for her when you get there, she will show you the way",
    withdrawn: "The password is 1234",
    thanks: "Great, see you on Friday #拍手;",
  },
};

export interface DemoChatOptions {
  asker: UserRow;
  asked: UserRow;
  /** Whose card is handed over. */
  guide: UserRow;
  chatLanguage: DemoLanguage;
  /** The scene ends a few minutes before. */
  now: number;
  language: "zh-CN" | "zh-TW" | "en";
}

/** Two people say one of each kind: quoted, edited, taken back, a place, a card, a shake, emoticons. Answers the rows, ascending. */
export async function writeDemoChat(tx: Tx, options: DemoChatOptions): Promise<PrivateRow[]> {
  const { asker, asked, guide, now } = options;
  const script = SCRIPTS[options.chatLanguage];
  const rows: PrivateRow[] = [];
  let time = now - 20 * MINUTE;

  async function say(from: UserRow, part: Partial<NewPrivateMessage>): Promise<PrivateRow> {
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
      ...part,
    });
    rows.push(row);
    return row;
  }

  const question = await say(asker, { content: script.ask });
  await say(asked, { type: MessageType.LOCATION, content: JSON.stringify(script.place) });
  await say(asked, { content: script.answer, quote: quotedRow(question) });
  const hasty = await say(asked, { content: script.mistake });
  const edit = await say(asked, {
    type: MessageType.EDIT,
    content: script.mended,
    quote: { ...quotedRow(hasty), content: script.mended },
  });
  await tx.editPrivate({
    id: hasty.id,
    eventId: edit.id,
    content: script.mended,
    editedAt: edit.sendTime,
  });
  const card = { userId: guide.id, nickName: guide.nickName, headImage: guide.headImageThumb };
  await say(asked, { type: MessageType.BUSINESS_CARD, content: JSON.stringify(card) });
  await say(asked, { content: script.card });
  const regretted = await say(asker, { content: script.withdrawn });
  const notice = await say(asker, { type: MessageType.RECALL, content: String(regretted.id) });
  const tip = { key: "recalled", params: { name: asker.nickName } } as const;
  const content = tipSentence(tip.key, options.language, tip.params);
  await tx.recallPrivate({ id: regretted.id, noticeId: notice.id, content, tip });
  await say(asked, { type: MessageType.SHAKE });
  await say(asker, { content: script.thanks });
  await say(asked, { content: "#点赞;#庆祝;" });
  return rows;
}
