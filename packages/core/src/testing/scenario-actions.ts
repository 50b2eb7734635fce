import { kindOf } from "@parley/protocol/message";
import { isArchived } from "../model/chats/chat-prefs.ts";
import { SYSTEM_CHAT } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { Device } from "./device.ts";
import type { Prng } from "./prng.ts";

/** What users of a scenario do with stored messages and chats. */
export const MESSAGE_SCENARIO_ACTIONS = [
  "quoted",
  "edited",
  "recalled",
  "deletedForMe",
  "cleared",
  "removed",
  "markedRead",
  "markedUnread",
  "archived",
  "pinned",
  "muted",
] as const;
type MessageScenarioAction = (typeof MESSAGE_SCENARIO_ACTIONS)[number];

/** Performs a random action on a chat or a message; null when nothing was possible. */
export function performScenarioAction(
  device: Device,
  random: Prng,
  text: () => string,
): MessageScenarioAction | null {
  const key = pickChat(device, random);
  if (key === null) return null;
  const { chats } = device.client;
  const roll = random.below(100);
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
  if (roll < 15) {
    chats.markUnread(key);
    return "markedUnread";
  }
  if (roll < 16) {
    const state = device.client.getState();
    const chat = state.chats.byKey[key];
    chats.setArchived(key, chat === undefined || !isArchived(state, chat));
    return "archived";
  }
  // The system chat is pinned on one device only, so devices may differ.
  if (roll < 19 && key !== SYSTEM_CHAT) {
    void chats.setTop(key, random.isTrueWithProbability(0.5));
    return "pinned";
  }
  if (roll < 22) {
    void chats.setAlerts(key, random.below(2));
    return "muted";
  }
  return performOnMessage(device, random, key, roll, text);
}

function performOnMessage(
  device: Device,
  random: Prng,
  key: ChatKey,
  roll: number,
  text: () => string,
): MessageScenarioAction | null {
  const { chats } = device.client;
  const messages = device.client.getState().chats.byKey[key]?.window.messages ?? [];
  const candidates = messages.filter((message) => message.id !== null && key !== SYSTEM_CHAT);
  if (candidates.length === 0) return null;
  const own = candidates.filter((message) => message.selfSend && kindOf(message.type)?.sendable === true);
  const message = random.pick(candidates);
  if (roll < 45) {
    chats.setQuote(key, message.id);
    chats.sendText(key, text());
    return "quoted";
  }
  if (roll < 55) {
    const ids = candidates.slice(-1 - random.below(3)).flatMap(({ id }) => id ?? []);
    void chats.deleteForMe(key, random.isTrueWithProbability(0.5) ? ids : [idOf(message)]);
    return "deletedForMe";
  }
  // Owner and admins may recall messages of others.
  if (roll >= 90 && key.startsWith("GROUP:")) {
    void chats.recall(key, idOf(message));
    return "recalled";
  }
  if (own.length === 0) return null;
  // Often choose the newest message, so that two devices of a user act on the same one.
  const quoted = own.filter(({ id }) => messages.some((other) => other.quoteMessage?.id === id));
  const pool = quoted.length > 0 && random.isTrueWithProbability(0.6) ? quoted : own;
  const target = random.isTrueWithProbability(0.6) ? pool[pool.length - 1] : random.pick(pool);
  if (target === undefined) return null;
  if (roll < 80) {
    void chats.editText(key, idOf(target), text());
    return "edited";
  }
  void chats.recall(key, idOf(target));
  return "recalled";
}

/** The chats that a device shows, and those that it could begin. */
export function chatsOf(device: Device): ChatKey[] {
  const { chats, contacts, groups } = device.client.getState();
  const friends = contacts.order.map((id): ChatKey => `PRIVATE:${id}`);
  const joined = groups.order.map((id): ChatKey => `GROUP:${id}`);
  return [...new Set([...friends, ...joined, ...chats.order])];
}

/** A random stored message of a random chat; null if that chat has none. */
export function pickMessage(device: Device, random: Prng): { key: ChatKey; message: ChatMessage } | null {
  const keys = chatsOf(device);
  if (keys.length === 0) return null;
  const key = random.pick(keys);
  const messages =
    device.client.getState().chats.byKey[key]?.window.messages.filter(({ id }) => id !== null) ?? [];
  return messages.length === 0 ? null : { key, message: random.pick(messages) };
}

function pickChat(device: Device, random: Prng): ChatKey | null {
  const { order } = device.client.getState().chats;
  return order.length === 0 ? null : random.pick(order);
}

function idOf(message: ChatMessage): number {
  return message.id ?? 0;
}
