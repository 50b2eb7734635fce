import { describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow, State } from "@parley/core/model/state";
import { INITIAL_STATE } from "@parley/core/state-store";
import { FRIEND_CHAT } from "@parley/core/testing/builders";
import { actionConditions, allowedActions, lastEditable, type MESSAGE_ACTIONS } from "./message-actions.ts";

type Conditions = ReturnType<typeof actionConditions>;

/** The messages of these tests that are sent. */
const SENT = [
  "own",
  "expired",
  "theirs",
  "readOnly",
  "nudge",
  "unknown",
  "ofMember",
  "forAdmin",
  "ofMuted",
  "image",
  "file",
] as const;
type Situation = (typeof SENT)[number] | "failed" | "sending" | "uploading" | "failedFile" | "lostFile";

const sentExcept = (...left: Situation[]) => SENT.filter((one) => !left.includes(one));

/** Which message of these tests offers which action, in the order of the menu. */
const OFFERED: Readonly<Record<keyof typeof MESSAGE_ACTIONS, readonly Situation[]>> = {
  resend: ["failed", "failedFile"],
  quote: sentExcept("readOnly", "unknown"),
  forward: sentExcept("nudge", "unknown"),
  copy: [...sentExcept("nudge", "unknown", "file"), "failed", "sending"],
  save: ["image", "file"],
  edit: ["own", "expired"],
  choose: SENT,
  readers: ["forAdmin", "ofMuted"],
  reactions: [],
  thumbsUp: sentExcept("readOnly", "unknown"),
  joinReaction: [],
  pin: sentExcept("readOnly", "unknown"),
  saved: sentExcept("unknown"),
  voters: [],
  addPollOption: [],
  signUp: [],
  closePoll: [],
  mention: ["ofMember", "forAdmin", "ofMuted"],
  report: ["theirs", "unknown", "ofMember", "forAdmin", "ofMuted"],
  recall: ["own", "readOnly", "nudge", "forAdmin", "ofMuted", "image", "file"],
  delete: SENT,
  mute: ["forAdmin"],
  unmute: ["ofMuted"],
  remove: ["forAdmin", "ofMuted"],
  discard: ["failed", "uploading", "failedFile", "lostFile"],
};

function expectOffered(situation: Situation, one: ChatMessage, conditions: Conditions): void {
  const expected = Object.entries(OFFERED).filter(([, situations]) => situations.includes(situation));
  expect(idsOf(one, conditions)).toEqual(expected.map(([id]) => id));
}

function idsOf(one: ChatMessage, conditions: Conditions): string[] {
  return allowedActions(one, conditions).map(({ id }) => id);
}

const SENT_AT = 1_000_000;

function message(part: Partial<ChatMessage> = {}): ChatMessage {
  return {
    key: "7",
    id: 7,
    tmpId: null,
    type: MessageType.TEXT,
    sendId: 1,
    sendNickName: "",
    content: "hi",
    upload: null,
    sendTime: SENT_AT,
    status: MessageStatus.SENDED,
    selfSend: true,
    sending: null,
    failure: null,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    hasTimeTip: false,
    system: null,
    group: null,
    ...part,
  };
}

const at = (ms: number, state: Partial<State> = {}, canWrite = true) =>
  actionConditions({ ...INITIAL_STATE, ...state }, FRIEND_CHAT, canWrite, SENT_AT + ms);

const after = (seconds: number) => at(seconds * 1_000);

