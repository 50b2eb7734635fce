import { describe, expect, test } from "vitest";
import { splitMentions } from "./mention-text.tsx";

const NAMES: Record<number, readonly string[]> = {
  1: ["林晓"],
  2: ["Bo", "Bo Holm"],
  3: ["Bo"],
  4: ["a#笑哭;b"],
};
const namesOf = (id: number) => NAMES[id] ?? [];

/** The text with each mention in brackets, followed by its user id. */
function split(text: string, ids: readonly number[]): string {
  return splitMentions(text, ids, namesOf)
    .map((part) => (part.kind === "text" ? part.text : `[${part.text}=${part.userId}]`))
    .join("");
}

describe("mentions in a text", () => {
  test.each([
    ["hi @林晓 ok", [1], "hi [@林晓=1] ok"],
    ["你好@林晓你好", [1], "你好[@林晓=1]你好"],
    ["@所有人 和 @Everyone", [-1], "[@所有人=-1] 和 [@Everyone=-1]"],
    ["@林晓 @林晓", [1], "[@林晓=1] [@林晓=1]"],
    ["no mention at all", [1], "no mention at all"],
    ["@林晓", [], "@林晓"],
    ["@a#笑哭;b!", [4], "[@a#笑哭;b=4]!"],
  ])("%s of %j", (text, ids, result) => expect(split(text, ids)).toBe(result));

  test("the longest matching name wins", () =>
    expect(split("@Bo Holm, @Bo", [2])).toBe("[@Bo Holm=2], [@Bo=2]"));

  test("each of two users with the same name is found once", () =>
    expect(split("@Bo and @Bo", [2, 3])).toBe("[@Bo=2] and [@Bo=3]"));

  test("the joined parts give the whole text", () => {
    const text = "a @林晓 b @Bo Holm c";
    expect(
      splitMentions(text, [1, 2], namesOf)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});

describe("M134 mentions in code are not marked", () => {
  test.each([
    ["@林晓 run `@林晓` ok", [1], "[@林晓=1] run `@林晓` ok"],
    ["```\n@林晓\n``` @林晓", [1], "```\n@林晓\n``` [@林晓=1]"],
    ["`@old` @旧名", [9], "`@old` [@旧名=9]"],
    ["a ` @林晓", [1], "a ` [@林晓=1]"],
  ])("%s", (text, ids, result) => expect(split(text, ids)).toBe(result));
});

describe("a mention whose name has changed", () => {
  test("one unmatched @word belongs to the one unmatched user", () =>
    expect(split("@旧名字 @林晓 看", [9, 1])).toBe("[@旧名字=9] [@林晓=1] 看"));

  test("if there are as many unmatched words as users, they are matched in order", () =>
    expect(split("@旧名 and @old", [8, 9])).toBe("[@旧名=8] and [@old=9]"));

  test("more unmatched words than users match nobody", () =>
    expect(split("@one @two", [9])).toBe("@one @two"));

  test("an e-mail address is no mention", () =>
    expect(split("bo@example.com @old", [9])).toBe("bo@example.com [@old=9]"));

  test("a mention of everyone written by another client is found", () =>
    expect(split("@全体 在吗", [-1])).toBe("[@全体=-1] 在吗"));
});
