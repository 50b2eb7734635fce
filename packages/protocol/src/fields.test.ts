import { describe, expect, test } from "vitest";
import { daysInMonth, isBirthday, isEmail, isMobileNumber, isUserName } from "./fields.ts";

describe("fields", () => {
  test("a user name has letters and digits only", () => {
    expect(["bo", "Bo7"].every(isUserName)).toBe(true);
    expect(["", "b.o", "b o", "博", "bo\n"].some(isUserName)).toBe(false);
  });

  test("a mobile number has 11 digits, starting with 1 and then 3 to 9", () => {
    expect(isMobileNumber("13800000000")).toBe(true);
    expect(["12800000000", "1380000000", "138000000000", "23800000000"].some(isMobileNumber)).toBe(false);
  });

  test("an email address has a name and a dotted host", () => {
    expect(["a@b.cn", "a.b+c@d.e-f.org"].every(isEmail)).toBe(true);
    expect(["a@b", "@b.cn", "a@.cn", "a@b.", "a b@c.cn", "a@b@c.cn"].some(isEmail)).toBe(false);
  });

  test("months have 28 to 31 days", () => {
    const days = Array.from({ length: 12 }, (_, i) => daysInMonth(2026, i + 1));
    expect(days).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect([1900, 2000, 2023, 2024, 2100].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29, 28]);
  });

  test("a birthday is a real day from 1950 to this year", () => {
    expect(["1950-01-01", "2024-02-29", "2026-12-31"].every((day) => isBirthday(day, 2026))).toBe(true);
    const wrong = ["1949-12-31", "2027-01-01", "2023-02-29", "2026-13-01", "2026-04-31", "2026-4-1", ""];
    for (const day of [...wrong, "2026-00-01", "2026-01-00", "2026-01-32", "2026-02-30"])
      expect(isBirthday(day, 2026), day).toBe(false);
  });
});
