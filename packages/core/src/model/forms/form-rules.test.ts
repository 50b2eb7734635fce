import { describe, expect, test } from "vitest";
import { validatePasswordChange, validateRegistration, type RegisterForm } from "./form-rules.ts";
import { validateLogin } from "./login-rules.ts";

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
    ["F3", { nickName: "\u200b\u3164" }, { nickName: "register.nicknameRequired" }],
    ["F3", { nickName: "😀".repeat(20) }, {}],
    ["F3", { nickName: "😀".repeat(41) }, { nickName: "register.nicknameTooLong" }],
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