describe("message actions", () => {
  test("an own text just sent offers every action", () => {
    expectOffered("own", message(), after(1));
  });

  test("M140 counts from the receipt of a message whose time waits for a clock that was ahead", () => {
    const frozen = message({ sendTime: SENT_AT + 3_600_000, receivedAt: SENT_AT });
    expect(idsOf(frozen, at(300_000))).toContain("recall");
    expect(idsOf(frozen, at(300_001))).not.toContain("recall");
  });

  test("recall and edit end with the time windows of the server", () => {
    expect(idsOf(message(), after(300))).toContain("recall");
    expect(idsOf(message(), after(301))).not.toContain("recall");
    expect(idsOf(message(), after(3_600))).toContain("edit");
    expect(idsOf(message(), after(3_601))).not.toContain("edit");
    const config = { message: { recallSeconds: 7, editSeconds: 8 } } as NonNullable<State["config"]>;
    expectOffered("expired", message(), at(7_500, { config }));
  });

  test.each([20 * 60_000, -20 * 60_000])(
    "C104 a device whose clock is %i ms ahead offers recall for as long as others do",
    (clockAheadMs) => {
      const actionsAfter = (ms: number) => idsOf(message(), at(clockAheadMs + ms, { clockAheadMs }));
      expect(actionsAfter(300_000)).toContain("recall");
      expect(actionsAfter(301_000)).not.toContain("recall");
    },
  );

  test("messages of others can be reported, and neither recalled nor edited", () => {
    expectOffered("theirs", message({ selfSend: false }), after(1));
  });

  test("where nothing can be sent there is no quote and no edit", () => {
    expectOffered("readOnly", message(), at(1_000, {}, false));
  });

  test("a failed message offers resend and discard, a message being sent only copy", () => {
    const unsent = { id: null, tmpId: "t" };
    expectOffered("failed", message({ ...unsent, sending: "failed" }), after(1));
    expectOffered("sending", message({ ...unsent, sending: "sending" }), after(1));
  });

  test("a nudge offers neither copy nor forward, and an unknown kind of others only select, report and delete", () => {
    expectOffered("nudge", message({ type: MessageType.SHAKE, content: "" }), after(1));
    expectOffered("unknown", message({ type: 999, selfSend: false }), after(1));
  });
});

describe("the text that ↑ edits", () => {
  const windowOf = (messages: ChatMessage[], hasNewer = false): ChatWindow => ({
    messages,
    hasOlder: false,
    hasNewer,
    older: "idle",
    newer: "idle",
  });
  const beingSent = message({ key: "t", id: null, tmpId: "t", sending: "sending" });

  test("is the last one that may be edited", () => {
    const last = message({ key: "8", id: 8 });
    const theirs = message({ key: "9", id: 9, selfSend: false });
    expect(lastEditable(windowOf([message(), last, theirs]), after(1))).toBe(last);
    expect(lastEditable(windowOf([message()]), after(4_000))).toBe(null);
  });

  test("is none while a later message is being sent, and ignores failed ones", () => {
    const sent = message();
    expect(lastEditable(windowOf([sent, beingSent]), after(1))).toBe(null);
    expect(lastEditable(windowOf([sent, { ...beingSent, sending: "failed" }]), after(1))).toBe(sent);
  });

  test("is none while the newest messages are not loaded", () => {
    expect(lastEditable(windowOf([message()], true), after(1))).toBe(null);
  });
});

describe("message actions in a group", () => {
  const part = { sendRole: 1, atUserIds: [], receipt: true, receiptOk: false, readedCount: 0 };
  const withRights = (
    rights: readonly string[],
    members: readonly ("mention" | "mute" | "unmute" | "remove")[] = [],
    seconds = 1,
  ) => ({
    ...after(seconds),
    group: { can: (action: string) => rights.includes(action), memberActions: () => members },
  });

  test("a member can mention the sender but not recall messages of others", () => {
    const theirs = message({ selfSend: false, group: part });
    expectOffered("ofMember", theirs, withRights(["speak", "recallOwn", "react", "pin"], ["mention"]));
  });

  test("owners and admins can recall at any time, see readers and moderate", () => {
    const rights = ["recallOthers", "handleRequests", "react", "pin"];
    const theirs = message({ selfSend: false, group: part });
    expectOffered("forAdmin", theirs, withRights(rights, ["mention", "mute", "remove"], 9_999));
    expectOffered("ofMuted", theirs, withRights(rights, ["mention", "unmute", "remove"], 9_999));
  });

  test("own messages keep the time window unless group rights allow more", () => {
    const own = message({ group: part });
    expect(idsOf(own, withRights(["recallOwn"]))).toContain("recall");
    expect(idsOf(own, withRights(["recallOwn"], [], 301))).not.toContain("recall");
    expect(idsOf(own, withRights(["recallOthers"], [], 301))).toContain("recall");
    // A muted member cannot recall, which is also the server's rule.
    expect(idsOf(own, withRights([]))).not.toContain("recall");
  });

  test("readers are offered only for messages with a receipt request", () => {
    const withoutReceipt = message({ group: { ...part, receipt: false } });
    expect(idsOf(message({ group: part }), withRights([]))).toContain("readers");
    expect(idsOf(withoutReceipt, withRights(["handleRequests"]))).not.toContain("readers");
  });
});

