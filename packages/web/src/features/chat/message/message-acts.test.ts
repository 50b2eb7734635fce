import { describe, expect, it } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { actLimits, actsOf, lastToEdit } from "./message-acts.ts";

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

const after = (seconds: number, canWrite = true) => actLimits(null, SENT_AT + seconds * 1_000, canWrite);

describe("what can be done with a message", () => {
  it("is everything for a text of mine that is new", () => {
    expect(actsOf(message(), after(1))).toEqual([
      "quote",
      "forward",
      "copy",
      "edit",
      "choose",
      "recall",
      "delete",
    ]);
  });

  it("ends with the server's windows: recalling first, then editing", () => {
    expect(actsOf(message(), after(300))).toContain("recall");
    expect(actsOf(message(), after(301))).not.toContain("recall");
    expect(actsOf(message(), after(3_600))).toContain("edit");
    expect(actsOf(message(), after(3_601))).not.toContain("edit");
    const config = { message: { recallSeconds: 7, editSeconds: 8 } } as Parameters<typeof actLimits>[0];
    expect(actsOf(message(), actLimits(config, SENT_AT + 7_500, true))).toEqual([
      "quote",
      "forward",
      "copy",
      "edit",
      "choose",
      "delete",
    ]);
  });

  it("leaves what others wrote alone", () => {
    expect(actsOf(message({ selfSend: false }), after(1))).toEqual([
      "quote",
      "forward",
      "copy",
      "choose",
      "delete",
    ]);
  });

  it("neither quotes nor edits where nothing can be written", () => {
    expect(actsOf(message(), after(1, false))).toEqual(["forward", "copy", "choose", "recall", "delete"]);
  });

  it("sends again or throws away what failed, and only copies what is on its way", () => {
    const unsent = { id: null, tmpId: "t" };
    expect(actsOf(message({ ...unsent, sending: "failed" }), after(1))).toEqual([
      "resend",
      "copy",
      "discard",
    ]);
    expect(actsOf(message({ ...unsent, sending: "sending" }), after(1))).toEqual(["copy"]);
  });

  it("neither copies nor forwards a shake, and knows nothing of kinds of tomorrow", () => {
    expect(actsOf(message({ type: MessageType.SHAKE, content: "" }), after(1))).toEqual([
      "quote",
      "choose",
      "recall",
      "delete",
    ]);
    expect(actsOf(message({ type: 999, selfSend: false }), after(1))).toEqual(["choose", "delete"]);
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
  const onItsWay = message({ key: "t", id: null, tmpId: "t", sending: "sending" });

  it("is the last one that may be edited", () => {
    const last = message({ key: "8", id: 8 });
    const theirs = message({ key: "9", id: 9, selfSend: false });
    expect(lastToEdit(windowOf([message(), last, theirs]), after(1))).toBe(last);
    expect(lastToEdit(windowOf([message()]), after(4_000))).toBe(null);
  });

  it("is none while a later one is on its way, and the last one sent behind a failed one", () => {
    const sent = message();
    expect(lastToEdit(windowOf([sent, onItsWay]), after(1))).toBe(null);
    expect(lastToEdit(windowOf([sent, { ...onItsWay, sending: "failed" }]), after(1))).toBe(sent);
  });

  it("is none where the newest messages are not in memory", () => {
    expect(lastToEdit(windowOf([message()], true), after(1))).toBe(null);
  });
});

describe("what can be done with a message of a group", () => {
  const part = { sendRole: 1, atUserIds: [], receipt: true, receiptOk: false, readedCount: 0 };
  const limits = (
    may: readonly string[],
    members: readonly ("mention" | "mute" | "remove")[] = [],
    seconds = 1,
  ) =>
    actLimits(null, SENT_AT + seconds * 1_000, true, {
      may: (action) => may.includes(action),
      memberActs: () => members,
    });

  it("lets a member name its sender, and take nothing back of others", () => {
    const acts = actsOf(
      message({ selfSend: false, group: part }),
      limits(["speak", "recallOwn"], ["mention"]),
    );
    expect(acts).toEqual(["quote", "forward", "copy", "choose", "mention", "delete"]);
  });

  it("lets those who lead take it back at any time, see who has read it, and moderate", () => {
    const may = ["recallOthers", "handleRequests"];
    const acts = actsOf(
      message({ selfSend: false, group: part }),
      limits(may, ["mention", "mute", "remove"], 9_999),
    );
    expect(acts).toEqual([
      "quote",
      "forward",
      "copy",
      "choose",
      "readers",
      "mention",
      "recall",
      "delete",
      "mute",
      "remove",
    ]);
  });

  it("keeps the window of time for one's own, unless the rights say more", () => {
    expect(actsOf(message({ group: part }), limits(["recallOwn"]))).toContain("recall");
    expect(actsOf(message({ group: part }), limits(["recallOwn"], [], 301))).not.toContain("recall");
    expect(actsOf(message({ group: part }), limits(["recallOthers"], [], 301))).toContain("recall");
    // Who is muted takes nothing back, as the server has it.
    expect(actsOf(message({ group: part }), limits([]))).not.toContain("recall");
  });

  it("tells who has read only of messages that asked", () => {
    const quiet = { ...part, receipt: false };
    expect(actsOf(message({ group: part }), limits([]))).toContain("readers");
    expect(actsOf(message({ group: quiet }), limits(["handleRequests"]))).not.toContain("readers");
  });
});
