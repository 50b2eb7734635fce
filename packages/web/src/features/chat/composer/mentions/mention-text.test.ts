import { describe, expect, test } from "vitest";
import type { State } from "@parley/core/model/state";
import { GroupRole } from "@parley/protocol/codes";
import {
  mentionAfter,
  mentionBefore,
  mentionQueryAt,
  mentionsToSend,
  stepOverMention,
} from "./mention-text.ts";

/** `|` is the caret. */
function queryAtCaret(marked: string) {
  const caret = marked.indexOf("|");
  return mentionQueryAt(marked.replace("|", ""), caret, []);
}

describe("an @ before the caret begins a mention query", () => {
  test.each([
    ["@|", { from: 0, to: 1, text: "" }],
    ["hello @li|", { from: 6, to: 9, text: "li" }],
    ["走查顺序，@|", { from: 5, to: 6, text: "" }],
    ["你好@林|", { from: 2, to: 4, text: "林" }],
    ["ＩＭＥ ＠lin|", { from: 4, to: 8, text: "lin" }],
    ["(@bo|)", { from: 1, to: 4, text: "bo" }],
    ["one\n@t|wo", { from: 4, to: 6, text: "t" }],
    ["😀@x|", { from: 2, to: 4, text: "x" }],
  ])("%s", (marked, query) => expect(queryAtCaret(marked)).toEqual(query));
});

describe("there is no mention query", () => {
  test.each([
    ["bo@example|", "in an e-mail address"],
    ["é@x|", "after a letter"],
    ["7@x|", "after a digit"],
    ["_@x|", "after an underscore"],
    ["@li n|", "after a blank"],
    ["|@li", "before the @"],
    ["@abcdefghijklmnopqrstuvwxyz|", "if the text is longer than a name can be"],
    ["words|", "without an @"],
  ])("%s: %s", (marked) => expect(queryAtCaret(marked)).toBeNull());

  test("inside a mention, but a new one can begin directly after it", () => {
    const mentions = [{ userId: 7, from: 0, to: 3 }];
    expect(mentionQueryAt("@Bo", 3, mentions)).toBeNull();
    expect(mentionQueryAt("@Bo @", 5, mentions)).toEqual({ from: 4, to: 5, text: "" });
  });
});

const TEXT = "hi @Bo Li ok";
const BO = { userId: 7, from: 3, to: 9 };

test("one Backspace deletes a mention, with or without the blank after it", () => {
  expect(mentionBefore(TEXT, 9, [BO])).toEqual({ from: 3, to: 9 });
  expect(mentionBefore(TEXT, 10, [BO])).toEqual({ from: 3, to: 10 });
});

test("Backspace elsewhere deletes one character", () => {
  expect(mentionBefore(TEXT, 11, [BO])).toBeNull();
  expect(mentionBefore(TEXT, 7, [BO])).toBeNull();
  expect(mentionBefore(TEXT, 3, [BO])).toBeNull();
  expect(mentionBefore("@Bo，", 4, [{ userId: 7, from: 0, to: 3 }])).toBeNull();
});

test("Delete before a mention deletes the whole mention", () => {
  expect(mentionAfter(3, [BO])).toEqual({ from: 3, to: 9 });
  expect(mentionAfter(4, [BO])).toBeNull();
});

test("an arrow key moves the caret over a mention", () => {
  expect(stepOverMention(9, -1, [BO])).toBe(3);
  expect(stepOverMention(3, 1, [BO])).toBe(9);
  expect(stepOverMention(3, -1, [BO])).toBeNull();
  expect(stepOverMention(10, -1, [BO])).toBeNull();
});

const GROUP = 9;

function state(role: GroupRole): Pick<State, "groups"> {
  const byId = { [GROUP]: { id: GROUP, role, quit: false, dissolve: false, isBanned: false } };
  const members = {
    [GROUP]: { byId: { 7: { quit: false }, 8: { quit: true } }, order: [7], state: "loaded" },
  };
  return { groups: { byId, members } } as unknown as Pick<State, "groups">;
}

const send = (text: string, userId: number, from: number, to: number, role: GroupRole = GroupRole.MEMBER) =>
  mentionsToSend(state(role), GROUP, text, [{ userId, from, to }]);

describe("the mentions of a message that is sent", () => {
  test("trimming the text shifts mention ranges", () =>
    expect(send("  @Bo Li  ", 7, 2, 8)).toEqual([{ userId: 7, from: 0, to: 6 }]));

  test("a mention whose end is trimmed away is dropped", () => expect(send("@Bo ", 7, 0, 4)).toEqual([]));

  test("a former member is not mentioned, an unknown user is", () => {
    expect(send("@Li", 8, 0, 3)).toEqual([]);
    expect(send("@Li", 99, 0, 3)).toHaveLength(1);
  });

  test("everyone is mentioned only by a member with that right", () => {
    expect(send("@all", -1, 0, 4)).toEqual([]);
    expect(send("@all", -1, 0, 4, GroupRole.ADMIN)).toHaveLength(1);
  });
});
