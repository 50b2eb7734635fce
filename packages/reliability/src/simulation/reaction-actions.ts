/** What people of a simulation do to messages: reactions, pins and votes, and what they save. */
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { isSignUp } from "@parley/protocol/poll";
import { messagesOf, newText, writableChatsOf } from "./random-actions.ts";
import type { SimulatedDevice, Simulation } from "./simulation.ts";

/** Few, so that people often join each other, and one person often takes a reaction back. */
const KEYS = ["👍", "❤️", "😂", "😮"];

const OPTIONS = ["one", "two", "three"];
/** Few, so that several people add the same one. */
const ADDED = ["three", "four", "five"];
/** The empty one takes back. */
const LINES = ["1 portion", "2 portions", ""];

/**
 * Somebody reacts to recent messages of a chat or takes reactions back, votes in polls, adds options to them or signs up, and now and then makes or ends
 * a poll, pins, unpins or saves a message, or removes it from saved.
 */
export function performReactions(simulation: Simulation): void {
  const { random } = simulation;
  const devices = simulation.devices.filter(({ isDown }) => !isDown);
  if (devices.length === 0) return;
  const device = random.pick(devices);
  device.isTouched = true;
  const recent = writableChatsOf(simulation, device).flatMap((key) =>
    messagesOf(device, key)
      .filter(({ type }) => type === MessageType.TEXT)
      .slice(-3)
      .map((message): [ChatKey, ChatMessage] => [key, message]),
  );
  if (recent.length === 0) return;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const [key, { id, extra, selfSend }] = random.pick(recent);
    if (id === null) continue;
    if (random.isTrueWithProbability(0.1)) sendPoll(simulation, device, key);
    simulation.reactions++;
    const on = random.isTrueWithProbability(0.6);
    const roll = random.below(10);
    if (extra?.poll !== undefined && isSignUp(extra.poll) && random.isTrueWithProbability(0.7))
      device.client.chats.setSignUpLine(key, id, random.pick(LINES));
    else if (extra?.poll !== undefined && random.isTrueWithProbability(0.7)) {
      const options = extra.poll.options
        .map((_, index) => String(index))
        .filter(() => random.isTrueWithProbability(0.4));
      device.client.chats.vote(key, id, options.slice(0, extra.poll.max));
    } else if (extra?.poll?.addable === true && random.isTrueWithProbability(0.5))
      device.client.chats.addPollOption(key, id, random.pick(ADDED));
    else if (extra?.poll !== undefined && selfSend && random.isTrueWithProbability(0.2))
      void device.client.chats.closePoll(key, id);
    else if (roll < 2) device.client.chats.pin(key, id, on);
    else if (roll < 4) save(device, key, id, on ? `note ${random.below(3)}` : null);
    else device.client.chats.react(key, id, random.pick(KEYS), on);
  }
}

function sendPoll(simulation: Simulation, device: SimulatedDevice, key: ChatKey): void {
  const { random } = simulation;
  const isList = random.isTrueWithProbability(0.3);
  device.client.chats.sendPoll(
    key,
    newText(simulation, device, key),
    isList
      ? { kind: "signUp", options: ["1 portion"], max: 1, secret: false, hidden: false }
      : {
          options: OPTIONS,
          max: 1 + random.below(2),
          secret: random.isTrueWithProbability(0.3),
          hidden: random.isTrueWithProbability(0.3),
          addable: random.isTrueWithProbability(0.5),
        },
  );
}

/** Saves a message with a note or, with null, removes it from those that are saved. */
function save({ client }: SimulatedDevice, key: ChatKey, id: number, note: string | null): void {
  if (note === null) client.chats.removeSaved(key, id);
  else client.chats.save(key, id, { note, tags: [] });
}
