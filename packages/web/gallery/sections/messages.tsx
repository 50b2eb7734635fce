import { GroupRole, MessageStatus, MessageType } from "@parley/protocol/codes";
import { emoticonToken } from "@parley/protocol/emoticons";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { kindOf, type PrivateMessage } from "@parley/protocol/message";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { type Poll, pollText } from "@parley/protocol/poll";
import type { ChatMessage } from "@parley/core/model/state";
import { FRIEND, GROUP_CHAT, ME, localEcho } from "@parley/core/testing/builders";
import { BrokenRow } from "../../src/features/chat/timeline/tips.tsx";
import { ADMIN, LONG_NAME, LONG_TEXT } from "../sample-state.ts";
import { Conversation } from "../conversation.tsx";
import { inGroup, mine, NOW, theirs } from "../sample-rows.ts";
import { Sample } from "../sample.tsx";

const echo = (tmpId: string, part: Partial<ChatMessage>) => localEcho(tmpId, { sendTime: NOW, ...part });

const quote = {
  id: 1,
  sendId: FRIEND,
  content: LONG_TEXT,
  type: MessageType.TEXT,
  status: MessageStatus.SENDED,
};
const json = (type: number, content: object) => ({ type, content: JSON.stringify(content) });

/** The kinds with JSON contents, as the protocol shows them. */
const EXAMPLES = Object.entries(CONTENT_EXAMPLES).flatMap(([type, contents]) =>
  contents.map(
    (content, index) => [`${kindOf(Number(type))?.name} ${index + 1}`, json(Number(type), content)] as const,
  ),
);

const LUNCH = {
  question: "周五聚餐去哪里？",
  options: ["兰州拉面", "粤菜馆", LONG_TEXT],
  max: 1,
  secret: false,
  hidden: false,
  voters: 4,
};
const VOTES = [
  { key: "1", count: 3, first: [FRIEND, ME] },
  { key: "0", count: 1, first: [ADMIN] },
];

/** A poll with something different, in which the reader has voted. */
const poll = (part: Partial<Poll>, votes: MessageExtra["votes"] = VOTES): Partial<PrivateMessage> => ({
  content: pollText(LUNCH),
  extra: { v: 1, poll: { ...LUNCH, ...part }, ...(votes && { votes }), mine: { votes: ["1"] } },
});

/** A sign-up list with something different. */
const signUp = (part: Partial<Poll>): Partial<PrivateMessage> => {
  const list = {
    ...LUNCH,
    kind: "signUp",
    options: ["两份", LONG_TEXT, "一份，不要香菜"],
    addedBy: [FRIEND, ADMIN, ME],
    ...part,
  };
  return { content: pollText(list), extra: { v: 1, poll: list, mine: {} } };
};

/** Texts, and what has no JSON content or a bad one. */
const TEXTS: Readonly<Record<string, Partial<PrivateMessage>>> = {
  text: { content: "好的，明天见" },
  "long text": { content: `${LONG_TEXT}\n\n${LONG_TEXT}` },
  "one long word": { content: "a".repeat(200) },
  "text from right to left": { content: "مرحبا، كيف حالك؟" },
  links: { content: "看看 https://example.com/a/very/long/path?with=query 和 example.org" },
  emoticons: { content: `好的${emoticonToken(0)}${emoticonToken(1)} 😀` },
  "only emoticons": { content: `${emoticonToken(2)}${emoticonToken(3)}` },
  "only emoji": { content: "🎉🎉" },
  "code in a line": { content: "Run `npm run gallery` now" },
  "code block": {
    content:
      "Look:\n```\nconst answer = 42;\nreturn a.very.long.line.of.code.that.does.not.fit(answer, answer);\n```",
  },
  quote: { content: "同意", quoteMessage: quote },
  "recalled quote": { content: "同意", quoteMessage: { ...quote, status: MessageStatus.RECALL } },
  "hidden quote": { content: "同意", quoteMessage: { ...quote, type: MessageType.TIP_TEXT, content: "" } },
  edited: { content: "改过的消息", isEdited: true, editedAt: NOW },
  poll: poll({ closesAt: NOW + 86_400_000 }),
  "hidden poll": poll({ secret: true, hidden: true, max: 2 }, undefined),
  "poll to which options can be added": poll({ addable: true, max: 3 }),
  "sign-up list": signUp({ closesAt: NOW + 86_400_000 }),
  "sign-up list without lines": signUp({ options: [], addedBy: [] }),
  "ended sign-up list": signUp({ closedAt: NOW }),
  "ended poll": poll({ closedAt: NOW }),
  nudge: { type: MessageType.SHAKE, content: "" },
  "unreadable card": { type: MessageType.BUSINESS_CARD, content: "{" },
  "unknown kind": { type: 999, content: "" },
};