describe("RE8 one can react", () => {
  const reacted = message({
    extra: { v: 1, reactions: [{ key: "😂", count: 1, first: [2] }], mine: {}, ownV: 0 },
  });

  test("where one can write, to what is sent and was written by a person", () => {
    const offered = (one: ChatMessage, canWrite = true) => idsOf(one, at(1_000, {}, canWrite));
    expect(offered(reacted)).toEqual(expect.arrayContaining(["reactions", "thumbsUp", "joinReaction"]));
    expect(offered(message({ id: null, tmpId: "t", sending: "sending" }))).not.toContain("thumbsUp");
    expect(offered(message({ type: MessageType.ACT_RT_VOICE }))).not.toContain("thumbsUp");
    // The others are still listed.
    expect(offered(reacted, false)).toContain("reactions");
    for (const id of ["thumbsUp", "joinReaction"]) expect(offered(reacted, false)).not.toContain(id);
  });

  test("in a group whoever has the right, also where only its leaders write", () => {
    const inGroup = (...rights: string[]) =>
      idsOf(reacted, {
        ...at(1_000, {}, false),
        group: { can: (action: string) => rights.includes(action), memberActions: () => [] },
      });
    expect(inGroup("react")).toContain("thumbsUp");
    expect(inGroup("speak")).not.toContain("thumbsUp");
  });
});

describe("PN1 one can pin and unpin", () => {
  test("where one can write, to what is sent and was written by a person", () => {
    const offered = (one: ChatMessage, canWrite = true) => idsOf(one, at(1_000, {}, canWrite));
    expect(offered(message())).toContain("pin");
    expect(offered(message(), false)).not.toContain("pin");
    expect(offered(message({ id: null, tmpId: "t", sending: "sending" }))).not.toContain("pin");
    expect(offered(message({ type: MessageType.ACT_RT_VOICE }))).not.toContain("pin");
    const pinned = message({ extra: { v: 1, ownV: 0, mine: {}, pin: { by: 2, at: 3 } } });
    const textOf = (one: ChatMessage) => allowedActions(one, at(1_000)).find(({ id }) => id === "pin")?.text;
    expect([textOf(message()), textOf(pinned)]).toEqual(["act.pin", "act.unpin"]);
  });

  test("in a group whoever has the right", () => {
    const inGroup = (...rights: string[]) =>
      idsOf(message(), {
        ...at(1_000),
        group: { can: (action: string) => rights.includes(action), memberActions: () => [] },
      });
    expect(inGroup("pin")).toContain("pin");
    expect(inGroup("speak", "react")).not.toContain("pin");
  });
});

