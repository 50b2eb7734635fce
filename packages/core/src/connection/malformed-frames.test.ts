import { Cmd, MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { friendVO, groupRow, groupVO, NOON, privateRow, requestVO, systemRow } from "../testing/builders.ts";
import { createLoggedInClient, type SingleClient } from "../testing/single-client.ts";
import { edgeCaseName, edgeCaseValue } from "../testing/edge-case-values.ts";
import { type Prng, createPrng } from "../testing/prng.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

/** `SEED=n npx vitest run packages/core/src/connection/malformed-frames.test.ts` repeats a run, `FRAMES=n` is a longer one. */
const seed = Number(process.env["SEED"] ?? 1);
const FRAMES = Number(process.env["FRAMES"] ?? 3_000);
/** After this many frames a check proves that the client still shows messages. */
const CHECK_EVERY = 10;

const quote = { id: 3, sendId: 2, content: "quoted", type: 0, status: 0 };
const tip = { key: "recalled", params: { name: "Friend" } };
const signal = (type: number, more: object) => ({ type, sendId: 2, recvId: 1, groupId: 5, ...more });

/** One valid frame of each meaning. */
function validFrames(id: number): object[] {
  const privateMessages = [
    privateRow({ id }),
    privateRow({ id, quoteMessage: quote, isEdited: true, editedAt: NOON }),
    privateRow({ id, type: MessageType.EDIT, quoteMessage: quote }),
    privateRow({ id, type: MessageType.RECALL, content: String(id - 1) }),
    privateRow({ id, type: MessageType.TIP_TEXT, status: 2, tip }),
    ...[1, 2, 3, 4, 5, 6, 40, 88, 92, 93].map((type) =>
      privateRow({ id, type, content: '{"name":"x","userId":2}' }),
    ),
    signal(MessageType.LOADING, { content: "true", fromId: 1 }),
    signal(MessageType.READED, { maxId: id }),
    signal(MessageType.RECEIPT, { maxId: id, content: `{"id":${id}}` }),
    signal(MessageType.CHANGES, { content: "people" }),
    signal(MessageType.FRIEND_NEW, { content: JSON.stringify(friendVO()) }),
    signal(MessageType.FRIEND_DELETED, {}),
    signal(MessageType.FRIEND_REQ_APPLY, { content: JSON.stringify(requestVO()) }),
    signal(MessageType.USER_BANNED, { content: "why" }),
  ];
  const groupMessages = [
    groupRow({ id }),
    groupRow({ id, atUserIds: [1, -1], receipt: true }),
    signal(MessageType.RECEIPT, { content: `{"id":${id},"readedCount":2,"receiptOk":true}` }),
    signal(MessageType.GROUP_NEW, { content: JSON.stringify(groupVO()) }),
    signal(MessageType.GROUP_LEFT, {}),
    signal(MessageType.GROUP_KICK_USER_MSG, { content: `{"userId":2,"upTo":${id}}` }),
  ];
  const systemMessages = [
    systemRow({ seqNo: id }),
    systemRow({ seqNo: id, type: MessageType.SYSTEM_MESSAGE, title: "Title", content: "Text" }),
    signal(MessageType.READED, { maxId: id }),
  ];
  return [
    { cmd: Cmd.LOGIN, data: { epoch: "epoch 1" } },
    { cmd: Cmd.HEARTBEAT, data: null },
    { cmd: Cmd.FORCED_LOGOUT, data: "why", reason: "kicked" },
    ...privateMessages.map((data) => ({ cmd: Cmd.PRIVATE, data })),
    ...groupMessages.map((data) => ({ cmd: Cmd.GROUP, data })),
    ...systemMessages.map((data) => ({ cmd: Cmd.SYSTEM, data })),
  ];
}

/** Marks where the text of an edge case value goes: not all of them can be written as JavaScript values. */
const PLACEHOLDER = "<here>";

/** Replaces or deletes one field, at any depth. */
function corrupt(random: Prng, part: Record<string, unknown>): void {
  const name = random.pick(Object.keys(part));
  const value = part[name];
  if (isObject(value) && Object.keys(value).length > 0 && random.isTrueWithProbability(0.85))
    return corrupt(random, value);
  if (random.isTrueWithProbability(0.15)) delete part[name];
  else part[name] = PLACEHOLDER;
}

function malformedFrame(random: Prng, id: number): string {
  const frame = structuredClone(random.pick(validFrames(id))) as Record<string, unknown>;
  for (let i = 0; i <= random.below(3); i++) if (Object.keys(frame).length > 0) corrupt(random, frame);
  const text = JSON.stringify(frame).replaceAll(JSON.stringify(PLACEHOLDER), () => edgeCaseValue(random, 2));
  if (random.isTrueWithProbability(0.05)) return text.slice(0, random.below(text.length));
  return random.isTrueWithProbability(0.05) ? text.replace(/.(?=[:,{}])/, edgeCaseName(random)) : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A pull that starts above everything is well-formed, and it removes all rows below it from the client. */
function isFarAhead(text: string): boolean {
  return /"fromId":[1-9]\d+/.test(text);
}

/** Messages and chats with fields of the wrong type, which would break what displays or counts them. */
function wrongTypes({ client }: SingleClient): string[] {
  const wrong: string[] = [];
  for (const chat of Object.values(client.getState().chats.byKey)) {
    const shown = { name: chat.key, unread: chat.unread, time: chat.lastSendTime };
    if (!Number.isSafeInteger(shown.unread) || !Number.isFinite(shown.time))
      wrong.push(JSON.stringify(shown));
    for (const message of chat.window.messages) {
      const {
        id,
        type,
        sendId,
        sendTime,
        content,
        sendNickName,
        tmpId,
        quoteMessage,
        tip: shownTip,
        act,
        group,
      } = message;
      const isRight =
        (id === null || Number.isSafeInteger(id)) &&
        [type, sendId, sendTime].every(Number.isFinite) &&
        [content, sendNickName].every((text) => typeof text === "string") &&
        (tmpId === null || typeof tmpId === "string") &&
        (quoteMessage === null ||
          (Number.isSafeInteger(quoteMessage.id) && typeof quoteMessage.content === "string")) &&
        (shownTip === null ||
          (typeof shownTip.key === "string" &&
            typeof shownTip.params === "object" &&
            shownTip.params !== null)) &&
        (act === null || (typeof act.result === "string" && Number.isFinite(act.seconds))) &&
        (group === null || (Array.isArray(group.atUserIds) && group.atUserIds.every(Number.isFinite)));
      if (!isRight) wrong.push(JSON.stringify(message));
    }
  }
  return wrong;
}

test(`I38 malformed frames break nothing, and messages that follow them are shown (SEED=${seed})`, async () => {
  const random = createPrng(seed);
  let single = await createLoggedInClient();
  let id = 1_000;
  let ended = 0;
  for (let i = 1; i <= FRAMES; i++) {
    const text = malformedFrame(random, ++id);
    const socket = single.ports.sockets.last();
    try {
      socket.down.push(text);
      socket.deliverAll();
      await flushMicrotasks();
      await single.push();
      expect(wrongTypes(single)).toEqual([]);
    } catch (error) {
      throw new Error(`frame ${i}: ${text}`, { cause: error });
    }
    const isEnded = single.client.getState().session.kind !== "active";
    if (isEnded || isFarAhead(text)) {
      if (isEnded) ended++;
      single = await createLoggedInClient();
    } else if (i % CHECK_EVERY === 0) {
      await single.endPulls();
      await single.push({ cmd: Cmd.PRIVATE, data: privateRow({ id: ++id, content: `after ${i}` }) });
      const { byKey } = single.client.getState().chats;
      const shown = byKey["PRIVATE:2"]?.window.messages.map(({ content }) => content) ?? [];
      expect(shown, `after frame ${i}`).toContain(`after ${i}`);
    }
  }
  expect(ended).toBeGreaterThan(0);
  expect(ended).toBeLessThan(FRAMES / 10);
}, 120_000);