const recalled = {
  type: MessageType.TIP_TEXT,
  content: "",
  tip: { key: "recalled", params: { name: "林晓" } },
};
const failure = { kind: "network", reason: "offline" } as const;
const run = ["第一条", "第二条", "第三条"];

/** Messages and tips in every state. */
export function Samples() {
  return (
    <>
      {/* Both people send each. */}
      {[...Object.entries(TEXTS), ...EXAMPLES].map(([name, part]) => (
        <Sample key={name} name={name} isWide>
          <Conversation messages={[theirs(1, part), mine(2, part)]} />
        </Sample>
      ))}
      <Sample name="runs of three, with the time and the unread line; the last one is not read" isWide>
        <Conversation
          unreadAfter={3}
          messages={[
            ...run.map((content, index) => ({ ...theirs(index + 1, { content }), hasTimeTip: index === 0 })),
            ...run.map((content, index) => theirs(index + 4, { content })),
            ...run.map((content, index) => mine(index + 101, { content })),
          ]}
        />
      </Sample>
      <Sample name="sending, waiting, not sent" isWide>
        <Conversation
          messages={[
            echo("a", { sending: "sending", content: "正在发送" }),
            echo("b", { sending: "waiting", content: "等待中" }),
            echo("c", { sending: "failed", failure, content: "没有发出去" }),
          ]}
        />
      </Sample>
      <Sample name="waiting for the network" isWide>
        <Conversation isOffline messages={[echo("d", { content: "一" }), echo("e", { content: "二" })]} />
      </Sample>
      <Sample name="recalled: by the friend, by me; an unknown tip; a broken row" isWide>
        <Conversation
          messages={[
            theirs(1, recalled),
            mine(2, { ...recalled, tip: { key: "recalled", params: { name: "小林" } } }),
            theirs(3, { ...recalled, content: "A sentence of a newer server", tip: null }),
          ]}
        />
        <BrokenRow />
      </Sample>
      <Sample name="selecting" isWide>
        <Conversation
          isSelecting
          messages={[theirs(1), mine(2), echo("f", { content: "cannot be selected" })]}
        />
      </Sample>
      <Sample name="group: roles, mentions, nudge, receipts, a member who joined" isWide>
        <Conversation
          chatKey={GROUP_CHAT}
          messages={[
            inGroup(1, {
              type: MessageType.TIP_TEXT,
              tip: { key: "group.joined", params: { name: "Ada" } },
              sendId: ADMIN,
            }),
            inGroup(2, {
              sendId: ADMIN,
              sendRole: GroupRole.ADMIN,
              content: "@小林 看这里",
              atUserIds: [ME],
            }),
            inGroup(3, {
              sendId: ADMIN,
              sendRole: GroupRole.ADMIN,
              content: "@全体成员 大家好",
              atUserIds: [-1],
            }),
            inGroup(4, { sendId: LONG_NAME, content: LONG_TEXT }),
            inGroup(5, { type: MessageType.SHAKE, content: "" }),
            inGroup(6, {
              sendId: ME,
              content: "收到 @林晓",
              atUserIds: [FRIEND],
              receipt: true,
              readedCount: 2,
            }),
            inGroup(7, { sendId: ME, content: "谢谢", receipt: true, readedCount: 4, receiptOk: true }),
          ]}
        />
      </Sample>
    </>
  );
}