describe("PL8 PL9 PL10 a poll", () => {
  const poll = { question: "Lunch?", options: ["a", "b"], max: 1, secret: false, hidden: false, voters: 1 };
  const votes = [{ key: "0", count: 1, first: [2] }];
  const pollWith = (
    part: Partial<typeof poll & { addable: boolean; kind: string; closedAt: number; closesAt: number }>,
    more: Partial<ChatMessage> = {},
  ) => message({ extra: { v: 1, ownV: 0, mine: {}, poll: { ...poll, ...part }, votes }, ...more });

  test("is not edited, is ended by its author while it goes on, and tells who voted unless it is anonymous", () => {
    const open = idsOf(pollWith({}), after(1));
    expect(open).toEqual(expect.arrayContaining(["voters", "closePoll"]));
    expect(open).not.toContain("edit");
    expect(idsOf(pollWith({ closedAt: 5 }), after(1))).not.toContain("closePoll");
    expect(idsOf(pollWith({ closesAt: SENT_AT + 1_000 }), after(1))).not.toContain("closePoll");
    expect(idsOf(pollWith({ secret: true }), after(1))).not.toContain("voters");
    expect(idsOf(pollWith({}, { selfSend: false }), after(1))).not.toContain("closePoll");
    expect(idsOf(pollWith({}), at(1_000, {}, false))).not.toContain("closePoll");
  });

  test("PL11 takes options while it goes on, if its author allows it and it is not full", () => {
    const offered = (part: Parameters<typeof pollWith>[0], conditions = after(1)) =>
      idsOf(pollWith({ addable: true, ...part }), conditions).includes("addPollOption");
    expect(offered({})).toBe(true);
    expect(offered({ addable: false })).toBe(false);
    expect(offered({ closedAt: 5 })).toBe(false);
    expect(offered({ options: Array.from({ length: 20 }, String) })).toBe(false);
    expect(offered({}, at(1_000, {}, false))).toBe(false);
  });

  test("PL12 PL13 that is a sign-up list takes lines while it goes on, and no options", () => {
    const list = (part: Parameters<typeof pollWith>[0] = {}) => pollWith({ kind: "signUp", ...part });
    expect(idsOf(list(), after(1))).toContain("signUp");
    expect(idsOf(list(), after(1))).not.toContain("addPollOption");
    expect(idsOf(list({ closedAt: 5 }), after(1))).not.toContain("signUp");
    expect(idsOf(list(), at(1_000, {}, false))).not.toContain("signUp");
    expect(idsOf(pollWith({}), after(1))).not.toContain("signUp");
    const closing = allowedActions(list(), after(1)).find(({ id }) => id === "closePoll");
    expect(closing?.text).toBe("signUp.close");
  });

  test("of a member is ended by the leaders of the group", () => {
    const theirs = pollWith({}, { selfSend: false });
    const inGroup = (...rights: string[]) =>
      idsOf(theirs, {
        ...after(1),
        group: { can: (action: string) => rights.includes(action), memberActions: () => [] },
      });
    expect(inGroup("vote", "closePoll")).toContain("closePoll");
    expect(inGroup("vote")).not.toContain("closePoll");
  });
});

test("SV1 one can save what is sent and was written by a person, also where one cannot write, and remove it", () => {
  const offered = (one: ChatMessage) => idsOf(one, at(1_000, {}, false));
  expect(offered(message())).toContain("saved");
  expect(offered(message({ id: null, tmpId: "t", sending: "sending" }))).not.toContain("saved");
  expect(offered(message({ type: MessageType.ACT_RT_VOICE }))).not.toContain("saved");
  const textOf = (state: Partial<State>) =>
    allowedActions(message(), at(1_000, state)).find(({ id }) => id === "saved")?.text;
  const unsentSaves = { 7: { key: FRIEND_CHAT, id: 7, words: { note: "", tags: [] } } };
  expect([textOf({}), textOf({ unsentSaves })]).toEqual(["saved.add", "saved.remove"]);
});

describe("messages with files", () => {
  const upload = {
    name: "a.png",
    size: 1,
    mimeType: "image/png",
    width: 1,
    height: 1,
    duration: null,
    wave: null,
  };
  const failed = (failure: ChatMessage["failure"]) =>
    message({ type: MessageType.IMAGE, id: null, tmpId: "t", upload, sending: "failed", failure });

  test("B19 a picture can be copied and saved, other files saved; none can be edited", () => {
    const image = message({ type: MessageType.IMAGE });
    expectOffered("image", image, after(1));
    const textOf = (one: ChatMessage) => allowedActions(one, after(1)).find(({ id }) => id === "copy")?.text;
    expect([textOf(image), textOf(message())]).toEqual(["media.copyPicture", "act.copy"]);
    for (const type of [MessageType.FILE, MessageType.AUDIO, MessageType.VIDEO])
      expectOffered("file", message({ type }), after(1));
  });

  test("B12 while its file is being uploaded a message can only be cancelled", () => {
    const sending = message({ type: MessageType.FILE, id: null, tmpId: "t", upload, sending: "sending" });
    expectOffered("uploading", sending, after(1));
    expect(idsOf({ ...sending, upload: null }, after(1))).toEqual([]);
  });

  test("B12 a failed file can be sent again, a lost one only be removed", () => {
    expectOffered("failedFile", failed({ kind: "network", reason: "timeout" }), after(1));
    expectOffered("lostFile", failed({ kind: "fileLost" }), after(1));
  });
});
