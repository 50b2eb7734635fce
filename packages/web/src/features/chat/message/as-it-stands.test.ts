import { describe, expect, it } from "vitest";
import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { echo } from "@parley/core/testing/builders";
import { asItStands, chosenNow } from "./as-it-stands.ts";

const row = (id: number, part: Partial<ChatMessage> = {}) => echo(`t${id}`, { id, sending: null, ...part });

function windowOf(messages: readonly ChatMessage[], part: Partial<ChatWindow> = {}): ChatWindow {
  return { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle", ...part };
}

describe("a message that was taken up", () => {
  it("is the edited one once it was edited", () => {
    const edited = row(2, { content: "new", isEdited: true });
    expect(asItStands(row(2), windowOf([row(1), edited]))).toBe(edited);
  });

  it("is gone when it was recalled or deleted", () => {
    expect(asItStands(row(2), windowOf([row(1), row(2, { status: MessageStatus.RECALL })]))).toBe(null);
    expect(asItStands(row(2), windowOf([row(1), row(3)], { hasOlder: true, hasNewer: true }))).toBe(null);
    expect(asItStands(row(2), windowOf([row(1)], { hasOlder: true }))).toBe(null);
    expect(asItStands(row(2), windowOf([]))).toBe(null);
  });

  it("stays what it was while it lies outside the memory", () => {
    const taken = row(2);
    expect(asItStands(taken, windowOf([row(5)], { hasOlder: true }))).toBe(taken);
    expect(asItStands(taken, windowOf([row(1)], { hasNewer: true }))).toBe(taken);
  });
});

describe("chosen messages", () => {
  it("lose those that are gone, and are the same value while nothing happens", () => {
    const [one, two] = [row(1), row(2)];
    const chosen = new Map([
      [one.key, one],
      [two.key, two],
    ]);
    expect(chosenNow(chosen, windowOf([one, two, row(3)]))).toBe(chosen);
    expect([...chosenNow(chosen, windowOf([one])).values()]).toEqual([one]);
  });
});
