import { MessageType } from "@parley/protocol/codes";
import { TMP_ID_MAX } from "@parley/protocol/limits";
import { describe, expect, test } from "vitest";
import type { Failure } from "../state.ts";
import type { BroadcastAttachment, BroadcastDraft, BroadcastRun } from "./broadcast.ts";
import {
  attachmentProblem,
  BROADCAST_FILE_MAX_BYTES,
  canSendDraft,
  partsOf,
  withAttachment,
} from "./broadcast-draft.ts";
import {
  broadcastTmpId,
  countRecipients,
  isRunning,
  newRun,
  nextStep,
  outcomeOf,
  reduceRun,
  stepOfTmpId,
  type BroadcastInput,
} from "./broadcast-run.ts";
import { broadcastInput, broadcastRun } from "./broadcast-schemas.ts";

const NOT_FRIEND: Failure = {
  kind: "refused",
  code: 500,
  key: "message.notFriend",
  params: {},
  message: "",
};

function attachment(part: Partial<BroadcastAttachment> = {}): BroadcastAttachment {
  return {
    id: "a",
    type: MessageType.FILE,
    name: "a.pdf",
    size: 5,
    mimeType: "application/pdf",
    status: "success",
    failure: null,
    content: "{}",
    ...part,
  };
}

function draft(part: Partial<BroadcastDraft> = {}): BroadcastDraft {
  return { userIds: [], text: "", attachments: [], ...part };
}

/** A broadcast of a text and a file. */
function runTo(...userIds: number[]): BroadcastRun {
  const text = { type: MessageType.TEXT, content: "hello" };
  return newRun("run-1", [text, { type: MessageType.FILE, content: "{}" }], userIds);
}

function apply(run: BroadcastRun | null, ...inputs: readonly BroadcastInput[]): BroadcastRun {
  const result = inputs.reduce(reduceRun, run);
  if (result === null) throw new Error("there is no broadcast");
  return result;
}

/** Sends everything that waits; users in `refused` are no friends. Returns what was sent, in order. */
function sendAll(run: BroadcastRun, refused: readonly number[] = []) {
  const sent: string[] = [];
  let current = run;
  for (let step = nextStep(current); step !== null; step = nextStep(current)) {
    const { userId, part } = step;
    const runId = run.id;
    if (refused.includes(userId)) {
      current = apply(current, { kind: "failed", runId, userId, failure: NOT_FRIEND });
    } else {
      sent.push(`${part} to ${userId}`);
      current = apply(current, { kind: "sent", runId, userId, part });
    }
  }
  return { run: current, sent };
}

const statesOf = (run: BroadcastRun) => run.recipients.map(({ userId, state }) => `${userId} ${state}`);

describe("the draft of a broadcast", () => {
  test("BR1 pictures have the types of the specification, files any, and both at most 10485760 bytes", () => {
    const check = (part: Partial<BroadcastAttachment>) => attachmentProblem(draft(), attachment(part));
    for (const mimeType of ["image/jpeg", "image/png", "image/webp", "image/gif"])
      expect(check({ type: MessageType.IMAGE, mimeType })).toBeNull();
    for (const mimeType of ["image/bmp", "image/svg+xml", "application/pdf", ""])
      expect(check({ type: MessageType.IMAGE, mimeType })).toBe("type");
    expect(check({ mimeType: "" })).toBeNull();
    expect(BROADCAST_FILE_MAX_BYTES).toBe(10_485_760);
    expect(check({ size: 10_485_760 })).toBeNull();
    expect(check({ size: 10_485_761 })).toBe("tooLarge");
    expect(check({ type: MessageType.IMAGE, mimeType: "image/png", size: 10_485_761 })).toBe("tooLarge");
    expect(check({ size: 0 })).toBe("empty");
    const full = draft({ attachments: Array.from({ length: 20 }, () => attachment()) });
    expect(attachmentProblem(full, attachment())).toBe("tooMany");
  });

  test("BR2 it can be sent to at least one friend, with a text or an uploaded attachment", () => {
    expect(canSendDraft(draft({ text: "a" }), [1])).toBe(true);
    expect(canSendDraft(draft({ text: "a" }), [])).toBe(false);
    expect(canSendDraft(draft({ text: " \n " }), [1])).toBe(false);
    expect(canSendDraft(draft({ attachments: [attachment()] }), [1])).toBe(true);
    expect(canSendDraft(draft({ attachments: [attachment({ status: "failed" })] }), [1])).toBe(false);
    expect(canSendDraft(draft({ text: "a".repeat(1_024) }), [1])).toBe(true);
    expect(canSendDraft(draft({ text: ` ${"😀".repeat(1_024)} ` }), [1])).toBe(true);
    expect(canSendDraft(draft({ text: "a".repeat(1_025) }), [1])).toBe(false);
  });

  test("BR2 it cannot be sent while an upload runs, but with one that has failed", () => {
    const [uploading, failed] = [attachment({ status: "uploading" }), attachment({ status: "failed" })];
    expect(canSendDraft(draft({ text: "a", attachments: [attachment(), uploading] }), [1])).toBe(false);
    expect(canSendDraft(draft({ text: "a", attachments: [failed] }), [1])).toBe(true);
  });

  test("BR3 the parts are the trimmed text and the uploaded attachments, in their order", () => {
    const attachments = [
      attachment({ content: "1" }),
      attachment({ status: "failed", content: "2" }),
      attachment({ type: MessageType.IMAGE, content: "3" }),
    ];
    expect(partsOf(draft({ text: "  hello \n", attachments }))).toEqual([
      { type: MessageType.TEXT, content: "hello" },
      { type: MessageType.FILE, content: "1" },
      { type: MessageType.IMAGE, content: "3" },
    ]);
    expect(partsOf(draft({ text: "  " }))).toEqual([]);
  });

  test("BR1 an upload that ends changes only its attachment, and none that was removed", () => {
    const before = draft({ attachments: [attachment({ id: "a" }), attachment({ id: "b" })] });
    const after = withAttachment(before, "b", { status: "failed" });
    expect(after.attachments.map(({ status }) => status)).toEqual(["success", "failed"]);
    expect(withAttachment(before, "gone", { status: "failed" }).attachments).toEqual(before.attachments);
  });
});

