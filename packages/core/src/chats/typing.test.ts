import { expect, test } from "vitest";
import { Code } from "@parley/protocol/codes";
import { TYPING_INTERVAL_MS, TYPING_SHOWN_MS } from "@parley/protocol/limits";
import { FRIEND, FRIEND_CHAT, GROUP, GROUP_CHAT, groupRow, ME, privateRow } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { advanceTime, createLoggedInClient, pushedRow, type SingleClient } from "../testing/single-client.ts";

const TYPING = "/message/typing";

const typists = (single: SingleClient) => single.client.getState().typists;
/** Who types, as the client shows it. */
const shown = (single: SingleClient, key = FRIEND_CHAT) =>
  (typists(single)[key] ?? []).map(({ userId, what }) => `${userId} ${what}`);
const push = (part: object = {}) => ({
  cmd: 3,
  data: { type: 84, sendId: FRIEND, recvId: ME, what: "text", on: true, content: "", ...part },
});
const groupPush = (sendId: number, part: object = {}) => ({
  cmd: 4,
  data: { type: 84, sendId, groupId: GROUP, sendNickName: `No. ${sendId}`, what: "text", on: true, ...part },
});
/** What was said since the last call, which the server answers now. */
async function said(single: SingleClient): Promise<string[]> {
  const bodies: string[] = [];
  while (single.waiting().includes(TYPING)) {
    const { request } = single.ports.http.waiting.find(({ request: { url } }) => url.includes(TYPING)) ?? {};
    const body =
      request && (bodyOf(request) as { type: string; targetId: number; what: string; on: boolean });
    bodies.push(`${body?.type} ${body?.targetId} ${body?.what} ${body?.on ? "on" : "off"}`);
    await single.respond(TYPING, null);
  }
  return bodies;
}

test("TY5 somebody who types is shown for six seconds after the last signal", async () => {
  const single = await createLoggedInClient();
  await single.push(push());
  expect(shown(single)).toEqual(["2 text"]);
  await advanceTime(single, TYPING_SHOWN_MS - 1);
  await single.push(push());
  await advanceTime(single, TYPING_SHOWN_MS - 1);
  expect(shown(single)).toEqual(["2 text"]);
  await advanceTime(single, 1);
  expect(typists(single)).toEqual({});
});

test("TY5 it ends at once when they stop, and when a message of theirs arrives", async () => {
  const single = await createLoggedInClient();
  await single.push(push({ what: "voice" }));
  expect(shown(single)).toEqual(["2 voice"]);
  await single.push(push({ on: false }));
  expect(shown(single)).toEqual([]);
  await single.push(push());
  /** Whether both were seen at the same time. */
  let wasBoth = false;
  single.client.subscribe(() => {
    const { chats } = single.client.getState();
    const hasMessage = (chats.byKey[FRIEND_CHAT]?.window.messages.length ?? 0) > 0;
    wasBoth ||= hasMessage && shown(single).length > 0;
  });
  await single.push(pushedRow(5));
  expect([shown(single), wasBoth]).toEqual([[], false]);
});

test("TY5 messages of others end nothing, nor does what I do on another device", async () => {
  const single = await createLoggedInClient();
  await single.push(groupPush(11), groupPush(12), groupPush(ME));
  await single.push({ cmd: 4, data: groupRow({ id: 9, sendId: 12 }) });
  await single.push({ cmd: 3, data: privateRow({ id: 8, sendId: 11 }) });
  expect(shown(single, GROUP_CHAT)).toEqual(["11 text"]);
});

test("TY5 nobody types any more when the connection is lost", async () => {
  const single = await createLoggedInClient();
  await single.push(push(), groupPush(11));
  single.ports.sockets.last().close(1006);
  await advanceTime(single, 0);
  expect(typists(single)).toEqual({});
});

test("TY1 whoever types says so at once, and then every four seconds", async () => {
  const single = await createLoggedInClient();
  const { typed } = single.client.chats;
  for (let n = 0; n < 5; n++) typed(FRIEND_CHAT);
  expect(await said(single)).toEqual(["PRIVATE 2 text on"]);
  await advanceTime(single, TYPING_INTERVAL_MS - 1);
  typed(FRIEND_CHAT);
  expect(await said(single)).toEqual([]);
  typed(GROUP_CHAT);
  expect(await said(single)).toEqual(["GROUP 5 text on"]);
  await advanceTime(single, 1);
  typed(FRIEND_CHAT);
  typed(FRIEND_CHAT);
  expect(await said(single)).toEqual(["PRIVATE 2 text on"]);
});

test("TY2 whoever removes the text says so once, if others may still see it, and begins no sooner", async () => {
  const single = await createLoggedInClient();
  const { typed, stoppedTyping } = single.client.chats;
  stoppedTyping(FRIEND_CHAT);
  expect(await said(single)).toEqual([]);
  typed(FRIEND_CHAT);
  stoppedTyping(FRIEND_CHAT);
  stoppedTyping(FRIEND_CHAT);
  typed(FRIEND_CHAT);
  expect(await said(single)).toEqual(["PRIVATE 2 text on", "PRIVATE 2 text off"]);
  await advanceTime(single, TYPING_INTERVAL_MS);
  typed(FRIEND_CHAT);
  await advanceTime(single, TYPING_SHOWN_MS);
  stoppedTyping(FRIEND_CHAT);
  expect(await said(single)).toEqual(["PRIVATE 2 text on"]);
});

test("TY6 a recording is said every four seconds, without a key, until it ends", async () => {
  const single = await createLoggedInClient();
  const end = single.client.chats.startedRecording(FRIEND_CHAT);
  expect(await said(single)).toEqual(["PRIVATE 2 voice on"]);
  await advanceTime(single, TYPING_INTERVAL_MS);
  await advanceTime(single, TYPING_INTERVAL_MS);
  expect(await said(single)).toEqual(["PRIVATE 2 voice on", "PRIVATE 2 voice on"]);
  end();
  expect(await said(single)).toEqual(["PRIVATE 2 voice off"]);
  await advanceTime(single, TYPING_INTERVAL_MS);
  expect(await said(single)).toEqual([]);
});

test("TY7 without a connection nothing is said, and nothing waits for one", async () => {
  const single = await createLoggedInClient();
  const { typed, stoppedTyping, startedRecording } = single.client.chats;
  single.ports.sockets.last().close(1006);
  await advanceTime(single, 0);
  typed(FRIEND_CHAT);
  stoppedTyping(FRIEND_CHAT);
  startedRecording(FRIEND_CHAT)();
  expect(await said(single)).toEqual([]);
  await advanceTime(single, 15_000);
  await single.goOnline("epoch 1");
  expect(await said(single)).toEqual([]);
});

test("TY7 nobody hears of a refusal", async () => {
  const single = await createLoggedInClient();
  single.client.chats.typed(FRIEND_CHAT);
  await single.respond(TYPING, null, Code.REFUSED);
  await advanceTime(single, TYPING_INTERVAL_MS);
  single.client.chats.typed(FRIEND_CHAT);
  await single.respond(TYPING, null, Code.TOO_MANY);
  expect(single.notices).toEqual([]);
});
