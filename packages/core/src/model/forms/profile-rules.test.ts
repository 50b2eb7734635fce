import { describe, expect, test } from "vitest";
import { userInfo } from "../../testing/builders.ts";
import {
  type Birthday,
  type ProfileForm,
  birthdayDays,
  birthdayYears,
  changeBirthday,
  isProfileChanged,
  profileChanges,
  profileForm,
  validateProfile,
} from "./profile-rules.ts";

const ME = userInfo({
  nickName: "Ann",
  sex: 1,
  signature: "hi",
  mobile: "13800138000",
  email: "a@b.cc",
  birthday: "2000-02-29",
  headImage: "/files/a.png",
  headImageThumb: "/files/b.png",
});
const FORM = profileForm(ME);
const birthday = (year: number | null, month: number | null, day: number | null): Birthday => ({
  year,
  month,
  day,
});

describe("rules of the fields", () => {
  test.each<[string, Partial<ProfileForm>, object]>([
    ["F8", {}, {}],
    ["F8", { nickName: " " }, { nickName: "register.nicknameRequired" }],
    ["F8", { nickName: "\u2800\ufeff" }, { nickName: "register.nicknameRequired" }],
    ["F8", { nickName: "a".repeat(41) }, { nickName: "register.nicknameTooLong" }],
    ["F8", { nickName: ` ${"😀".repeat(20)} ` }, {}],
    ["F8", { signature: "s".repeat(128) }, {}],
    ["F8", { signature: "s".repeat(129) }, { signature: "profile.signatureTooLong" }],
    ["F9", { mobile: "" }, {}],
    ["F9", { mobile: " 13300138000 " }, {}],
    ["F9", { mobile: "19900138000" }, {}],
    ["F9", { mobile: "12800138000" }, { mobile: "profile.mobileInvalid" }],
    ["F9", { mobile: "23800138000" }, { mobile: "profile.mobileInvalid" }],
    ["F9", { mobile: "1380013800" }, { mobile: "profile.mobileInvalid" }],
    ["F9", { mobile: "138001380000" }, { mobile: "profile.mobileInvalid" }],
    ["F9", { mobile: "1380013800x" }, { mobile: "profile.mobileInvalid" }],
    ["F10", { email: "" }, {}],
    ["F10", { email: "a@b.c" }, {}],
    ["F10", { email: "a@b" }, { email: "profile.emailInvalid" }],
    ["F10", { email: `${"a".repeat(100)}@b.c` }, { email: "profile.emailInvalid" }],
    ["F11", { birthday: birthday(null, null, null) }, {}],
    ["F11", { birthday: birthday(1950, 1, 1) }, {}],
    ["F11", { birthday: birthday(2026, 12, 31) }, {}],
    ["F11", { birthday: birthday(2027, 1, 1) }, { birthday: "profile.birthdayInvalid" }],
    ["F11", { birthday: birthday(1949, 12, 31) }, { birthday: "profile.birthdayInvalid" }],
    ["F11", { birthday: birthday(2000, null, 1) }, { birthday: "profile.birthdayIncomplete" }],
    ["F11", { birthday: birthday(null, 2, 1) }, { birthday: "profile.birthdayIncomplete" }],
  ])("F8 F9 F10 F11 rule %s: %j gives the errors %j", (_rule, part, errors) => {
    expect(validateProfile({ ...FORM, ...part }, 2026)).toEqual(errors);
  });
});

describe("the lists of the birthday", () => {
  test("F11 the years run from the current one back to 1950", () => {
    const years = birthdayYears(2026);
    expect([years[0], years.at(-1), years.length]).toEqual([2026, 1950, 77]);
  });

  test.each([
    [2023, 2, 28],
    [2024, 2, 29],
    [2000, 2, 29],
    [1900, 2, 28],
    [null, 2, 29],
    [2023, 4, 30],
    [2023, 12, 31],
    [2023, null, 31],
  ])("F12 in %s, month %s has %i days", (year, month, count) => {
    const days = birthdayDays(birthday(year, month, null));
    expect([days[0], days.at(-1)]).toEqual([1, count]);
  });

  test("F12 a day that the month does not have is cleared, by a choice of the month and of the year", () => {
    expect(changeBirthday(birthday(2023, 1, 31), { month: 4 })).toEqual(birthday(2023, 4, null));
    expect(changeBirthday(birthday(2023, 1, 30), { month: 4 })).toEqual(birthday(2023, 4, 30));
    expect(changeBirthday(birthday(2024, 2, 29), { year: 2023 })).toEqual(birthday(2023, 2, null));
    expect(changeBirthday(birthday(2024, 2, 29), { year: 2020 })).toEqual(birthday(2020, 2, 29));
    expect(changeBirthday(birthday(2024, 2, 29), { year: null })).toEqual(birthday(null, 2, 29));
    expect(changeBirthday(birthday(null, null, null), { day: 31 })).toEqual(birthday(null, null, 31));
  });
});

describe("what is saved", () => {
  test("F112 an unchanged form changes nothing, and only changed fields are sent", () => {
    expect(profileChanges(FORM, ME)).toEqual({});
    expect(isProfileChanged(FORM, ME)).toBe(false);
    expect(profileChanges({ ...FORM, nickName: " Ann ", signature: "hi " }, ME)).toEqual({});
    const changed: ProfileForm = { ...FORM, nickName: " Bea ", sex: 0, mobile: "13900139000" };
    expect(profileChanges(changed, ME)).toEqual({ nickName: "Bea", sex: 0, mobile: "13900139000" });
    expect(isProfileChanged(changed, ME)).toBe(true);
    const pictured = { ...FORM, headImage: "/files/c.png", headImageThumb: "/files/d.png" };
    expect(profileChanges(pictured, ME)).toEqual({
      headImage: "/files/c.png",
      headImageThumb: "/files/d.png",
    });
  });

  test("F112 an emptied field is removed, and a birthday is sent as YYYY-MM-DD", () => {
    const emptied = { ...FORM, signature: "", mobile: " ", email: "", birthday: birthday(null, null, null) };
    expect(profileChanges(emptied, ME)).toEqual({ signature: "", mobile: null, email: null, birthday: null });
    expect(profileChanges({ ...FORM, birthday: birthday(1999, 1, 2) }, ME)).toEqual({
      birthday: "1999-01-02",
    });
  });

  test("F112 a birthday that is only begun is lost with the form", () => {
    const stranger = userInfo({ birthday: null, sex: null });
    const begun = { ...profileForm(stranger), birthday: birthday(1999, null, null) };
    expect(profileChanges(begun, stranger)).toEqual({});
    expect(isProfileChanged(begun, stranger)).toBe(true);
  });
});
