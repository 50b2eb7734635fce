import { describe, expect, test } from "vitest";
import { mentionQueryAt } from "./mention-query.ts";

/** `|` is the caret. */
function ask(marked: string) {
  const caret = marked.indexOf("|");
  return mentionQueryAt(marked.replace("|", ""), caret, []);
}

describe("an @ asks for a name", () => {
  test.each([
    ["@|", { from: 0, to: 1, words: "" }],
    ["hello @li|", { from: 6, to: 9, words: "li" }],
    ["走查顺序，@|", { from: 5, to: 6, words: "" }],
    ["你好@林|", { from: 2, to: 4, words: "林" }],
    ["ＩＭＥ ＠lin|", { from: 4, to: 8, words: "lin" }],
    ["(@bo|)", { from: 1, to: 4, words: "bo" }],
    ["one\n@t|wo", { from: 4, to: 6, words: "t" }],
    ["😀@x|", { from: 2, to: 4, words: "x" }],
  ])("%s", (marked, query) => expect(ask(marked)).toEqual(query));
});

describe("nobody is asked for", () => {
  test.each([
    ["bo@example|", "in an address"],
    ["é@x|", "behind any letter"],
    ["7@x|", "behind a digit"],
    ["_@x|", "behind an underscore"],
    ["@li n|", "once a blank is written"],
    ["|@li", "before the @"],
    ["@abcdefghijklmnopqrstuvwxyz|", "by more letters than a name has"],
    ["words|", "without an @"],
  ])("%s: %s", (marked) => expect(ask(marked)).toBeNull());

  test("inside a mention, but right behind it a new one may begin", () => {
    const mentions = [{ userId: 7, from: 0, to: 3 }];
    expect(mentionQueryAt("@Bo", 3, mentions)).toBeNull();
    expect(mentionQueryAt("@Bo @", 5, mentions)).toEqual({ from: 4, to: 5, words: "" });
  });
});
