import { expect, test } from "vitest";
import type { ChatMessage } from "@parley/core/model/state";
import { localEcho } from "@parley/core/testing/builders";
import { MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { isNudgeTooSoon } from "./nudge.tsx";

const SERVER_TIME = 1_700_000_000_000;
const AHEAD_MS = 20 * 60_000;
const DEVICE_TIME = SERVER_TIME + AHEAD_MS;

const nudge = (part: Partial<ChatMessage>): ChatMessage => ({
  ...localEcho("a"),
  type: MessageType.SHAKE,
  ...part,
});
const isTooSoon = (message: ChatMessage, afterMs: number) =>
  isNudgeTooSoon([message], AHEAD_MS, DEVICE_TIME + afterMs);

test.each([
  ["the server has", nudge({ id: 7, sending: null, sendTime: SERVER_TIME })],
  ["is being sent", nudge({ sending: "sending", sendTime: DEVICE_TIME })],
])(
  "after a nudge that %s the next one waits for the interval, whatever the clock of the device says",
  (_which, sent) => {
    expect(isTooSoon(sent, SHAKE_INTERVAL_MS - 1)).toBe(true);
    expect(isTooSoon(sent, SHAKE_INTERVAL_MS)).toBe(false);
  },
);

test("a nudge that failed, a text and a nudge of the other person hold none back", () => {
  for (const part of [
    { sending: "failed", sendTime: DEVICE_TIME },
    { type: MessageType.TEXT },
    { id: 7, sending: null, selfSend: false, sendTime: SERVER_TIME },
  ] as const)
    expect(isTooSoon(nudge({ sendTime: DEVICE_TIME, ...part }), 1)).toBe(false);
});
