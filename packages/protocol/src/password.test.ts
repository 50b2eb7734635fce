import { expect, test } from "vitest";
import { newPassword, normalizePassword, passwordLength } from "./password.ts";

test.each([
  ["Pässwörd-Café1", "Pa\u0308sswo\u0308rd-Cafe\u03011"],
  ["password1!", "ｐａｓｓｗｏｒｄ１！"],
  ["パスワード12", "ﾊﾟｽﾜｰﾄﾞ12"],
  ["ガパスワード", "カ\u3099ハ\u309aスワート\u3099"],
  ["correct horse", "correct\u3000horse"],
  ["correct horse", "correct\u00a0horse"],
  ["비밀번호비밀번호", "비밀번호비밀번호".normalize("NFD")],
])("%j and %j are one password", (one, other) => {
  expect(normalizePassword(other)).toBe(normalizePassword(one));
  expect(normalizePassword(normalizePassword(other))).toBe(normalizePassword(other));
});

test.each([
  ["password", "Password"],
  ["password ", "password"],
  ["x²", "x2"],
  ["ﬁre", "fire"],
  ["a\u200bb", "ab"],
])("%j and %j are two passwords", (one, other) => {
  expect(normalizePassword(other)).not.toBe(normalizePassword(one));
});

test("the length is that of the form that is compared", () => {
  expect(passwordLength("a\u0308".repeat(8))).toBe(8);
  const accepts = (text: string) => newPassword().safeParse(text).success;
  expect([
    accepts("a\u0308".repeat(72)),
    accepts("ä".repeat(73)),
    accepts("a\u0308".repeat(7)),
    accepts("\ud800".repeat(8)),
  ]).toEqual([true, false, false, false]);
});
