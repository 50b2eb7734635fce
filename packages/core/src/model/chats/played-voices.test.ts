import { MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { FRIEND_CHAT } from "../../testing/builders.ts";
import { isUnheard, type PlayedVoices, playedVoices } from "./played-voices.ts";

const withPlayed = (played: PlayedVoices, id: number) =>
  playedVoices.reduce(played, { key: FRIEND_CHAT, id });
const voice = (id: number | null, selfSend = false) => ({ type: MessageType.AUDIO, id, selfSend });

test("U61 a voice message of somebody else is unheard until it was played; one's own never are", () => {
  const played = withPlayed({}, 5);
  expect(isUnheard({}, FRIEND_CHAT, voice(5))).toBe(true);
  expect(isUnheard(played, FRIEND_CHAT, voice(5))).toBe(false);
  expect(isUnheard(played, "GROUP:5", voice(5))).toBe(true);
  expect(isUnheard({}, FRIEND_CHAT, voice(5, true))).toBe(false);
  expect(isUnheard({}, FRIEND_CHAT, voice(null))).toBe(false);
  expect(isUnheard({}, FRIEND_CHAT, { ...voice(5), type: MessageType.TEXT })).toBe(false);
  expect(withPlayed(played, 5)).toBe(played);
});

test("U62 of each chat 200 are remembered; all that are older count as played", () => {
  let played: PlayedVoices = {};
  for (let id = 401; id > 1; id -= 2) played = withPlayed(played, id);
  expect(isUnheard(played, FRIEND_CHAT, voice(2))).toBe(true);
  played = withPlayed(played, 402);
  expect(played[FRIEND_CHAT]?.ids).toHaveLength(200);
  expect(isUnheard(played, FRIEND_CHAT, voice(2))).toBe(false);
  expect(isUnheard(played, FRIEND_CHAT, voice(4))).toBe(true);
  expect(withPlayed(played, 1)).toBe(played);
});
