import { describe, expect, test } from "vitest";
import { mentionQueryAt } from "./mention-query.ts";

/** `|` is the caret. */
function ask(marked: string) {
  const caret = marked.indexOf("|");
  return mentionQueryAt(marked.replace("|", ""), caret, []);
}

describe("an @ asks for a name", () => {
  test.each([
    ["@|", { from: 0, to: 1, text: "" }],
    ["hello @li|", { from: 6, to: 9, text: "li" }],
    ["走查顺序，@|", { from: 5, to: 6, text: "" }],
    ["你好@林|", { from: 2, to: 4, text: "林" }],
    ["ＩＭＥ ＠lin|", { from: 4, to: 8, text: "lin" }],
    ["(@bo|)", { from: 1, to: 4, text: "bo" }],
    ["one\n@t|wo", { from: 4, to: 6, text: "t" }],
    ["😀@x|", { from: 2, to: 4, text: "x" }],
  ])("%s", (marked, query) => expect(ask(marked)).toEqual(query));
});

describe("no mention query", () => {
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

  test("there is no query inside a mention, but a new one can begin directly after it", () => {
    const mentions = [{ userId: 7, from: 0, to: 3 }];
    expect(mentionQueryAt("@Bo", 3, mentions)).toBeNull();
    expect(mentionQueryAt("@Bo @", 5, mentions)).toEqual({ from: 4, to: 5, text: "" });
  });
});
