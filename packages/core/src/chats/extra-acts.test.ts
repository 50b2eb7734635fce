import { expect, test } from "vitest";
import { Code } from "@parley/protocol/codes";
import { FRIEND, FRIEND_CHAT, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  advanceTime,
  createLoggedInClient,
  NO_CHANGES,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";
import { shownTallies } from "../model/chats/extras.ts";
import { shownPoll, shownSignUp } from "../model/chats/polls.ts";

const REACTION = "/message/reaction";
const THUMB = { key: "👍", count: 1, first: [ME] };

const messageOf = (single: SingleClient, id = 5) =>
  single.client.getState().chats.byKey[FRIEND_CHAT]?.window.messages.find((message) => message.id === id);
const shownOf = (single: SingleClient, id = 5) =>
  shownTallies(messageOf(single, id) ?? {}, "reactions", ME, single.client.getState().unsentActs[id]).map(
    ({ key, count, isMine, isUnsent }) =>
      `${key} ${count}${isMine ? " mine" : ""}${isUnsent ? " unsent" : ""}`,
  );
const bodies = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.includes(REACTION))
    .map(({ request }) => bodyOf(request));
const extraPush = (part: object) => ({
  cmd: 3,
  data: { type: 83, messageId: 5, sendId: FRIEND, recvId: ME, acts: [], content: "", ...part },
});

test("RE2 a reaction shows at once, and the answer confirms it", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.client.chats.react(FRIEND_CHAT, 5, "👍", true);
  expect(shownOf(single)).toEqual(["👍 1 mine unsent"]);
  expect(bodies(single)).toEqual([{ id: 5, key: "👍", on: true }]);
  await single.respond(REACTION, { v: 3, reactions: [THUMB], mine: { reactions: ["👍"] } });
  expect(shownOf(single)).toEqual(["👍 1 mine"]);
  expect(single.client.getState().unsentActs).toEqual({});
});

test("RE2 a refusal undoes it and is told, also if another reaction was being sent", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.client.chats.react(FRIEND_CHAT, 5, "👍", true);
  single.client.chats.react(FRIEND_CHAT, 5, "❤️", true);
  expect(shownOf(single)).toEqual(["👍 1 mine unsent", "❤️ 1 mine unsent"]);
  await single.respond(REACTION, { v: 3, reactions: [THUMB], mine: { reactions: ["👍"] } });
  expect(bodies(single)).toEqual([{ id: 5, key: "❤️", on: true }]);
  await single.respond(REACTION, null, Code.REFUSED);
  expect(single.notices.filter(({ kind }) => kind === "failure")).toMatchObject([
    { failure: { kind: "refused" } },
  ]);
  expect(shownOf(single)).toEqual(["👍 1 mine"]);
});

test("RE3 offline, only the last state of a reaction is sent, once", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.ports.environment.set({ hasNetwork: false });
  for (const on of [true, false, true, false, true]) single.client.chats.react(FRIEND_CHAT, 5, "👍", on);
  await flushMicrotasks();
  expect(bodies(single)).toEqual([]);
  expect(shownOf(single)).toEqual(["👍 1 mine unsent"]);
  single.ports.environment.set({ hasNetwork: true });
  await flushMicrotasks();
  expect(bodies(single)).toEqual([{ id: 5, key: "👍", on: true }]);
});

test("RE3 a reaction that was not confirmed is shown and sent after a reload", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.client.chats.react(FRIEND_CHAT, 5, "👍", true);
  const again = await reload(single);
  expect(shownOf(again)).toEqual(["👍 1 mine unsent"]);
  await again.goOnline();
  expect(bodies(again)).toEqual([{ id: 5, key: "👍", on: true }]);
});

test("RE12 pushes, rows and the feed bring what others did, also to messages that are only in the local database", async () => {
  const single = await createLoggedInClient();
  await single.push(
    pushedRow(5, { extra: { v: 2, reactions: [{ key: "👍", count: 1, first: [FRIEND] }], mine: {} } }),
  );
  expect(shownOf(single)).toEqual(["👍 1"]);
  await single.push(extraPush({ extra: { v: 4, reactions: [{ key: "👍", count: 2, first: [FRIEND, 7] }] } }));
  expect(shownOf(single)).toEqual(["👍 2"]);
  await single.push(extraPush({ extra: { v: 3, reactions: [{ key: "👍", count: 9, first: [FRIEND] }] } }));
  expect(shownOf(single)).toEqual(["👍 2"]);
  const again = await reload(single);
  await again.goOnline();
  const extra = { v: 6, reactions: [{ key: "❤️", count: 1, first: [FRIEND] }], mine: {} };
  await again.endPulls();
  await again.respond("/user/changes", {
    ...NO_CHANGES,
    extras: [{ type: "PRIVATE", targetId: FRIEND, id: 5, extra }],
    extrasNext: 6,
  });
  expect(messageOf(again)).toBeUndefined();
  await advanceTime(again, 200);
  again.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(shownOf(again)).toEqual(["❤️ 1"]);
});

