import { expect, test } from "vitest";
import { noticeAfter } from "./reaction-notices.ts";

const ME = 1;
const act = (by: number, key: string, on = true, kind = "reactions") => ({ by, kind, key, on });
const done = (...acts: ReturnType<typeof act>[]) => ({ messageId: 5, acts });
const notice = { messageId: 5, by: 2, reaction: "👍" };

test("RE13 the last reaction of somebody else is told", () => {
  expect(noticeAfter(undefined, done(act(2, "👍")), ME)).toEqual(notice);
  expect(noticeAfter(notice, done(act(3, "🎉"), act(2, "❤️")), ME)).toEqual({ ...notice, reaction: "❤️" });
  expect(noticeAfter(undefined, done(act(ME, "👍")), ME)).toBeUndefined();
  expect(noticeAfter(undefined, done(act(2, "", true, "pin")), ME)).toBeUndefined();
});

test("RE13 a reaction that is taken back ends its own notice alone", () => {
  expect(noticeAfter(notice, done(act(2, "👍", false)), ME)).toBeUndefined();
  expect(noticeAfter(notice, done(act(2, "🎉", false)), ME)).toBe(notice);
  expect(noticeAfter(notice, done(act(3, "👍", false)), ME)).toBe(notice);
  expect(noticeAfter(notice, { messageId: 6, acts: [act(2, "👍", false)] }, ME)).toBe(notice);
});
