import { describe, expect, test } from "vitest";
import { ME, privateRow } from "../../testing/builders.ts";
import { toChatMessage } from "./chat-rows.ts";
import { mergeExtra, recordExtra, shownTallies, withExtra } from "./extras.ts";
import { mergeMessages } from "./merge-messages.ts";
import { recalledMessage } from "./row-events.ts";

const thumbs = (count: number, first: number[] = [2]) => [{ key: "👍", count, first }];
const messageWith = (part: Parameters<typeof mergeExtra>[1] | undefined) =>
  toChatMessage(privateRow({ id: 5, ...(part !== undefined && { extra: part }) }), ME);

describe("merging", () => {
  test("RE12 the extra with the higher version counts, whichever comes later", () => {
    const known = mergeExtra(undefined, { v: 7, reactions: thumbs(2), mine: {} });
    expect(mergeExtra(known, { v: 6, reactions: thumbs(1), mine: { reactions: ["👍"] } })).toBe(known);
    expect(mergeExtra(known, { v: 8, mine: {} })).toEqual({ v: 8, mine: {}, ownV: 8 });
  });

  test("RE12 a push about others does not say what I did, and one about me may come after newer ones of others", () => {
    const known = mergeExtra(undefined, { v: 5, mine: { reactions: ["❤️"] } });
    const others = mergeExtra(known, { v: 9, reactions: thumbs(3) });
    expect(others).toEqual({ v: 9, reactions: thumbs(3), mine: { reactions: ["❤️"] }, ownV: 5 });
    const own = mergeExtra(others, { v: 8, reactions: thumbs(2), mine: { reactions: ["👍"] } });
    expect(own).toEqual({ v: 9, reactions: thumbs(3), mine: { reactions: ["👍"] }, ownV: 8 });
  });

  test("RE12 a copy of the message without an extra changes nothing, and a recall removes it", () => {
    const known = messageWith({ v: 5, reactions: thumbs(1), mine: {} });
    expect(mergeMessages(known, messageWith(undefined))).toBe(known);
    const recalled = recalledMessage(known);
    expect(recalled.extra).toBeUndefined();
    expect(mergeMessages(recalled, known).extra).toBeUndefined();
    expect(withExtra(recalled, { v: 9, reactions: thumbs(2) })).toBe(recalled);
  });

  test("RE12 of what arrived before its message, the newest of each of the last 500 messages is remembered", () => {
    let extras = recordExtra([], { id: 5, extra: { v: 7, reactions: thumbs(2), mine: {} } });
    extras = recordExtra(extras, { id: 5, extra: { v: 6, reactions: thumbs(1), mine: {} } });
    expect(extras.map(({ extra }) => extra.v)).toEqual([7]);
    for (let id = 10; id < 600; id++) extras = recordExtra(extras, { id, extra: { v: id, mine: {} } });
    expect(extras).toHaveLength(500);
    expect(extras.at(-1)?.id).toBe(599);
  });
});

describe("what is shown", () => {
  const message = messageWith({
    v: 5,
    reactions: [...thumbs(2, [2, ME]), { key: "❤️", count: 1, first: [2] }],
    mine: { reactions: ["👍"] },
  });
  const shown = (...acts: [key: string, on: boolean][]) =>
    shownTallies(
      message,
      "reactions",
      ME,
      acts.map(([key, on]) => ({ kind: "reactions", key, on })),
    );

  test("RE1 each reaction with its count, and whether it is mine", () => {
    expect(shown()).toEqual([
      { key: "👍", count: 2, first: [2, ME], isMine: true, isUnsent: false },
      { key: "❤️", count: 1, first: [2], isMine: false, isUnsent: false },
    ]);
    expect(shownTallies({ extra: undefined }, "reactions", ME)).toEqual([]);
  });

  test("RE2 what I do shows at once: joining, a new one, taking back", () => {
    expect(shown(["❤️", true])[1]).toEqual({
      key: "❤️",
      count: 2,
      first: [2, ME],
      isMine: true,
      isUnsent: true,
    });
    expect(shown(["😂", true])[2]).toEqual({
      key: "😂",
      count: 1,
      first: [ME],
      isMine: true,
      isUnsent: true,
    });
    expect(shown(["👍", false])[0]).toEqual({
      key: "👍",
      count: 1,
      first: [2],
      isMine: false,
      isUnsent: true,
    });
  });

  test("RE2 an unconfirmed act that the server already has changes nothing", () => {
    expect(shown(["👍", true], ["❤️", false])).toEqual(shown());
  });

  test("RE2 the last one to take a reaction back removes it", () => {
    const mine = messageWith({ v: 5, reactions: thumbs(1, [ME]), mine: { reactions: ["👍"] } });
    expect(shownTallies(mine, "reactions", ME, [{ kind: "reactions", key: "👍", on: false }])).toEqual([]);
  });
});
