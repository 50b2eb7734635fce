import { expect, test } from "vitest";
import { type CompiledText, formatText } from "./format-text.ts";

const MEMBERS: CompiledText = [
  [
    "count",
    "plural",
    { 0: ["Nobody"], one: ["#", " member of ", ["name"]], other: ["#", " members of ", ["name"]] },
  ],
];
const members = (count: number, locale = "en-US") => formatText(MEMBERS, { count, name: "Ops" }, locale);

test("values replace their placeholders, and a missing value leaves nothing", () => {
  expect(formatText(["Server ", ["host"], "!"], { host: "im.example" }, "en-US")).toBe("Server im.example!");
  expect(formatText(["Server ", ["host"], "!"], {}, "en-US")).toBe("Server !");
  expect(formatText("OK", {}, "en-US")).toBe("OK");
});

test("a number is written in the way of the language, a string as it is", () => {
  const text: CompiledText = [["count"], " in ", ["name"]];
  for (const locale of ["zh-CN", "zh-TW", "en-US"])
    expect(formatText(text, { count: 1_234, name: "5678" }, locale)).toBe("1,234 in 5678");
});

test("a plural uses the form for the exact count, else the form of the language's rule", () => {
  expect(members(0)).toBe("Nobody");
  expect(members(1)).toBe("1 member of Ops");
  expect(members(1_234)).toBe("1,234 members of Ops");
  expect(members(1, "zh-CN")).toBe("1 members of Ops");
});

test("# is a plain character outside a plural", () => {
  expect(formatText(["#", ["name"]], { name: "a # b" }, "en-US")).toBe("#a # b");
});

test("a select uses the form of its value, and # inside it is the outer count", () => {
  const text: CompiledText = [
    ["count", "plural", { other: [["by", "select", { me: ["You"], other: [["name"]] }], " sent ", "#"] }],
  ];
  const sent = (by: string) => formatText(text, { by, name: "Ann", count: 2 }, "en-US");
  expect(sent("me")).toBe("You sent 2");
  expect(sent("other")).toBe("Ann sent 2");
});