describe("sending a broadcast", () => {
  test("BR4 a part goes to each friend before the next part goes to anybody", () => {
    const { sent, run } = sendAll(runTo(7, 5, 6));
    expect(sent).toEqual(["0 to 7", "0 to 5", "0 to 6", "1 to 7", "1 to 5", "1 to 6"]);
    expect(statesOf(run)).toEqual(["7 sent", "5 sent", "6 sent"]);
    expect(isRunning(run)).toBe(false);
  });

  test("BR4 each friend is a recipient once", () => {
    expect(sendAll(runTo(5, 6, 5)).sent).toEqual(["0 to 5", "0 to 6", "1 to 5", "1 to 6"]);
  });

  test("BR5 after a refusal the recipient gets nothing more, and the others get everything", () => {
    const { sent, run } = sendAll(runTo(5, 6), [5]);
    expect(sent).toEqual(["0 to 6", "1 to 6"]);
    expect(run.recipients[0]).toEqual({ userId: 5, sentParts: 0, state: "failed", failure: NOT_FRIEND });
  });

  test("BR6 only those that failed are tried again, and get only what they do not have", () => {
    const text = { kind: "sent", runId: "run-1", userId: 5, part: 0 } as const;
    const first = sendAll(apply(runTo(5, 6, 7), text), [5, 7]).run;
    expect(statesOf(first)).toEqual(["5 failed", "6 sent", "7 failed"]);
    const again = apply(first, { kind: "retry", runId: "run-1" });
    expect(again.recipients[0]?.failure).toBeNull();
    expect(sendAll(again).sent).toEqual(["0 to 7", "1 to 5", "1 to 7"]);
  });

  test("BR7 a part to a recipient has one tmpId, which fits into the limit of the server", () => {
    const id = "01234567-89ab-4cde-8f01-23456789abcd";
    const run = { ...runTo(5), id };
    const tmpId = broadcastTmpId(id, { part: 1, userId: Number.MAX_SAFE_INTEGER });
    expect(tmpId.length).toBeLessThanOrEqual(TMP_ID_MAX);
    expect(stepOfTmpId(run, tmpId)).toEqual({ part: 1, userId: Number.MAX_SAFE_INTEGER });
    for (const other of [id, `${id}-2-5`, `${id}-x-5`, `${id}-1`, "other-1-5"])
      expect(stepOfTmpId(run, other)).toBeNull();
  });

  test("BR8 after it was cancelled nothing more is sent", () => {
    const started = apply(runTo(5, 6), { kind: "sent", runId: "run-1", userId: 5, part: 0 });
    const cancelled = apply(started, { kind: "cancel", runId: "run-1" });
    expect(nextStep(cancelled)).toBeNull();
    expect(statesOf(cancelled)).toEqual(["5 cancelled", "6 cancelled"]);
    expect(apply(cancelled, { kind: "retry", runId: "run-1" })).toBe(cancelled);
  });

  test("BR8 what was on its way when it was cancelled counts when it has arrived", () => {
    const text = { type: MessageType.TEXT, content: "hello" };
    const run = apply(newRun("run-1", [text], [5, 6]), { kind: "cancel", runId: "run-1" });
    const arrived = apply(run, { kind: "sent", runId: "run-1", userId: 5, part: 0 });
    expect(statesOf(arrived)).toEqual(["5 sent", "6 cancelled"]);
    const refused = apply(run, { kind: "failed", runId: "run-1", userId: 5, failure: NOT_FRIEND });
    expect(statesOf(refused)).toEqual(["5 cancelled", "6 cancelled"]);
  });

  test("BR9 its end is a success, a partial one, a failure or a cancellation", () => {
    const outcome = (run: BroadcastRun) => outcomeOf(countRecipients(run));
    expect(outcome(sendAll(runTo(5, 6)).run)).toBe("succeeded");
    expect(outcome(sendAll(runTo(5, 6), [5]).run)).toBe("partly");
    expect(outcome(sendAll(runTo(5, 6), [5, 6]).run)).toBe("failed");
    expect(outcome(apply(runTo(5), { kind: "cancel", runId: "run-1" }))).toBe("cancelled");
    expect(countRecipients(sendAll(runTo(5, 6, 7), [5]).run)).toEqual({
      total: 3,
      waiting: 0,
      sent: 2,
      failed: 1,
      cancelled: 0,
    });
  });

  test("BR10 while one is being sent no other begins, and it is not put away", () => {
    const run = runTo(5);
    expect(reduceRun(run, { kind: "start", run: { ...runTo(6), id: "run-2" } })).toBe(run);
    expect(reduceRun(run, { kind: "dismiss", runId: "run-1" })).toBe(run);
    const ended = sendAll(run).run;
    expect(reduceRun(ended, { kind: "start", run: { ...runTo(6), id: "run-2" } })?.id).toBe("run-2");
    expect(reduceRun(ended, { kind: "dismiss", runId: "run-1" })).toBeNull();
  });

  test("BR10 late or repeated inputs change nothing", () => {
    const { run } = sendAll(runTo(5));
    expect(reduceRun(run, { kind: "sent", runId: "run-1", userId: 5, part: 0 })).toBe(run);
    expect(reduceRun(run, { kind: "failed", runId: "run-1", userId: 5, failure: NOT_FRIEND })).toBe(run);
    expect(reduceRun(run, { kind: "dismiss", runId: "run-0" })).toBe(run);
    expect(reduceRun(null, { kind: "retry", runId: "run-1" })).toBeNull();
  });
});

