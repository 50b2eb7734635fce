import { describe, expect, it } from "vitest";
import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { localEcho } from "@parley/core/testing/builders";
import { currentMessage, currentSelection } from "./current-message.ts";

const row = (id: number, part: Partial<ChatMessage> = {}) =>
  localEcho(`t${id}`, { id, sending: null, ...part });

function windowOf(messages: readonly ChatMessage[], part: Partial<ChatWindow> = {}): ChatWindow {
  return { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle", ...part };
}

describe("the current version of a message that an action holds", () => {
  it("is the edited version after an edit", () => {
    const edited = row(2, { content: "new", isEdited: true });
    expect(currentMessage(row(2), windowOf([row(1), edited]))).toBe(edited);
  });

  it("is null after recall or deletion", () => {
    expect(currentMessage(row(2), windowOf([row(1), row(2, { status: MessageStatus.RECALL })]))).toBe(null);
    expect(currentMessage(row(2), windowOf([row(1), row(3)], { hasOlder: true, hasNewer: true }))).toBe(null);
    expect(currentMessage(row(2), windowOf([row(1)], { hasOlder: true }))).toBe(null);
    expect(currentMessage(row(2), windowOf([]))).toBe(null);
  });

  it("is unchanged while it lies outside the loaded window", () => {
    const message = row(2);
    expect(currentMessage(message, windowOf([row(5)], { hasOlder: true }))).toBe(message);
    expect(currentMessage(message, windowOf([row(1)], { hasNewer: true }))).toBe(message);
  });
});

describe("selected messages", () => {
  it("lose removed messages, and are the same map if nothing changed", () => {
    const [one, two] = [row(1), row(2)];
    const selected = new Map([
      [one.key, one],
      [two.key, two],
    ]);
    expect(currentSelection(selected, windowOf([one, two, row(3)]))).toBe(selected);
    expect([...currentSelection(selected, windowOf([one])).values()]).toEqual([one]);
  });
});
