import { MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { FRIEND_CHAT } from "../testing/builders.ts";
import { chatKey, draftFiles, draftMentions, failure, idOrInfinity } from "./schemas.ts";

const ANN = { userId: 7, from: 3, to: 7 };
const FILE = {
  id: "a",
  type: MessageType.FILE,
  name: "a.bin",
  size: 7,
  mimeType: "",
  width: null,
  height: null,
  duration: null,
};

test("G33 mentions are read only if every one of them is valid", () => {
  const valid = [ANN, { userId: 8, from: 12, to: 16 }];
  expect(draftMentions.parse(valid)).toEqual(valid);
  expect(draftMentions.parse([])).toEqual([]);
  for (const invalid of [undefined, "x", { length: 0 }, [ANN, null], [5], [{ ...ANN, userId: "7" }]])
    expect(draftMentions.safeParse(invalid).success).toBe(false);
});

test("U57 files of a draft are read only if every one of them is valid, and there are not too many", () => {
  expect(draftFiles.parse([FILE])).toEqual([FILE]);
  const many = Array.from({ length: 21 }, () => FILE);
  for (const invalid of [
    undefined,
    { length: 1 },
    many,
    [FILE, null],
    [{ ...FILE, type: MessageType.AUDIO }],
    [{ ...FILE, width: "1" }],
  ])
    expect(draftFiles.safeParse(invalid).success).toBe(false);
});

test("M32 a key of a chat is in its one form, and an id is a number or Infinity", () => {
  const accepts = (values: unknown[]) => values.map((value) => chatKey.safeParse(value).success);
  expect(accepts([FRIEND_CHAT, "PRIVATE:007", "OTHER:7", 7])).toEqual([true, false, false, false]);
  expect([0, Infinity, NaN, "5"].map((value) => idOrInfinity.safeParse(value).success)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("M32 a failure is of a known kind", () => {
  const kinds = [{ kind: "fileLost" }, { kind: "other" }, null];
  expect(kinds.map((value) => failure.safeParse(value).success)).toEqual([true, false, false]);
});
