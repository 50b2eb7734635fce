import { kindOf } from "@parley/protocol/message";
import { SYSTEM_CHAT } from "../model/rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { Device } from "./device.ts";
import type { Chance } from "./prng.ts";

/** What people of a world do to messages and chats that are there. */
export type Deed =
  | "quoted"
  | "edited"
  | "recalled"
  | "hidden"
  | "cleared"
  | "removed"
  | "markedRead"
  | "markedUnread"
  | "pinned"
  | "silenced";

export function doDeed(device: Device, chance: Chance, text: () => string): Deed | null {
  const key = pickChat(device, chance);
  if (key === null) return null;
  const { chats } = device.client;
  const roll = chance.below(100);
  if (roll < 1) {
    void chats.clearHistory();
    return "cleared";
  }
  if (roll < 8) {
    chats.remove(key);
    return "removed";
  }
  if (roll < 13) {
    chats.markRead(key);
    return "markedRead";
  }
  if (roll < 16) {
    chats.markUnread(key);
    return "markedUnread";
  }
  // The system chat is pinned on one device alone.
  if (roll < 19 && key !== SYSTEM_CHAT) {
    void chats.setTop(key, chance.isLuck(0.5));
    return "pinned";
  }
  if (roll < 22) {
    void chats.setRemind(key, chance.below(2));
    return "silenced";
  }
  return doToMessage(device, chance, key, roll, text);
}

function doToMessage(
  device: Device,
  chance: Chance,
  key: ChatKey,
  roll: number,
  text: () => string,
): Deed | null {
  const { chats } = device.client;
  const messages = device.client.getState().chats.byKey[key]?.window.messages ?? [];
  const candidates = messages.filter((message) => message.id !== null && key !== SYSTEM_CHAT);
  if (candidates.length === 0) return null;
  const own = candidates.filter((message) => message.selfSend && kindOf(message.type)?.sendable === true);
  const message = chance.pick(candidates);
  if (roll < 45) {
    chats.setQuote(key, message.id);
    chats.sendText(key, text());
    return "quoted";
  }
  if (roll < 55) {
    const ids = candidates.slice(-1 - chance.below(3)).flatMap(({ id }) => id ?? []);
    void chats.hide(key, chance.isLuck(0.5) ? ids : [idOf(message)]);
    return "hidden";
  }
  // Who leads a group takes back what others wrote.
  if (roll >= 90 && key.startsWith("GROUP:")) {
    void chats.recall(key, idOf(message));
    return "recalled";
  }
  if (own.length === 0) return null;
  // Two devices of a person often mean the same message: the newest.
  const quoted = own.filter((mine) => messages.some((message) => message.quoteMessage?.id === mine.id));
  const some = quoted.length > 0 && chance.isLuck(0.6) ? quoted : own;
  const target = chance.isLuck(0.6) ? some[some.length - 1] : chance.pick(some);
  if (target === undefined) return null;
  if (roll < 80) {
    void chats.editText(key, idOf(target), text());
    return "edited";
  }
  void chats.recall(key, idOf(target));
  return "recalled";
}

function pickChat(device: Device, chance: Chance): ChatKey | null {
  const { order } = device.client.getState().chats;
  return order.length === 0 ? null : chance.pick(order);
}

function idOf(message: ChatMessage): number {
  return message.id ?? 0;
}
