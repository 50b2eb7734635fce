import { MessageType } from "@parley/protocol/codes";
import type { UserRow } from "../../ports/account-store.ts";
import type { Store } from "../../ports/store.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { createConversation } from "./conversation.ts";
import type { FillOptions } from "./fill-store.ts";
import type { SeededRandom } from "./seeded-random.ts";

const DAY = 86_400_000;
/** The time over which the messages are spread. */
const SPAN_MS = 5 * 365 * DAY;
/**
 * A chat of any length has days with about so many messages, and days between them without any. So a screen of a short chat looks like
 * one of a long chat, which has no days without.
 */
const MESSAGES_A_DAY = 550;
/** How long the two talk on such a day. */
const TALK_MS = DAY * (15 / 24);
/** Every so many messages, one says its number, which makes it possible to look for it. */
const NUMBERED_EVERY = 500;
/** Number of messages appended at the same time. */
const BATCH = 1_000;

const PEOPLE = [
  { userName: "longchat", nickName: "Long Chat" },
  { userName: "longfriend", nickName: "老朋友" },
] as const;

/** The chat that was written. */
export interface LongChat {
  /** The two people, who have the same password. */
  readonly userNames: readonly [string, string];
  /** The times of its first and last message. */
  readonly from: number;
  readonly to: number;
}

/** What a long chat is made of. */
export interface LongChatPlan extends Pick<FillOptions, "language"> {
  readonly messages: number;
  readonly now: number;
  readonly passwordHash: string;
}

/**
 * Adds two friends and a chat between them, which both have read. The store may have other data. Times never decrease with the ids of
 * messages, so the chat begins after the newest private message of the store, or five years ago.
 */
export async function writeLongChat(
  store: Store,
  random: SeededRandom,
  { messages, now, passwordHash, language }: LongChatPlan,
): Promise<LongChat> {
  const wantedStart = now - SPAN_MS;
  const [a, b] = await addFriends(store, passwordHash, wantedStart);
  const tip = await store.appendPrivate({
    tmpId: null,
    type: MessageType.TIP_TEXT,
    sendId: b.id,
    recvId: a.id,
    sendNickName: b.nickName,
    content: tipSentence("friend.nowFriends", language),
    tip: { key: "friend.nowFriends", params: {} },
    sendTime: wantedStart,
  });
  const from = tip.row.sendTime;
  const timeOf = talkTimes(messages, from, Math.max(from, now));
  const lines = endlessLines(random);
  let newestId = tip.row.id;
  for (let start = 1; start <= messages; start += BATCH) {
    const appended = await Promise.all(
      Array.from({ length: Math.min(BATCH, messages - start + 1) }, (_, offset) => {
        const number = start + offset;
        const { isStarter, text } = lines();
        const [sender, receiver] = isStarter ? [a, b] : [b, a];
        return store.appendPrivate({
          tmpId: null,
          type: MessageType.TEXT,
          sendId: sender.id,
          recvId: receiver.id,
          sendNickName: sender.nickName,
          content: number % NUMBERED_EVERY === 0 ? numberedText(number) : text,
          sendTime: timeOf(number),
        });
      }),
    );
    newestId = appended.at(-1)?.row.id ?? newestId;
  }
  await store.write(async (tx) => {
    await tx.raisePrivateRead(a.id, b.id, newestId);
    await tx.raisePrivateRead(b.id, a.id, newestId);
  });
  return { userNames: [a.userName, b.userName], from, to: timeOf(messages) };
}

async function addFriends(
  store: Store,
  passwordHash: string,
  registeredAt: number,
): Promise<[UserRow, UserRow]> {
  return await store.write(async (tx) => {
    const add = async ({ userName, nickName }: (typeof PEOPLE)[number]): Promise<UserRow> => {
      for (let n = 1; ; n++) {
        const user = await tx.insertUser({
          userName: n === 1 ? userName : `${userName}${n}`,
          nickName,
          passwordHash,
          headImage: null,
          headImageThumb: null,
          registeredAt,
          registerDevice: null,
        });
        if (user !== undefined) return user;
      }
    };
    const [a, b] = [await add(PEOPLE[0]), await add(PEOPLE[1])];
    await tx.upsertFriend(a.id, b.id);
    await tx.upsertFriend(b.id, a.id);
    return [a, b];
  });
}

/** Returns the time of each message by its number, from 1: talks on days that are spread evenly from `from` to `to`. */
function talkTimes(messages: number, from: number, to: number): (number: number) => number {
  const talks = Math.max(1, Math.min(Math.ceil(SPAN_MS / DAY), Math.ceil(messages / MESSAGES_A_DAY)));
  const distance = (to - from) / talks;
  const length = Math.min(TALK_MS, distance);
  return (number) => {
    const talk = Math.floor(((number - 1) * talks) / messages);
    const end = to - (talks - 1 - talk) * distance;
    const remaining = talk + 1 - (number * talks) / messages;
    return Math.floor(end - length * remaining);
  };
}

/** Returns the next line with each call: conversations in Chinese and English in turn. */
function endlessLines(random: SeededRandom): () => ReturnType<typeof createConversation>[number] {
  let lines: ReturnType<typeof createConversation> = [];
  let isChinese = false;
  return () => {
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) return line;
      isChinese = !isChinese;
      lines = createConversation(random, isChinese ? "zh" : "en");
    }
  };
}

function numberedText(number: number): string {
  return `This is message ${number}. 这是第 ${number} 条消息。`;
}
