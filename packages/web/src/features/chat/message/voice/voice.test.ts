import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import { ME, ownRow, privateRow } from "@parley/core/testing/builders";
import { barsOf, nextVoice } from "./voice.ts";

describe("B14 the bars of a voice message", () => {
  test("are as high as its digits say", () => {
    const bars = barsOf("0f80f80f80f80f80f80f80f8");
    expect(bars).toHaveLength(24);
    expect(bars[0]).toBeCloseTo(0.12);
    expect(bars[1]).toBe(1);
  });

  test.each([null, "", "xyz", "ff"])("are flat without a wave (%j)", (wave) => {
    const bars = barsOf(wave);
    expect(bars).toHaveLength(24);
    expect(new Set(bars).size).toBe(1);
  });
});

describe("B16 what plays by itself after a voice message", () => {
  const voice = (id: number) => toChatMessage(privateRow({ id, type: MessageType.AUDIO, content: "{}" }), ME);
  const text = (id: number) => toChatMessage(privateRow({ id }), ME);
  const mine = (id: number) => toChatMessage(ownRow({ id }), ME);
  const tip = (id: number) => toChatMessage(privateRow({ id, type: MessageType.TIP_TEXT, sendId: ME }), ME);
  const heard =
    (...ids: number[]) =>
    (message: { id: number | null }) =>
      ids.includes(message.id ?? 0);

  test("the next one of the same sender that was not heard", () => {
    const messages = [voice(1), text(2), voice(3), voice(4), voice(5)];
    expect(nextVoice(messages, voice(1).key, heard(1, 3))?.id).toBe(4);
    expect(nextVoice(messages, voice(5).key, heard())).toBeNull();
  });

  test("not over a message of somebody else, but over a tip", () => {
    expect(nextVoice([voice(1), mine(2), voice(3)], voice(1).key, heard())).toBeNull();
    expect(nextVoice([voice(1), tip(2), voice(3)], voice(1).key, heard())?.id).toBe(3);
  });

  test("nothing if the message is gone", () => {
    expect(nextVoice([voice(2)], voice(1).key, heard())).toBeNull();
  });
});