test("RE12 a device goes on from the version of its first pulls, and asks again while answers are full", async () => {
  const single = await createLoggedInClient();
  const feed = (at: SingleClient) => at.waiting().filter((url) => url.includes("/user/changes"));
  const loading = (cmd: number, extras: number) => ({ cmd, data: { type: 30, content: "true", extras } });
  const first = await reload(single);
  await first.goOnline();
  expect(feed(first)).toEqual(["/user/changes?since=1"]);
  await first.push(loading(3, 12), loading(4, 10));
  await first.endPulls();
  await first.respond("/user/changes", NO_CHANGES);
  const second = await reload(first);
  await second.goOnline();
  expect(feed(second)).toEqual(["/user/changes?since=1"]);
  const extras = Array.from({ length: 500 }, (_, n) => ({
    type: "PRIVATE",
    targetId: FRIEND,
    id: n,
    extra: { v: n + 20, mine: {} },
  }));
  await second.endPulls();
  await second.respond("/user/changes", { ...NO_CHANGES, extras, extrasNext: 519 });
  expect(feed(second)).toEqual(["/user/changes?since=1&extrasSince=519"]);
});

test("PL11 an option added without a network shows at once and after a reload, is sent once, and a refusal takes it back", async () => {
  const poll = { question: "Lunch?", options: ["Noodles", "Rice"], max: 1, secret: false, hidden: false };
  const extra = { v: 2, poll: { ...poll, addable: true, voters: 0 }, mine: {} };
  const optionsOf = (single: SingleClient) => {
    const shown = shownPoll(messageOf(single) ?? {}, 0, single.client.getState().unsentActs[5]);
    return [shown?.options.map(({ text }) => text), shown?.unsentOptions];
  };
  const sent = (single: SingleClient) =>
    single.ports.http.waiting
      .filter(({ request }) => request.url.includes("/message/poll/option"))
      .map(({ request }) => bodyOf(request));
  const single = await createLoggedInClient();
  await single.push(pushedRow(5, { extra }));
  single.ports.environment.set({ hasNetwork: false });
  for (const text of ["Soup", "Salad", "Soup"]) single.client.chats.addPollOption(FRIEND_CHAT, 5, text);
  await flushMicrotasks();
  expect(sent(single)).toEqual([]);
  await advanceTime(single, 200);
  const again = await reload(single);
  again.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(optionsOf(again)).toEqual([poll.options, ["Soup", "Salad"]]);
  again.ports.environment.set({ hasNetwork: true });
  await again.goOnline();
  expect(sent(again)).toEqual([{ id: 5, text: "Soup" }]);
  const options = [...poll.options, "Soup"];
  await again.respond("/message/poll/option", { ...extra, v: 3, poll: { ...extra.poll, options } });
  expect(optionsOf(again)).toEqual([options, ["Salad"]]);
  expect(sent(again)).toEqual([{ id: 5, text: "Salad" }]);
  await again.respond("/message/poll/option", null, Code.REFUSED);
  expect(optionsOf(again)).toEqual([options, []]);
  expect(again.notices.filter(({ kind }) => kind === "failure")).toHaveLength(1);
});

test("PL14 without a network only the last line of a sign-up list is sent, and a refusal undoes it", async () => {
  const single = await createLoggedInClient();
  const poll = {
    kind: "signUp",
    question: "Cake?",
    options: [],
    addedBy: [],
    max: 1,
    secret: false,
    hidden: false,
  };
  const extra = { v: 2, poll: { ...poll, voters: 0 }, mine: {} };
  await single.push(pushedRow(5, { extra }));
  const mine = () =>
    shownSignUp(messageOf(single) ?? {}, ME, 0, single.client.getState().unsentActs[5])?.myLine;
  single.ports.environment.set({ hasNetwork: false });
  for (const text of ["1 portion", "", "2 portions"]) single.client.chats.setSignUpLine(FRIEND_CHAT, 5, text);
  await flushMicrotasks();
  expect(mine()).toBe("2 portions");
  single.ports.environment.set({ hasNetwork: true });
  await flushMicrotasks();
  const sent = single.ports.http.waiting.filter(({ request }) => request.url.includes("/message/poll/line"));
  expect(sent.map(({ request }) => bodyOf(request))).toEqual([{ id: 5, text: "2 portions" }]);
  await single.respond("/message/poll/line", null, Code.REFUSED);
  expect(mine()).toBe("");
  expect(single.notices.filter(({ kind }) => kind === "failure")).toHaveLength(1);
});
