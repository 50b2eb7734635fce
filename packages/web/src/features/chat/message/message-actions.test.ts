import { describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow, State } from "@parley/core/model/state";
import { actionLimits, allowedActions, lastEditable } from "./message-actions.ts";

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

const RIGHT_CLOCK = { config: null, clockAheadMs: 0 };

const after = (seconds: number, canWrite = true) =>
  actionLimits(RIGHT_CLOCK, SENT_AT + seconds * 1_000, canWrite);

describe("message actions", () => {
  test("an own text just sent offers every action", () => {
    expect(allowedActions(message(), after(1))).toEqual([
      "quote",
      "forward",
      "copy",
      "edit",
      "choose",
      "recall",
      "delete",
    ]);
  });

  test("M140 counts from the receipt of a message whose time waits for a clock that was ahead", () => {
    const frozen = message({ sendTime: SENT_AT + 3_600_000, receivedAt: SENT_AT });
    const at = (ms: number) => allowedActions(frozen, actionLimits(RIGHT_CLOCK, SENT_AT + ms, true));
    expect(at(300_000)).toContain("recall");
    expect(at(300_001)).not.toContain("recall");
  });

  test("recall and edit end with the time windows of the server", () => {
    expect(allowedActions(message(), after(300))).toContain("recall");
    expect(allowedActions(message(), after(301))).not.toContain("recall");
    expect(allowedActions(message(), after(3_600))).toContain("edit");
    expect(allowedActions(message(), after(3_601))).not.toContain("edit");
    const config = { message: { recallSeconds: 7, editSeconds: 8 } } as NonNullable<State["config"]>;
    expect(
      allowedActions(message(), actionLimits({ config, clockAheadMs: 0 }, SENT_AT + 7_500, true)),
    ).toEqual(["quote", "forward", "copy", "edit", "choose", "delete"]);
  });

  test.each([20 * 60_000, -20 * 60_000])(
    "C104 a device whose clock is %i ms ahead offers recall for as long as others do",
    (clockAheadMs) => {
      const actionsAfter = (ms: number) =>
        allowedActions(
          message(),
          actionLimits({ config: null, clockAheadMs }, SENT_AT + clockAheadMs + ms, true),
        );
      expect(actionsAfter(300_000)).toContain("recall");
      expect(actionsAfter(301_000)).not.toContain("recall");
    },
  );

  test("messages of others can be reported, and neither recalled nor edited", () => {
    expect(allowedActions(message({ selfSend: false }), after(1))).toEqual([
      "quote",
      "forward",
      "copy",
      "choose",
      "report",
      "delete",
    ]);
  });

  test("where nothing can be sent there is no quote and no edit", () => {
    expect(allowedActions(message(), after(1, false))).toEqual([
      "forward",
      "copy",
      "choose",
      "recall",
      "delete",
    ]);
  });

  test("a failed message offers resend and discard, a message being sent only copy", () => {
    const unsent = { id: null, tmpId: "t" };
    expect(allowedActions(message({ ...unsent, sending: "failed" }), after(1))).toEqual([
      "resend",
      "copy",
      "discard",
    ]);
    expect(allowedActions(message({ ...unsent, sending: "sending" }), after(1))).toEqual(["copy"]);
  });

  test("a nudge offers neither copy nor forward, and an unknown kind of others only select, report and delete", () => {
    expect(allowedActions(message({ type: MessageType.SHAKE, content: "" }), after(1))).toEqual([
      "quote",
      "choose",
      "recall",
      "delete",
    ]);
    expect(allowedActions(message({ type: 999, selfSend: false }), after(1))).toEqual([
      "choose",
      "report",
      "delete",
    ]);
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
  const limits = (
    rights: readonly string[],
    members: readonly ("mention" | "mute" | "remove")[] = [],
    seconds = 1,
  ) =>
    actionLimits(RIGHT_CLOCK, SENT_AT + seconds * 1_000, true, {
      can: (action) => rights.includes(action),
      memberActions: () => members,
    });

  test("a member can mention the sender but not recall messages of others", () => {
    const actions = allowedActions(
      message({ selfSend: false, group: part }),
      limits(["speak", "recallOwn"], ["mention"]),
    );
    expect(actions).toEqual(["quote", "forward", "copy", "choose", "mention", "report", "delete"]);
  });

  test("owners and admins can recall at any time, see readers and moderate", () => {
    const rights = ["recallOthers", "handleRequests"];
    const actions = allowedActions(
      message({ selfSend: false, group: part }),
      limits(rights, ["mention", "mute", "remove"], 9_999),
    );
    expect(actions).toEqual([
      "quote",
      "forward",
      "copy",
      "choose",
      "readers",
      "mention",
      "report",
      "recall",
      "delete",
      "mute",
      "remove",
    ]);
  });

  test("own messages keep the time window unless group rights allow more", () => {
    expect(allowedActions(message({ group: part }), limits(["recallOwn"]))).toContain("recall");
    expect(allowedActions(message({ group: part }), limits(["recallOwn"], [], 301))).not.toContain("recall");
    expect(allowedActions(message({ group: part }), limits(["recallOthers"], [], 301))).toContain("recall");
    // A muted member cannot recall, which is also the server's rule.
    expect(allowedActions(message({ group: part }), limits([]))).not.toContain("recall");
  });

  test("readers are offered only for messages with a receipt request", () => {
    const withoutReceipt = { ...part, receipt: false };
    expect(allowedActions(message({ group: part }), limits([]))).toContain("readers");
    expect(allowedActions(message({ group: withoutReceipt }), limits(["handleRequests"]))).not.toContain(
      "readers",
    );
  });
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
    allowedActions(
      message({ type: MessageType.IMAGE, id: null, tmpId: "t", upload, sending: "failed", failure }),
      after(1),
    );

  test("B19 a picture can be copied and saved, other files saved; none can be edited", () => {
    const image = ["quote", "forward", "copyPicture", "save", "choose", "recall", "delete"];
    expect(allowedActions(message({ type: MessageType.IMAGE }), after(1))).toEqual(image);
    for (const type of [MessageType.FILE, MessageType.AUDIO, MessageType.VIDEO])
      expect(allowedActions(message({ type }), after(1))).toEqual(
        image.filter((one) => one !== "copyPicture"),
      );
  });

  test("B12 while its file is being uploaded a message can only be cancelled", () => {
    const sending = message({ type: MessageType.FILE, id: null, tmpId: "t", upload, sending: "sending" });
    expect(allowedActions(sending, after(1))).toEqual(["discard"]);
    expect(allowedActions({ ...sending, upload: null }, after(1))).toEqual([]);
  });

  test("B12 a failed file can be sent again, a lost one only be removed", () => {
    expect(failed({ kind: "network", reason: "timeout" })).toEqual(["resend", "discard"]);
    expect(failed({ kind: "fileLost" })).toEqual(["discard"]);
  });
});
