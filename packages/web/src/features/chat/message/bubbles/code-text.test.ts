import { describe, expect, test } from "vitest";
import { splitCode, withoutCode } from "./code-text.tsx";

/** The parts joined by "|": [inline code], [[code block]], plain text. */
function describeParts(text: string): string {
  return splitCode(text)
    .map((part) =>
      part.kind === "text" ? part.text : part.kind === "inline" ? `[${part.text}]` : `[[${part.text}]]`,
    )
    .join("|");
}

describe("M134 code in a message", () => {
  test.each([
    ["an empty text", "", ""],
    ["no code", "a b", "a b"],
    ["code inside a line", "run `npm i` now", "run |[npm i]| now"],
    ["code between Han characters", "运行`npm i`即可", "运行|[npm i]|即可"],
    ["two pieces of code in a line", "`a` and `b`", "[a]| and |[b]"],
    ["an unclosed backtick", "a ` b", "a ` b"],
    ["a backtick closed on another line", "a `b\nc` d", "a `b\nc` d"],
    ["a later pair on the next line", "a `b\n`c` d", "a `b\n|[c]| d"],
    ["empty code", "`` and ` `", "`` and ` `"],
    ["a backtick inside code", "``a`b`` and `` ` ``", "[a`b]| and |[`]"],
    ["an apostrophe", "it`s and that`s", "it`s and that`s"],
    ["a block", "see\n```\na\n  b\n```\nok", "see|[[a\n  b]]|ok"],
    ["a block with a language", "```ts\nlet a;\n```", "[[let a;]]"],
    ["a block in one line", "```a b```", "[[a b]]"],
    ["a block of one word", "```\nhello\n```", "[[hello]]"],
    ["a block whose only word is on the opening line", "```hello\n```", "[[hello]]"],
    ["a block with backticks inside", "```\na `b` ``c``\n```", "[[a `b` ``c``]]"],
    ["a fence inside a longer fence", "````\n```\na\n```\n````", "[[```\na\n```]]"],
    ["an unclosed block", "```\na `b`", "```\na |[b]"],
    ["an empty block", "```\n\n``` x", "```\n\n``` x"],
    ["an indented first line", "```\n  a\n```", "[[  a]]"],
    ["Windows line ends", "x\r\n```js\r\na\r\n\r\nb\r\n```\r\ny", "x|[[a\n\nb]]|y"],
    ["a block inside a line", "a ```b``` c", "a |[[b]]| c"],
    ["other markup", "*bold* _i_ ~s~ # h\n> q\n- l", "*bold* _i_ ~s~ # h\n> q\n- l"],
    ["links, mentions and emoticons inside code", "`https://a.b @Bo #开心;`", "[https://a.b @Bo #开心;]"],
    ["emoji inside code", "`👩‍👩‍👧` 😀", "[👩‍👩‍👧]| 😀"],
  ])("%s", (_, text, expected) => expect(describeParts(text)).toBe(expected));

  test("the joined parts give the source text, including the line breaks around a block", () => {
    const text = "a\r\n```js\nb\n```\n```c``` `` ` ``";
    const parts = splitCode(text).map((part) => (part.kind === "text" ? part.text : part.source));
    expect(parts).toEqual(["a", "\r\n```js\nb\n```\n", "```c```", " ", "`` ` ``"]);
    expect(parts.join("")).toBe(text);
  });

  test("code is masked when mentions are searched, and positions do not shift", () => {
    expect(withoutCode("@A `@B` @C ```@D``` `@E")).toBe("@A      @C          `@E");
  });

  test("parsing time stays linear with many backticks", () => {
    const rising = (count: number) => Array.from({ length: count }, (_, i) => "`".repeat(i + 1)).join(" ");
    // With quadratic time these would take minutes.
    for (const text of ["`".repeat(50_000), "` \n".repeat(50_000), rising(300), "a` ".repeat(50_000)])
      expect(splitCode(text).length).toBeGreaterThan(0);
  });
});
