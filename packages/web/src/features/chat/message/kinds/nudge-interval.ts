import { MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import type { ChatMessage } from "@parley/core/model/state";

/** Whether the server would refuse another nudge at this time of the device, whose clock is this many ms ahead of the server's. */
export function isNudgeTooSoon(
  messages: readonly ChatMessage[],
  clockAheadMs: number,
  deviceTime: number,
): boolean {
  // A nudge that failed does not count. If the server has it after all, the server refuses the next.
  const last = messages.findLast(
    ({ selfSend, type, sending }) => selfSend && type === MessageType.SHAKE && sending !== "failed",
  );
  if (last === undefined) return false;
  // Until the server has it, a message has the time of the device.
  const now = last.id === null ? deviceTime : deviceTime - clockAheadMs;
  // One from a clock that was ahead says nothing, as for the server.
  return Math.abs(now - (last.receivedAt ?? last.sendTime)) < SHAKE_INTERVAL_MS;
}