describe("BR11 a broadcast that another page wrote", () => {
  test("is read as it was written", () => {
    const { run } = sendAll(runTo(5, 6), [5]);
    expect(broadcastRun.parse(structuredClone(run))).toEqual(run);
    const inputs: BroadcastInput[] = [
      { kind: "start", run },
      { kind: "sent", runId: "run-1", userId: 5, part: 0 },
      { kind: "failed", runId: "run-1", userId: 5, failure: NOT_FRIEND },
      { kind: "cancel", runId: "run-1" },
      { kind: "retry", runId: "run-1" },
      { kind: "dismiss", runId: "run-1" },
    ];
    for (const input of inputs) expect(broadcastInput.parse(structuredClone(input))).toEqual(input);
  });

  test("is nothing if it is malformed", () => {
    const run = runTo(5);
    const recipient = run.recipients[0];
    for (const value of [
      undefined,
      "run",
      { ...run, id: 1 },
      { ...run, parts: [{ type: "0", content: "" }] },
      { ...run, recipients: {} },
      { ...run, recipients: [{ ...recipient, state: "lost" }] },
      { ...run, recipients: [{ ...recipient, sentParts: -1 }] },
      { ...run, recipients: [{ ...recipient, failure: { kind: "other" } }] },
    ])
      expect(broadcastRun.safeParse(value).success).toBe(false);
    for (const value of [
      null,
      { kind: "start", run: {} },
      { kind: "sent", runId: "run-1", userId: 5 },
      { kind: "failed", runId: "run-1", userId: 5, failure: null },
      { kind: "cancel" },
      { kind: "other", runId: "run-1" },
    ])
      expect(broadcastInput.safeParse(value).success).toBe(false);
  });
});
