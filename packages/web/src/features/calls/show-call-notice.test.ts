import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { CallEnd } from "@parley/core/model/calls/call";
import type { Client } from "@parley/core/client-api";
import { INITIAL_STATE } from "@parley/core/state-store";
import { startLanguage } from "../../kit/i18n.ts";
import { useToasts } from "../../ui/toast-store.ts";
import { showCallNotice } from "./show-call-notice.ts";
import type { CallNotice } from "./show-call-notice.ts";

const GROUP = 7;
const start = vi.fn();
const client = { getState: () => INITIAL_STATE, calls: { start } } as unknown as Client;

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});
beforeEach(() => {
  start.mockClear();
  useToasts.setState([], true);
});

function toastFor(notice: CallNotice) {
  showCallNotice(client, notice);
  return useToasts.getState().at(-1);
}

test("a person who is no longer in the call of a group is named as in the call, also if nothing else is known of them", () => {
  const ann = { userId: 11, nickName: "Ann" };
  const left = { kind: "callPersonLeft", groupId: GROUP, people: [ann], reason: "" } as const;
  expect(toastFor({ ...left, why: "quit" })?.text).toBe("Ann quit the call");
  const people = [ann, { userId: 12, nickName: "" }];
  expect(toastFor({ ...left, why: "failed", people })?.text).toBe("Ann and User 12 did not join the call");
});

test("a call that nobody meant to end can be made again from its toast", () => {
  const call = { kind: "private", userId: 5, mode: "video", isCaller: false } as const;
  const lost = toastFor({ kind: "callEnded", call: { ...call, end: { kind: "lost" } } });
  lost?.action?.run();
  expect(start).toHaveBeenCalledExactlyOnceWith(5, "video");
  expect(toastFor({ kind: "callEnded", call: { ...call, end: { kind: "hungUp" } } })?.action).toBeNull();
});

test("why a call has ended is shown for 1.5 s, and longer only if the person has something to do", () => {
  const call = { kind: "private", userId: 5, mode: "voice", isCaller: true } as const;
  const duration = (end: CallEnd) => toastFor({ kind: "callEnded", call: { ...call, end } })?.durationMs;
  for (const kind of ["hungUp", "cancelled", "rejected", "answeredElsewhere"] as const)
    expect(duration({ kind })).toBe(1_500);
  expect(duration({ kind: "microphone", problem: "denied" })).toBeGreaterThan(1_500);
  expect(duration({ kind: "notSupported", isInsecure: true })).toBeGreaterThan(1_500);
  expect(duration({ kind: "lost" })).toBeGreaterThan(1_500);
});
