import { describe, expect, test } from "vitest";
import {
  validateLogin,
  validatePasswordChange,
  validateProfile,
  validateRegistration,
  validDay,
  type ProfileForm,
  type RegisterForm,
} from "./form-rules.ts";

const VALID: RegisterForm = {
  userName: "ann1",
  nickName: "Ann",
  password: "12345678",
  confirmPassword: "12345678",
  inviteCode: "",
  headImage: null,
  headImageThumb: null,
};
const NOTHING_REQUIRED = { inviteCode: false, avatar: false };
const PROFILE: ProfileForm = { nickName: "Ann", mobile: "", email: "", sex: 0, signature: "", birthday: "" };

describe("login", () => {
  test("F1 the login form needs a username and a password", () => {
    expect(validateLogin({ userName: " ", password: "" })).toEqual({
      userName: "login.usernameRequired",
      password: "login.passwordRequired",
    });
    expect(validateLogin({ userName: "a", password: " " })).toEqual({});
  });
});

describe("register", () => {
  const check = (part: Partial<RegisterForm>, required = NOTHING_REQUIRED) =>
    validateRegistration({ ...VALID, ...part }, required);

  test.each([
    ["F2", { userName: "" }, { userName: "register.usernameRequired" }],
    ["F2", { userName: "a b" }, { userName: "register.usernameFormat" }],
    ["F2", { userName: "名字" }, { userName: "register.usernameFormat" }],
    ["F2", { userName: "a".repeat(21) }, { userName: "register.usernameTooLong" }],
    ["F2", { userName: "a".repeat(20) }, {}],
    ["F3", { nickName: "  " }, { nickName: "register.nicknameRequired" }],
    ["F3", { nickName: "😀".repeat(20) }, {}],
    ["F3", { nickName: "😀".repeat(21) }, { nickName: "register.nicknameTooLong" }],
    [
      "F4",
      { password: "", confirmPassword: "x" },
      { password: "register.passwordRequired", confirmPassword: "register.confirmMismatch" },
    ],
    ["F4", { password: "1234567", confirmPassword: "1234567" }, { password: "register.passwordLength" }],
    [
      "F4",
      { password: "a".repeat(73), confirmPassword: "a".repeat(73) },
      { password: "register.passwordLength" },
    ],
    ["F4", { password: "a".repeat(72), confirmPassword: "a".repeat(72) }, {}],
    ["F5", { confirmPassword: "" }, { confirmPassword: "register.confirmRequired" }],
    ["F5", { confirmPassword: "12345679" }, { confirmPassword: "register.confirmMismatch" }],
  ])("F2 F3 F4 F5 rule %s: %j gives the errors %j", (_rule, part, errors) => {
    expect(check(part)).toEqual(errors);
  });

  test("F6 an invite code is required only if the server demands one", () => {
    expect(check({ inviteCode: " " }, { inviteCode: true, avatar: false })).toEqual({
      inviteCode: "register.inviteCodeRequired",
    });
    expect(check({})).toEqual({});
  });

  test("F7 an avatar is required only if the server demands one", () => {
    expect(check({}, { inviteCode: false, avatar: true })).toEqual({ headImage: "register.avatarRequired" });
    expect(check({ headImage: "/files/a/b.png" }, { inviteCode: false, avatar: true })).toEqual({});
  });
});

describe("changing the password", () => {
  const VALID = { oldPassword: "x", newPassword: "password", confirmPassword: "password" };
  test.each([
    [{}, {}],
    [{ oldPassword: "" }, { oldPassword: "settings.oldPasswordRequired" }],
    [
      { newPassword: "", confirmPassword: "" },
      { newPassword: "register.passwordRequired", confirmPassword: "register.confirmRequired" },
    ],
    [{ newPassword: "1234567", confirmPassword: "1234567" }, { newPassword: "register.passwordLength" }],
    [{ confirmPassword: "passwort" }, { confirmPassword: "register.confirmMismatch" }],
  ])("F13 a password form with %j gives the errors %j", (part, errors) => {
    expect(validatePasswordChange({ ...VALID, ...part })).toEqual(errors);
  });
});

describe("profile", () => {
  test.each([
    ["F8", { nickName: " " }, { nickName: "profile.nicknameRequired" }],
    ["F8", { nickName: "a".repeat(21) }, { nickName: "profile.nicknameTooLong" }],
    ["F9", { mobile: "13800138000" }, {}],
    ["F9", { mobile: "12800138000" }, { mobile: "profile.mobileInvalid" }],
    ["F9", { mobile: "1380013800" }, { mobile: "profile.mobileInvalid" }],
    ["F10", { email: "a@b.c" }, {}],
    ["F10", { email: "a@b" }, { email: "profile.emailInvalid" }],
    ["F10", { email: `${"a".repeat(100)}@b.c` }, { email: "profile.emailInvalid" }],
    ["F11", { birthday: "2024-02-29" }, {}],
    ["F11", { birthday: "2023-02-29" }, { birthday: "profile.birthdayInvalid" }],
    ["F11", { birthday: "1949-12-31" }, { birthday: "profile.birthdayInvalid" }],
    ["F11", { birthday: "2027-01-01" }, { birthday: "profile.birthdayInvalid" }],
    ["F8", { signature: "s".repeat(129) }, { signature: "profile.signatureTooLong" }],
    ["F8", {}, {}],
  ])("F8 F9 F10 F11 rule %s: %j gives the errors %j", (_rule, part, errors) => {
    expect(validateProfile({ ...PROFILE, ...part }, 2026)).toEqual(errors);
  });

  test("F12 a day that the month does not have is cleared", () => {
    expect(validDay(2023, 2, 29)).toBeNull();
    expect(validDay(2024, 2, 29)).toBe(29);
    expect(validDay(2024, 4, 31)).toBeNull();
    expect(validDay(2024, 4, null)).toBeNull();
  });
});
