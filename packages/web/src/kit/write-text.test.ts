import { expect, test } from "vitest";
import { type CompiledText, writeText } from "./write-text.ts";

const MEMBERS: CompiledText = [
  [
    "count",
    "plural",
    { 0: ["Nobody"], one: ["#", " member of ", ["name"]], other: ["#", " members of ", ["name"]] },
  ],
];
const members = (count: number, locale = "en-US") => writeText(MEMBERS, { count, name: "Ops" }, locale);

test("values stand where they are named, and an empty one leaves nothing", () => {
  expect(writeText(["Server ", ["host"], "!"], { host: "im.example" }, "en-US")).toBe("Server im.example!");
  expect(writeText(["Server ", ["host"], "!"], {}, "en-US")).toBe("Server !");
  expect(writeText("OK", {}, "en-US")).toBe("OK");
});

test("a count takes its form: an exact one first, then the language's", () => {
  expect(members(0)).toBe("Nobody");
  expect(members(1)).toBe("1 member of Ops");
  expect(members(1_234)).toBe("1,234 members of Ops");
  expect(members(1, "zh-CN")).toBe("1 members of Ops");
});

test("# is a sign like others outside a plural", () => {
  expect(writeText(["#", ["name"]], { name: "a # b" }, "en-US")).toBe("#a # b");
});

test("a word takes its form, within which a count is what it was outside", () => {
  const text: CompiledText = [
    ["count", "plural", { other: [["by", "select", { me: ["You"], other: [["name"]] }], " sent ", "#"] }],
  ];
  const sent = (by: string) => writeText(text, { by, name: "Ann", count: 2 }, "en-US");
  expect(sent("me")).toBe("You sent 2");
  expect(sent("other")).toBe("Ann sent 2");
});
